// SPDX-License-Identifier: Apache-2.0

/// The last message of each topic, and which of them the broker has yet to acknowledge.
///
/// The latest message wins, so that nothing piles up while there is no broker.
struct RetainedTopics {
  /// What a message is about.
  enum Content: Hashable {
    case discovery
    case availability
    /// A state of a time in milliseconds since 1970, of a record, of a patient by a digest.
    case state(milliseconds: Int, record: String?, owner: String?)
    /// Nothing any more: the broker forgets it.
    case withdrawn
  }

  private struct Entry {
    var content: Content
    var payload: [UInt8]
    /// Grows with each change, of whatever topic.
    var change: Int
    var isSent = false
  }

  private let maximumCount: Int
  private var entries: [String: Entry] = [:]
  private var changes = 0
  /// What is to be sent, in this order, and perhaps topics that are not any more.
  private var queue: [String] = []

  /// - Parameter maximumCount: How many topics are kept; beyond them, those that have not changed
  ///   for the longest time are forgotten, and stay as they are at the broker.
  init(maximumCount: Int = 4096) { self.maximumCount = maximumCount }

  /// How many topics there are.
  var count: Int { entries.count }

  /// Replaces a topic's message; false for a state that is older than the present one.
  mutating func set(_ topic: String, _ content: Content, _ payload: [UInt8]) -> Bool {
    if let entry = entries[topic] {
      guard !Self.isLate(content, entry.content) else { return false }
      if entry.payload == payload, entry.content == content { return true }
    }
    insert(topic, content, payload)
    return true
  }

  /// The content of a topic's message; nil when there is none.
  func content(_ topic: String) -> Content? {
    entries[topic].flatMap { $0.content == .withdrawn ? nil : $0.content }
  }

  /// The topics with states.
  var states: [String] {
    entries.compactMap { topic, entry in entry.content.isState ? topic : nil }
  }

  /// Takes a topic's message back.
  mutating func withdraw(_ topic: String) { _ = set(topic, .withdrawn, []) }

  /// Takes a state over that the broker has kept from an earlier run, if it is later.
  mutating func adopt(_ topic: String, _ content: Content, _ payload: [UInt8]) {
    guard let entry = entries[topic] else {
      insert(topic, content, payload)
      entries[topic]?.isSent = true
      queue.removeLast()
      return
    }
    // It is sent again: what was published meanwhile has replaced it.
    if Self.isLate(entry.content, content) { insert(topic, content, payload) }
  }

  /// The next message to be sent.
  mutating func next() -> (topic: String, payload: [UInt8], change: Int)? {
    while let topic = queue.first {
      if let entry = entries[topic], !entry.isSent { return (topic, entry.payload, entry.change) }
      queue.removeFirst()
    }
    return nil
  }

  /// Notes that a message was acknowledged, or can never be sent; a later one of its topic still is.
  mutating func settle(_ topic: String, change: Int) {
    guard entries[topic]?.change == change else { return }
    entries[topic]?.isSent = true
    if entries[topic]?.content == .withdrawn { entries[topic] = nil }
  }

  /// Sends messages again, in the order of their changes.
  mutating func sendAgain(where isWanted: (Content) -> Bool) {
    for (topic, entry) in entries where isWanted(entry.content) { entries[topic]?.isSent = false }
    queue = entries.filter { !$0.value.isSent }.sorted { $0.value.change < $1.value.change }
      .map(\.key)
  }

  private mutating func insert(_ topic: String, _ content: Content, _ payload: [UInt8]) {
    changes += 1
    let wasQueued = entries[topic].map { !$0.isSent } ?? false
    entries[topic] = Entry(content: content, payload: payload, change: changes)
    if !wasQueued { queue.append(topic) }
    guard entries.count > maximumCount else { return }
    // A tenth at a time, since it takes a look at all.
    let oldest = entries.sorted { $0.value.change < $1.value.change }
      .prefix(max(1, maximumCount / 10))
    for (topic, _) in oldest { entries[topic] = nil }
  }

  private static func isLate(_ new: Content, _ old: Content) -> Bool {
    guard case .state(let new, _, _) = new, case .state(let old, _, _) = old else { return false }
    return new < old
  }
}

extension RetainedTopics.Content {
  var isState: Bool { if case .state = self { true } else { false } }

  /// Whose a state is; nil for what is none.
  var owner: String? { if case .state(_, _, let owner) = self { owner } else { nil } }
}
