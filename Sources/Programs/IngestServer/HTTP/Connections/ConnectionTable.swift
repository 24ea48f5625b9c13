// SPDX-License-Identifier: Apache-2.0

/// All connections of the server with their phases and deadlines; decides which ones to close.
///
/// It does no I/O and has no clock: times are relative to the server's start.
struct ConnectionTable {
  typealias ID = UInt64

  /// The phase of a connection.
  enum Phase: Hashable, Sendable {
    /// The header of the first request is arriving.
    case head
    /// A request was answered; the header of the next one may arrive.
    case idle
    /// The body of a request is arriving.
    case body
    /// The server is working on a request.
    case working
    /// The client is reading the response.
    case answer
    /// A stream has nothing to send; there is no deadline.
    case idleStream
    /// The client is reading data from a stream.
    case stream
  }

  fileprivate struct Entry {
    let address: ClientAddress
    /// The logical time at which its phase began.
    var since: UInt64
    var phase = Phase.head
    var deadline: Duration?
    /// The client's remaining time when the server began to work.
    var remaining: Duration?
    /// The client of its request.
    var client: ClientKey?
    /// Whether any of its requests had a valid token.
    var wasAuthenticated = false
    var isEnding = false
  }

  private let limits: IngestServer.Limits
  /// False behind a proxy, where all connections have the proxy's address.
  private let countsAddresses: Bool
  private var entries: [ID: Entry] = [:]
  private var lastID: ID = 0
  private var clock: UInt64 = 0
  private var countByAddress: [String: Int] = [:]

  init(_ limits: IngestServer.Limits, countsAddresses: Bool = true) {
    self.limits = limits
    self.countsAddresses = countsAddresses
  }

  /// The number of connections, including those about to end.
  var count: Int { entries.count }
  /// Whether more may be accepted before those that are being closed have ended.
  var hasRoom: Bool { entries.count < limits.connections + Self.overlap }
  /// How many connections may briefly exceed the limit until others have ended.
  static let overlap = 16

  /// Adds the connection of a client.
  ///
  /// - Returns: Its number, and the connections that must be closed for it.
  mutating func accepted(_ address: ClientAddress, at now: Duration) -> (id: ID, ending: [ID]) {
    lastID += 1
    clock += 1
    entries[lastID] = Entry(
      address: address, since: clock, deadline: now + limits.headTime)
    countByAddress[address.network, default: 0] += 1
    var ending: [ID] = []
    if isCounted(address),
      countByAddress[address.network, default: 0] > limits.connectionsPerAddress,
      let other = lowestPriority(besides: lastID, of: address.network)
    {
      ending.append(end(other))
    }
    if entries.count(where: { !$1.isEnding }) > limits.connections,
      let other = lowestPriority(besides: lastID)
    {
      ending.append(end(other))
    }
    return (lastID, ending)
  }

  private func isCounted(_ address: ClientAddress) -> Bool {
    countsAddresses && address != .local
  }

  /// Chooses a connection to close because the process cannot open more files.
  mutating func outOfDescriptors() -> ID? { lowestPriority(besides: nil).map { end($0) } }

  /// The header of a request has arrived; `client` is the admitted client.
  mutating func requestBegan(_ id: ID, by client: ClientKey?, at now: Duration) {
    change(id) { entry, limits in
      entry.client = client
      entry.wasAuthenticated = entry.wasAuthenticated || client?.isAuthenticated == true
      entry.phase = .body
      entry.deadline = now + limits.bodyTime
    }
  }

  /// A number of bytes of a body has arrived since the last call.
  mutating func received(_ bytes: Int, on id: ID) {
    entries[id]?.deadline? += limits.time(.zero, for: bytes)
  }

  /// The server starts to work; the client's time is paused.
  mutating func workBegan(_ id: ID, at now: Duration) {
    change(id) { entry, _ in
      entry.phase = .working
      entry.remaining = entry.deadline.map { max(.zero, $0 - now) }
      entry.deadline = nil
    }
  }

  /// The server accepts more of the body, within the client's remaining time.
  mutating func bodyContinues(_ id: ID, at now: Duration) {
    change(id) { entry, limits in
      entry.phase = .body
      entry.deadline = now + (entry.remaining ?? limits.bodyTime)
    }
  }

  /// The response is being sent; `bytes` is nil for a stream.
  mutating func answerBegan(_ id: ID, bytes: Int?, at now: Duration) {
    change(id) { entry, limits in
      entry.phase = bytes == nil ? .stream : .answer
      entry.deadline = now + limits.time(limits.answerTime, for: bytes ?? 0)
    }
  }

  /// A stream sends a number of bytes.
  mutating func streamSends(_ bytes: Int, on id: ID, at now: Duration) {
    if entries[id]?.phase == .idleStream {
      change(id) { entry, limits in
        entry.phase = .stream
        entry.deadline = now + limits.answerTime
      }
    }
    entries[id]?.deadline? += limits.time(.zero, for: bytes)
  }

  /// The client has read all available data of its stream.
  mutating func streamIsIdle(_ id: ID) {
    change(id) { entry, _ in
      entry.phase = .idleStream
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

  /// Removes a closed connection.
  mutating func closed(_ id: ID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    let left = countByAddress[entry.address.network, default: 1] - 1
    countByAddress[entry.address.network] = left > 0 ? left : nil
  }

  /// The connections that exceed their deadlines.
  mutating func expired(at now: Duration) -> [ID] {
    let late = entries.filter { _, entry in
      !entry.isEnding && entry.deadline.map { $0 <= now } == true
    }
    return late.keys.sorted().map { end($0) }
  }

  /// Whether a client is still reading its response.
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

// MARK: - Priorities

extension ConnectionTable {
  /// The connection to close when there are too many.
  ///
  /// Connections without an authenticated request go first, then idle ones, then slow ones. Among
  /// equals it is the oldest one of the address or user with the most of them. Requests that the
  /// server is working on stay, since they cannot be interrupted, and so do streams.
  private func lowestPriority(besides id: ID?, of network: String? = nil) -> ID? {
    var lowest = Int.max
    var equals: [(id: ID, owner: Owner, age: UInt64)] = []
    for (candidate, entry) in entries where candidate != id && !entry.isEnding {
      guard network == nil || entry.address.network == network, let rank = entry.rank,
        rank <= lowest
      else { continue }
      if rank < lowest { equals = [] }
      lowest = rank
      // The requests of an unauthenticated connection do not make it younger.
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
    case allClients
  }

  private func owner(_ entry: Entry) -> Owner {
    if let client = entry.client, client.isAuthenticated { return .client(client) }
    return countsAddresses ? .network(entry.address.network) : .allClients
  }
}

extension ConnectionTable.Entry {
  /// The priority of a connection: the lowest is closed first; nil if it cannot be closed.
  fileprivate var rank: Int? {
    switch phase {
    case .working, .idleStream, .stream: nil
    case .idle: wasAuthenticated ? 1 : 0
    case _ where client?.isAuthenticated != true: 0
    case .head, .body: 2
    case .answer: 3
    }
  }
}
