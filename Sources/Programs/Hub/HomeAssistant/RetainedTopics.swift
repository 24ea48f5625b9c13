// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The last message of each topic, and which of them the broker has yet to acknowledge.
///
/// The latest message wins, so that nothing piles up while there is no broker. Nothing is ever
/// forgotten here that is shown, or is to be taken back: who adds topics bounds them.
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

  /// How far a state's time may be ahead and count: a clock that was fast has left one beyond it.
  private static let longestLead = 5 * 60 * 1000

  private let now: @Sendable () -> Date
  private var entries: [String: Entry] = [:]
  /// The topics with states, by the folder of their device.
  private var statesByFolder: [Substring: Set<String>] = [:]
  private var changes = 0
  /// The changes to be sent, in this order, and perhaps some that others have followed.
  private var queue: [(topic: String, change: Int)] = []
  /// How many at the queue's beginning are done with.
  private var doneCount = 0

  /// - Parameter now: The time of day.
  init(now: @escaping @Sendable () -> Date = { Date() }) { self.now = now }

  /// How many topics there are.
  var count: Int { entries.count }

  /// How many of them are taken back, and the broker has not acknowledged it yet.
  private(set) var withdrawnCount = 0

  /// Replaces a topic's message; false for a state that is older than the present one.
  mutating func set(_ topic: String, _ content: Content, _ payload: [UInt8]) -> Bool {
    if let entry = entries[topic] {
      guard !isLate(content, after: entry.content) else { return false }
      if entry.payload == payload, entry.content == content { return true }
    }
    insert(topic, content, payload)
    return true
  }

  /// The content of a topic's message; nil when there is none.
  func content(_ topic: String) -> Content? {
    entries[topic].flatMap { $0.content == .withdrawn ? nil : $0.content }
  }

  /// The payload of a topic's message; nil if there is none, empty if the message is taken back.
  func payload(_ topic: String) -> [UInt8]? { entries[topic]?.payload }

  /// Whether a topic has a later state than another one.
  func isLate(_ content: Content, for topic: String) -> Bool {
    entries[topic].map { isLate(content, after: $0.content) } ?? false
  }

  /// The topics with states.
  var states: [String] { statesByFolder.values.flatMap(\.self) }

  /// The topics with states of a device.
  ///
  /// - Parameter folder: What their topics and that of the device's availability begin with, without
  ///   the last `/`.
  /// - Returns: The topics.
  func states(in folder: Substring) -> Set<String> { statesByFolder[folder] ?? [] }

  /// Takes a topic's message back.
  mutating func withdraw(_ topic: String) { _ = set(topic, .withdrawn, []) }

  /// Forgets a topic of which another hub has replaced the message, unless it is to be sent.
  mutating func leave(_ topic: String) {
    if entries[topic]?.isSent == true { replace(topic, nil) }
  }

  /// Takes a state over that the broker has kept from an earlier run, if it is later.
  mutating func adopt(_ topic: String, _ content: Content, _ payload: [UInt8]) {
    guard let entry = entries[topic] else {
      changes += 1
      replace(topic, Entry(content: content, payload: payload, change: changes, isSent: true))
      return
    }
    // It is sent again: what was published meanwhile has replaced it.
    if isLate(entry.content, after: content) { insert(topic, content, payload) }
  }

  /// The next message to be sent.
  mutating func next() -> (topic: String, payload: [UInt8], change: Int)? {
    while doneCount < queue.count {
      let (topic, change) = queue[doneCount]
      if let entry = entries[topic], !entry.isSent, entry.change == change {
        return (topic, entry.payload, change)
      }
      doneCount += 1
    }
    (queue, doneCount) = ([], 0)
    return nil
  }

  /// Notes that a message was acknowledged, or can never be sent; a later one of its topic still is.
  mutating func settle(_ topic: String, change: Int) {
    guard entries[topic]?.change == change else { return }
    entries[topic]?.isSent = true
    if entries[topic]?.content == .withdrawn { replace(topic, nil) }
  }

  /// Sends messages again, in the order of their changes.
  mutating func sendAgain(where isWanted: (Content) -> Bool) {
    for (topic, entry) in entries where isWanted(entry.content) { entries[topic]?.isSent = false }
    fillQueue()
  }

  private mutating func insert(_ topic: String, _ content: Content, _ payload: [UInt8]) {
    changes += 1
    replace(topic, Entry(content: content, payload: payload, change: changes))
    // At the end, also of what waits already: the order of changes is what a reader relies on.
    queue.append((topic, changes))
    if queue.count > 2 * entries.count + 64 { fillQueue() }
  }

  private mutating func fillQueue() {
    let unsent = entries.filter { !$0.value.isSent }
    queue = unsent.map { ($0.key, $0.value.change) }.sorted { $0.change < $1.change }
    doneCount = 0
  }

  /// Keeps what is derived from the entries in step with them.
  private mutating func replace(_ topic: String, _ entry: Entry?) {
    let old = entries[topic]?.content
    entries[topic] = entry
    withdrawnCount += (entry?.content == .withdrawn ? 1 : 0) - (old == .withdrawn ? 1 : 0)
    guard old?.isState ?? false != entry?.content.isState ?? false else { return }
    let folder = HomeAssistantTopics.folder(ofState: topic)
    if entry?.content.isState ?? false {
      statesByFolder[folder, default: []].insert(topic)
    } else {
      statesByFolder[folder]?.remove(topic)
      if statesByFolder[folder]?.isEmpty ?? false { statesByFolder[folder] = nil }
    }
  }

  private func isLate(_ new: Content, after old: Content) -> Bool {
    guard case .state(let new, _, _) = new, case .state(let old, _, _) = old, new < old else {
      return false
    }
    let latest = Int(now().timeIntervalSince1970 * 1000) + Self.longestLead
    return old <= latest || new > latest
  }
}

extension RetainedTopics.Content {
  var isState: Bool { if case .state = self { true } else { false } }

  /// Whose a state is; nil for what is none.
  var owner: String? { if case .state(_, _, let owner) = self { owner } else { nil } }
}
