// SPDX-License-Identifier: Apache-2.0

/// The central role of a host for one manager.
final class CentralRole: Role<CentralEvent>, CentralSession, @unchecked Sendable {
  var scan: ScanRequest? { didSet { updateListening() } }
  /// What each peer advertised when it was reported last in this scan.
  var reported: [PeerIdentifier: Int] = [:]
  /// Whether a host's advertisement matches this scan's filter, by the host's index.
  var filterResults: [Int: (version: Int, isMatch: Bool)] = [:]
  /// Peers to be connected to.
  var pending: [PeerIdentifier: Pending] = [:] { didSet { updateListening() } }
  private var watch: (services: [BluetoothUUID]?, peers: [PeerIdentifier]?)?

  /// What is kept for the restore identifier; nil without one.
  var restoration: CentralRestoration?
  /// The manager's requests whose answers have not been delivered.
  private var requests: [RequestKey: PeerRequest] = [:]
  var batch = DiscoveryBatch()

  private struct RequestKey: Hashable {
    let number: RequestNumber
    let peer: PeerIdentifier
  }

  enum Pending {
    case delayed(ScheduledEvent, until: Moment)
    case listening
    case establishing(ScheduledEvent)

    var event: ScheduledEvent? {
      switch self {
      case .delayed(let event, _), .establishing(let event): event
      case .listening: nil
      }
    }
  }

  init(host: HostCore, application: ApplicationCore, restoring identifier: String?) {
    super.init(host: host, application: application, restoring: identifier, mode: .central)
    if identifier != nil { restoration = CentralRestoration() }
  }

  override func wakes(_ event: CentralEvent) -> Bool {
    switch event {
    case .maximumWriteChanged: false
    case .answered(let number, let peer, _):
      // Free space for another write without response does not wake an application.
      if case .writeWithoutResponse = requests[RequestKey(number: number, peer: peer)] {
        false
      } else {
        true
      }
    default: true
    }
  }

  override func initialEvents() -> [CentralEvent] {
    let restored = restoration.flatMap { $0.isEmpty ? nil : CentralEvent.restored($0) }
    return [restored, .stateChanged(host.state)].compactMap(\.self)
  }

  override func note(_ event: CentralEvent) {
    restoration?.record(event)
    switch event {
    case .answered(let number, let peer, let result):
      let request = requests.removeValue(forKey: RequestKey(number: number, peer: peer))
      guard let request, case .success(let answer) = result else { return }
      restoration?.record(answer, to: request, of: peer)
    case .disconnected(let peer, _):
      requests = requests.filter { $0.key.peer != peer }
    case .stateChanged(let state):
      if state != .poweredOn { requests = [:] }
    default:
      break
    }
  }

  // MARK: - Scanning

  func startScan(_ scan: ScanRequest) {
    locked {
      guard host.state == .poweredOn else { return }
      host.scansStarted += 1
      self.scan = scan
      restoration?.scan = scan
      reported = [:]
      filterResults = [:]
      batch = DiscoveryBatch()
      environment.wakeAdvertisers()
    }
  }

  func stopScan() {
    locked {
      scan = nil
      restoration?.scan = nil
      batch = DiscoveryBatch()
    }
  }

  var isScanning: Bool { scan != nil }

  /// The scan as far as the application's state allows it.
  private var activeScan: ScanRequest? {
    guard var allowed = scan, application.state != .foreground else { return scan }
    guard application.isServed(for: .central), !allowed.services.isEmpty else { return nil }
    allowed.allowsDuplicates = false
    return allowed
  }

  /// Whether one more packet of the advertiser would change anything for this role.
  func listens(to advertiser: Advertiser) -> Bool {
    wantsConnection(to: advertiser) || wantsReport(of: advertiser)
  }

  private func wantsConnection(to advertiser: Advertiser) -> Bool {
    guard !pending.isEmpty, advertiser.content.isConnectable,
      case .listening = pending[host.identifier(of: advertiser.host)]
    else { return false }
    return true
  }

  private func wantsReport(of advertiser: Advertiser) -> Bool {
    guard let scan = activeScan else { return false }
    let version = advertiser.version
    if !scan.allowsDuplicates, reported[host.identifier(of: advertiser.host)] == version {
      return false
    }
    let index = advertiser.host.index
    if let result = filterResults[index], result.version == version { return result.isMatch }
    let isMatch = scan.matches(content(of: advertiser))
    filterResults[index] = (version, isMatch)
    return isMatch
  }

  /// Filters all advertisements again, after the host's handling of them has changed.
  func reapplyFilters() {
    filterResults = [:]
  }

  private func updateListening() {
    let isListening = scan != nil || !pending.isEmpty
    guard isListening != environment.listeners.contains(where: { $0 === self }) else { return }
    if isListening {
      environment.listeners.append(self)
    } else {
      environment.listeners.removeAll { $0 === self }
    }
  }

  /// An advertisement as this host reads it: with the overflow area only if it scans for services
  /// there.
  private func content(of advertiser: Advertiser) -> RadioAdvertisement {
    var content = advertiser.content
    guard !content.overflowServices.isEmpty else { return content }
    let isWanted = scan.map { !$0.services.isDisjoint(with: content.overflowServices) } ?? false
    if !host.readsOverflowArea || !isWanted { content.overflowServices = [] }
    return content
  }

  func receive(_ advertiser: Advertiser, rssi: Int) {
    if wantsReport(of: advertiser), host.scansNow {
      let identifier = host.identifier(of: advertiser.host)
      reported[identifier] = advertiser.version
      let content = content(of: advertiser)
      let peer = host.peer(identifier, advertisedName: content.localName)
      report(.discovered(peer, content, rssi: host.measuresSignal ? rssi : 127), of: identifier)
    }
    // A device that still holds an old link accepts no second one from the same central.
    if wantsConnection(to: advertiser),
      !host.outgoing.contains(where: { $0.peripheral === advertiser.host })
    {
      establish(advertiser.host)
    }
  }

  /// Reports a discovery; an application in the background receives discoveries in batches.
  private func report(_ discovery: CentralEvent, of peer: PeerIdentifier) {
    guard application.state == .background || application.state == .suspended else {
      return send(discovery)
    }
    let isFirst = batch.isEmpty
    batch.add(discovery, of: peer)
    guard isFirst else { return }
    environment.after(BackgroundScan.batchTime) { [weak self] in self?.reportBatch() }
  }

  private func reportBatch() {
    let discoveries = batch.events
    batch = DiscoveryBatch()
    discoveries.forEach(send)
  }

  // MARK: - Connecting

  func connect(_ peer: PeerIdentifier, options: ConnectRequest) {
    locked {
      guard host.state == .poweredOn else { return }
      guard let other = host.host(peer) else {
        return send(.connectFailed(peer, .system(.unknownDevice)))
      }
      restoration?.connect(host.peer(peer), options: options)
      connect(to: peer, other, at: environment.now + options.delay.nanoseconds)
    }
  }

  func connect(to peer: PeerIdentifier, _ other: HostCore, at moment: Moment) {
    guard moment > environment.now else { return listen(for: peer, other) }
    let event = environment.after(moment - environment.now) { [weak self] in
      self?.listen(for: peer, other)
    }
    pending[peer] = .delayed(event, until: moment)
  }

  func listen(for peer: PeerIdentifier, _ other: HostCore) {
    if let link = host.outgoing.first(where: { $0.peerIdentifier == peer && !$0.isAbandoned }) {
      pending[peer] = nil
      return link.join(self)
    }
    pending[peer] = .listening
    other.advertisers.forEach { $0.wake() }
  }

  private func establish(_ other: HostCore) {
    let peer = host.identifier(of: other)
    let event = environment.after(other.link.setupTime.nanoseconds) { [weak self] in
      self?.finishConnecting(to: peer, other)
    }
    pending[peer] = .establishing(event)
  }

  private func finishConnecting(to peer: PeerIdentifier, _ other: HostCore) {
    guard host.outgoing.count < host.maximumLinks else {
      return fail(peer, .connectionLimitReached)
    }
    guard other.mayAdvertise, !other.advertisers.isEmpty, host.isInRange(other),
      host.identifier(of: other) == peer
    else { return listen(for: peer, other) }
    let bond = host.bonds[other.index]
    if let bond, other.bonds[host.index]?.key != bond.key {
      return fail(peer, .peerRemovedPairingInformation)
    }
    pending[peer] = nil
    SimulatedLink(central: host, peripheral: other, isEncrypted: bond != nil).open(for: self)
  }

  private func fail(_ peer: PeerIdentifier, _ code: CBError.Code) {
    pending[peer] = nil
    send(.connectFailed(peer, .system(code)))
  }

  /// Joins a link that another application on this host has opened, if a connection is pending.
  func linkOpened(_ link: SimulatedLink) {
    guard let pendingConnection = pending[link.peerIdentifier] else { return }
    if case .delayed = pendingConnection { return }
    pendingConnection.event?.cancel()
    pending[link.peerIdentifier] = nil
    link.join(self)
  }

  func confirmConnection(to peer: PeerIdentifier) {
    locked { link(to: peer)?.join(self) }
  }

  func disconnect(_ peer: PeerIdentifier) {
    locked {
      restoration?.disconnect(peer)
      if let pendingConnection = pending.removeValue(forKey: peer) {
        pendingConnection.event?.cancel()
        send(.disconnected(peer, nil))
      } else {
        link(to: peer)?.requestLeave(self)
      }
    }
  }

  /// The peers with a pending connection, or that are being connected.
  var pendingPeers: [PeerIdentifier] { pending.keys.sorted { $0.uuidString < $1.uuidString } }

  private func link(to peer: PeerIdentifier) -> SimulatedLink? {
    host.outgoing.first { $0.peerIdentifier == peer && $0.has(self) }
  }

  // MARK: - Peers

  func knownPeers(_ peers: [PeerIdentifier]) -> [RadioPeer] {
    environment.locked { peers.filter { host.host($0) != nil }.map { host.peer($0) } }
  }

  func connectedPeers(services: [BluetoothUUID]) -> [RadioPeer] {
    environment.locked {
      host.outgoing.filter { $0.peripheral.server.table.has(anyOf: services) }.map(\.peer)
    }
  }

  func watchConnections(services: [BluetoothUUID]?, peers: [PeerIdentifier]?) {
    locked { watch = services == nil && peers == nil ? nil : (services, peers) }
  }

  func report(_ change: CBConnectionEvent, of link: SimulatedLink) {
    guard let watch, host.state == .poweredOn else { return }
    let isWanted =
      watch.peers?.contains(link.peerIdentifier) ?? false
      || watch.services.map(link.peripheral.server.table.has(anyOf:)) ?? false
    if isWanted { send(.connectionWatched(link.peer, change)) }
  }

  // MARK: - Requests

  func perform(_ request: PeerRequest, on peer: PeerIdentifier, number: RequestNumber) {
    locked {
      guard let link = link(to: peer) else { return }
      requests[RequestKey(number: number, peer: peer)] = request
      link.enqueue(SimulatedLink.QueuedRequest(session: self, number: number, request: request))
    }
  }

  func answer(
    _ number: RequestNumber, _ link: SimulatedLink, _ result: Result<PeerAnswer, RadioError>
  ) {
    send(.answered(number, link.peerIdentifier, result))
  }

  // MARK: - The end

  func powerLost() {
    scan = nil
    pending.values.forEach { $0.event?.cancel() }
    pending = [:]
    batch = DiscoveryBatch()
  }

  func close() {
    locked { finish() }
  }

  func finish() {
    powerLost()
    detach()
    for link in host.outgoing { link.leave(self) }
    host.centrals.removeAll { $0 === self }
  }
}
