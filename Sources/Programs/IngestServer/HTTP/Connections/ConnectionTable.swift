// SPDX-License-Identifier: Apache-2.0

/// All connections of the server, what each of them does, and until when it may: who has to end.
///
/// It does no I/O and knows no clock: times are those since the server's start.
struct ConnectionTable {
  typealias ID = UInt64

  /// What a connection does.
  enum Phase: Hashable, Sendable {
    /// The head of the first request arrives.
    case head
    /// A request was answered, the head of the next may arrive.
    case idle
    /// The body of a request arrives.
    case body
    /// The server works on a request.
    case working
    /// The client takes the answer.
    case answer
    /// A stream has nothing to send, as long as it likes.
    case quietStream
    /// The client takes what a stream has given it.
    case stream
  }

  fileprivate struct Entry {
    let address: ClientAddress
    /// When its phase began, among all beginnings.
    var since: UInt64
    var phase = Phase.head
    var deadline: Duration?
    /// What was left of the client's time when the server began to work.
    var remaining: Duration?
    /// Whose request it is.
    var client: ClientKey?
    /// Whether any of its requests had a good token.
    var wasAuthenticated = false
    var isEnding = false
  }

  private let limits: IngestServer.Limits
  /// Behind a proxy all connections have its address.
  private let countsAddresses: Bool
  private var entries: [ID: Entry] = [:]
  private var lastID: ID = 0
  private var clock: UInt64 = 0
  private var countByAddress: [String: Int] = [:]

  init(_ limits: IngestServer.Limits, countsAddresses: Bool = true) {
    self.limits = limits
    self.countsAddresses = countsAddresses
  }

  /// How many connections there are, also those that are about to end.
  var count: Int { entries.count }
  /// Whether some more may be accepted before those end that were told to.
  var hasRoom: Bool { entries.count < limits.connections + Self.overlap }
  /// How many connections beyond the limit there may be for a moment, until others have ended.
  static let overlap = 16

  /// A client has connected.
  ///
  /// - Returns: Its number, and the connections that have to end for it.
  mutating func accepted(_ address: ClientAddress, at now: Duration) -> (id: ID, ending: [ID]) {
    lastID += 1
    clock += 1
    entries[lastID] = Entry(
      address: address, since: clock, deadline: now + limits.headTime)
    countByAddress[address.network, default: 0] += 1
    var ending: [ID] = []
    if isCounted(address),
      countByAddress[address.network, default: 0] > limits.connectionsPerAddress,
      let other = leastDeserving(besides: lastID, of: address.network)
    {
      ending.append(end(other))
    }
    if entries.count(where: { !$1.isEnding }) > limits.connections,
      let other = leastDeserving(besides: lastID)
    {
      ending.append(end(other))
    }
    return (lastID, ending)
  }

  private func isCounted(_ address: ClientAddress) -> Bool {
    countsAddresses && address != .local
  }

  /// The process can open no more files: one connection has to end.
  mutating func ranShort() -> ID? { leastDeserving(besides: nil).map { end($0) } }

  /// The head of a request has arrived; `client` is who has authenticated.
  mutating func requestBegan(_ id: ID, by client: ClientKey?, at now: Duration) {
    change(id) { entry, limits in
      entry.client = client
      entry.wasAuthenticated = entry.wasAuthenticated || client?.isAuthenticated == true
      entry.phase = .body
      entry.deadline = now + limits.bodyTime
    }
  }

  /// So much of a body has arrived since the last call.
  mutating func received(_ bytes: Int, on id: ID) {
    entries[id]?.deadline? += limits.time(.zero, for: bytes)
  }

  /// The server has to do something before it goes on; the client's time stands still.
  mutating func workBegan(_ id: ID, at now: Duration) {
    change(id) { entry, _ in
      entry.phase = .working
      entry.remaining = entry.deadline.map { max(.zero, $0 - now) }
      entry.deadline = nil
    }
  }

  /// The server takes more of the body, in what was left of the client's time.
  mutating func bodyContinues(_ id: ID, at now: Duration) {
    change(id) { entry, limits in
      entry.phase = .body
      entry.deadline = now + (entry.remaining ?? limits.bodyTime)
    }
  }

  /// The answer goes out; `bytes` is nil for a stream.
  mutating func answerBegan(_ id: ID, bytes: Int?, at now: Duration) {
    change(id) { entry, limits in
      entry.phase = bytes == nil ? .stream : .answer
      entry.deadline = now + limits.time(limits.answerTime, for: bytes ?? 0)
    }
  }

  /// A stream hands over so many bytes.
  mutating func streamSends(_ bytes: Int, on id: ID, at now: Duration) {
    if entries[id]?.phase == .quietStream {
      change(id) { entry, limits in
        entry.phase = .stream
        entry.deadline = now + limits.answerTime
      }
    }
    entries[id]?.deadline? += limits.time(.zero, for: bytes)
  }

  /// The client has taken all that its stream had.
  mutating func streamIsQuiet(_ id: ID) {
    change(id) { entry, _ in
      entry.phase = .quietStream
      entry.deadline = nil
    }
  }

  /// A request has been answered.
  mutating func requestEnded(_ id: ID, at now: Duration) {
    change(id) { entry, limits in
      entry.phase = .idle
      entry.client = nil
      entry.deadline = now + limits.keepAliveTime
    }
  }

  /// The connection is no more.
  mutating func closed(_ id: ID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    let left = countByAddress[entry.address.network, default: 1] - 1
    countByAddress[entry.address.network] = left > 0 ? left : nil
  }

  /// The connections whose time is over.
  mutating func expired(at now: Duration) -> [ID] {
    let late = entries.filter { _, entry in
      !entry.isEnding && entry.deadline.map { $0 <= now } == true
    }
    return late.keys.sorted().map { end($0) }
  }

  /// Whether a client is still taking its answer.
  var isAnswering: Bool { entries.contains { $1.phase == .answer && !$1.isEnding } }

  private mutating func change(
    _ id: ID, _ body: (inout Entry, IngestServer.Limits) -> Void
  ) {
    guard var entry = entries[id] else { return }
    clock += 1
    entry.since = clock
    body(&entry, limits)
    entries[id] = entry
  }

  private mutating func end(_ id: ID) -> ID {
    entries[id]?.isEnding = true
    return id
  }
}

// MARK: - Who goes first

extension ConnectionTable {
  /// The connection that ends when there are too many.
  ///
  /// First those without an authenticated request, then those that wait, then those that are slow;
  /// of equals one of the address, or of the user, that has most of them, and of these the oldest.
  /// What the server works on stays, since it cannot be told to end, and so do streams.
  private func leastDeserving(besides id: ID?, of network: String? = nil) -> ID? {
    var lowest = Int.max
    var equals: [(id: ID, owner: Owner, age: UInt64)] = []
    for (candidate, entry) in entries where candidate != id && !entry.isEnding {
      guard network == nil || entry.address.network == network, let rank = entry.rank,
        rank <= lowest
      else { continue }
      if rank < lowest { equals = [] }
      lowest = rank
      // What has not authenticated does not become younger by what it asks for.
      equals.append((candidate, owner(entry), rank == 0 ? candidate : entry.since))
    }
    var counts: [Owner: Int] = [:]
    for equal in equals { counts[equal.owner, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    return equals.filter { counts[$0.owner] == most }.min { $0.age < $1.age }?.id
  }

  private enum Owner: Hashable {
    case client(ClientKey)
    case network(String)
    case everybody
  }

  private func owner(_ entry: Entry) -> Owner {
    if let client = entry.client, client.isAuthenticated { return .client(client) }
    return countsAddresses ? .network(entry.address.network) : .everybody
  }
}

extension ConnectionTable.Entry {
  /// How little a connection deserves to stay: the lowest goes first; nil where it cannot go.
  fileprivate var rank: Int? {
    switch phase {
    case .working, .quietStream, .stream: nil
    case .idle: wasAuthenticated ? 1 : 0
    case _ where client?.isAuthenticated != true: 0
    case .head, .body: 2
    case .answer: 3
    }
  }
}
