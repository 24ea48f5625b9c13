// SPDX-License-Identifier: Apache-2.0

/// A central session with everything that it was told and that it reported.
final class CentralSide: Sendable {
  enum Line: Sendable {
    case connect(PeerIdentifier)
    case confirm(PeerIdentifier)
    case perform(RequestNumber)
    case close
    case event(CentralEvent)
  }

  private let journal: Journal<Line>
  let session: any CentralSession

  init(
    _ radio: any Radio, label: String = "conformance central", restoring identifier: String? = nil
  ) {
    let journal = Journal<Line>(label: label)
    self.journal = journal
    session = radio.openCentral(queue: journal.queue, restoring: identifier) {
      journal.receive(.event($0))
    }
  }

  var events: [CentralEvent] {
    journal.lines.compactMap { if case .event(let event) = $0 { event } else { nil } }
  }

  func count(_ condition: (CentralEvent) -> Bool) -> Int { events.filter(condition).count }

  // MARK: - Commands

  func connect(_ peer: PeerIdentifier) {
    journal.write(.connect(peer))
    session.connect(peer, options: ConnectRequest())
  }

  /// Asks whether there still is a connection.
  func confirm(_ peer: PeerIdentifier) {
    journal.write(.confirm(peer))
    session.confirmConnection(to: peer)
  }

  /// Asks, and gives the number under which the answer comes.
  func perform(_ request: PeerRequest, on peer: PeerIdentifier) -> RequestNumber {
    let number = RequestNumber(journal.lines.count + 1)
    journal.write(.perform(number))
    session.perform(request, on: peer, number: number)
    return number
  }

  func close() {
    journal.hold {
      session.close()
      journal.write(.close)
    }
  }

  /// Ends the process of the session, which hears nothing from then on.
  func endProcess(_ end: () -> any Radio) -> any Radio {
    journal.hold {
      defer { journal.write(.close) }
      return end()
    }
  }

  /// Runs a closure on the session's queue while no event can come.
  func withEventsHeld(_ body: () -> Void) {
    journal.hold(body)
  }

  // MARK: - What was reported

  var isOn: Bool { state == .poweredOn }

  var state: CBManagerState? {
    events.compactMap { if case .stateChanged(let state) = $0 { state } else { nil } }.last
  }

  var discoveries: [(peer: RadioPeer, advertisement: RadioAdvertisement, rssi: Int)] {
    events.compactMap {
      if case .discovered(let peer, let content, let rssi) = $0 {
        (peer, content, rssi)
      } else {
        nil
      }
    }
  }

  var connections: [PeerIdentifier] {
    events.compactMap { if case .connected(let peer, _) = $0 { peer.identifier } else { nil } }
  }

  var ends: [RadioError?] {
    events.compactMap {
      if case .disconnected(_, let error) = $0 { .some(error) } else { nil }
    }
  }

  /// The beginnings and ends of links and of connections over them, in order.
  var courseOfLinks: [String] {
    events.compactMap { event in
      switch event {
      case .connectionWatched(_, .peerConnected): "link"
      case .connectionWatched(_, .peerDisconnected): "end of link"
      case .connected: "connection"
      case .disconnected: "end of connection"
      default: nil
      }
    }
  }

  /// What the radio had kept, if anything.
  var restored: CentralRestoration? {
    for case .restored(let kept) in events { return kept }
    return nil
  }

  func channel(of number: RequestNumber) -> (any RadioChannel)? {
    for case .answered(number, _, .success(.channel(let channel))) in events { return channel }
    return nil
  }

  func answer(to number: RequestNumber) -> Result<Reply, RadioError>? {
    for case .answered(number, _, let result) in events { return result.map(Reply.init) }
    return nil
  }

  func values(of handle: AttributeHandle) -> [Data] {
    events.compactMap {
      if case .valueChanged(_, handle, let value) = $0 { value } else { nil }
    }
  }

  // MARK: - What holds for every session

  var complaints: [String] {
    var grammar = SessionGrammar()
    for line in journal.lines { grammar.read(line) }
    return journal.complaints + grammar.complaints
  }
}

/// What may come after what: the state first, one end for each connect, nothing after the end.
private struct SessionGrammar {
  private enum Phase { case pending, up }

  private(set) var complaints: [String] = []
  private var phases: [PeerIdentifier: Phase] = [:]
  /// How often a connection may be reported again.
  private var confirmations: [PeerIdentifier: Int] = [:]
  private var open: Set<RequestNumber> = []
  private var hasState = false
  private var hasEvent = false
  private var isClosed = false

  mutating func read(_ line: CentralSide.Line) {
    switch line {
    case .connect(let peer): phases[peer] = phases[peer] ?? .pending
    case .confirm(let peer): confirmations[peer, default: 0] += 1
    case .perform(let number): open.insert(number)
    case .close: isClosed = true
    case .event(let event): read(event)
    }
  }

  private mutating func read(_ event: CentralEvent) {
    if isClosed { complaints.append("an event came after the session was closed") }
    if case .restored(let kept) = event { return restore(kept) }
    hasEvent = true
    switch event {
    case .stateChanged(let state):
      hasState = true
      if state != .poweredOn { phases = [:] }
    case .connected(let peer, _):
      if phases[peer.identifier] == .up, confirmations[peer.identifier, default: 0] > 0 {
        confirmations[peer.identifier, default: 0] -= 1
      } else {
        require(phases[peer.identifier] == .pending, "connected without a pending connect")
      }
      phases[peer.identifier] = .up
    case .connectFailed(let peer, _):
      require(phases.removeValue(forKey: peer) == .pending, "failed without a pending connect")
    case .disconnected(let peer, _):
      require(phases.removeValue(forKey: peer) != nil, "an end without a connection")
    case .answered(let number, let peer, _):
      require(open.remove(number) != nil, "an answer that nobody waits for")
      require(phases[peer] == .up, "an answer of a peer without a connection")
    case .valueChanged(let peer, _, _), .servicesChanged(let peer, _), .nameChanged(let peer, _),
      .maximumWriteChanged(let peer, _):
      require(phases[peer] == .up, "an event of a peer without a connection")
    case .discovered, .connectionWatched, .restored:
      break
    }
    require(hasState, "an event came before the first state")
  }

  private mutating func restore(_ kept: CentralRestoration) {
    require(!hasEvent, "what was kept came after something else")
    hasEvent = true
    for wanted in kept.peers {
      phases[wanted.peer.identifier] = wanted.maximumWrite == nil ? .pending : .up
    }
  }

  private mutating func require(_ holds: Bool, _ complaint: String) {
    if !holds { complaints.append(complaint) }
  }
}
