// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// The central role of a host for one manager.
final class CentralRole: CentralSession, @unchecked Sendable {
  let host: HostCore
  private let air: SimulatedAir
  private let mailbox: Mailbox
  private var handler: (@Sendable (CentralEvent) -> Void)?

  private var scan: ScanRequest? { didSet { updateListening() } }
  /// What each host, by its index, advertised when it was reported last in this scan.
  private var reported: [Int: Int] = [:]
  /// Whether what a host advertises passes the filter of this scan.
  private var verdicts: [Int: (version: Int, isMatch: Bool)] = [:]
  /// Hosts to be connected to, by index.
  private var pending: [Int: Pending] = [:] { didSet { updateListening() } }
  private var watch: (services: [BluetoothUUID]?, peers: [PeerIdentifier]?)?

  private enum Pending {
    case delayed(Appointment)
    case listening
    case establishing(Appointment)

    var appointment: Appointment? {
      switch self {
      case .delayed(let appointment), .establishing(let appointment): appointment
      case .listening: nil
      }
    }
  }

  init(
    air: SimulatedAir, host: HostCore, mailbox: Mailbox,
    handler: @escaping @Sendable (CentralEvent) -> Void
  ) {
    self.air = air
    self.host = host
    self.mailbox = mailbox
    self.handler = handler
  }

  private var ether: Ether { host.ether }

  private func locked(_ body: () -> Void) {
    ether.locked { if handler != nil { body() } }
  }

  /// Calls the manager's handler on its queue.
  func send(_ event: CentralEvent) {
    guard let handler else { return }
    ether.deliver(to: mailbox) { handler(event) }
  }

  // MARK: - Scanning

  func startScan(_ scan: ScanRequest) {
    locked {
      guard host.state == .poweredOn else { return }
      host.scansStarted += 1
      self.scan = scan
      reported = [:]
      verdicts = [:]
      ether.wakeAdvertisers()
    }
  }

  func stopScan() {
    locked { scan = nil }
  }

  /// Whether one more packet would be of use.
  func listens(to advertiser: Advertiser) -> Bool {
    if case .listening = pending[advertiser.host.index] { return advertiser.content.isConnectable }
    return wantsReport(of: advertiser)
  }

  private func wantsReport(of advertiser: Advertiser) -> Bool {
    guard let scan else { return false }
    let (host, version) = (advertiser.host.index, advertiser.version)
    if !scan.allowsDuplicates, reported[host] == version { return false }
    if let verdict = verdicts[host], verdict.version == version { return verdict.isMatch }
    let isMatch = scan.matches(advertiser.content)
    verdicts[host] = (version, isMatch)
    return isMatch
  }

  private func updateListening() {
    let isListening = scan != nil || !pending.isEmpty
    guard isListening != ether.listeners.contains(where: { $0 === self }) else { return }
    if isListening {
      ether.listeners.append(self)
    } else {
      ether.listeners.removeAll { $0 === self }
    }
  }

  func hear(_ advertiser: Advertiser, rssi: Int) {
    if wantsReport(of: advertiser) {
      reported[advertiser.host.index] = advertiser.version
      let content = advertiser.content
      let peer = host.peer(advertiser.host, advertisedName: content.localName)
      send(.discovered(peer, content, rssi: rssi))
    }
    if case .listening = pending[advertiser.host.index], advertiser.content.isConnectable {
      establish(advertiser.host)
    }
  }

  // MARK: - Connecting

  func connect(_ peer: PeerIdentifier, options: ConnectRequest) {
    locked {
      guard host.state == .poweredOn else { return }
      guard let other = host.host(peer) else {
        return send(.connectFailed(peer, .system(.unknownDevice)))
      }
      if options.delay > .zero {
        let appointment = ether.after(options.delay.nanoseconds) { [weak self] in
          self?.listen(for: other)
        }
        pending[other.index] = .delayed(appointment)
      } else {
        listen(for: other)
      }
    }
  }

  private func listen(for other: HostCore) {
    if let link = host.outgoing.first(where: { $0.peripheral === other }) {
      pending[other.index] = nil
      return link.join(self)
    }
    pending[other.index] = .listening
    other.advertisers.forEach { $0.wake() }
  }

  private func establish(_ other: HostCore) {
    let appointment = ether.after(other.link.setupTime.nanoseconds) { [weak self] in
      self?.finishConnecting(to: other)
    }
    pending[other.index] = .establishing(appointment)
  }

  private func finishConnecting(to other: HostCore) {
    guard host.outgoing.count < host.maximumLinks else {
      return fail(other, .connectionLimitReached)
    }
    guard other.mayAdvertise, !other.advertisers.isEmpty, host.isInRange(other)
    else { return listen(for: other) }
    let key = host.bonds[other.index]
    if let key, other.bonds[host.index] != key {
      return fail(other, .peerRemovedPairingInformation)
    }
    pending[other.index] = nil
    Link(central: host, peripheral: other, isEncrypted: key != nil).open(for: self)
  }

  private func fail(_ other: HostCore, _ code: CBError.Code) {
    pending[other.index] = nil
    send(.connectFailed(host.identifier(of: other), .system(code)))
  }

  /// Joins a link that somebody else on this host has opened, if that was wanted.
  func linkOpened(_ link: Link) {
    guard let wish = pending[link.peripheral.index] else { return }
    if case .delayed = wish { return }
    wish.appointment?.cancel()
    pending[link.peripheral.index] = nil
    link.join(self)
  }

  func disconnect(_ peer: PeerIdentifier) {
    locked {
      guard let other = host.host(peer) else { return }
      if let wish = pending.removeValue(forKey: other.index) {
        wish.appointment?.cancel()
        send(.disconnected(peer, nil))
      } else if let link = link(to: other) {
        link.requestLeave(self)
      }
    }
  }

  /// The hosts that are waited for, or are being connected to.
  var wishes: [PeerIdentifier] {
    pending.keys.sorted().map { host.identifier(of: ether.hosts[$0]) }
  }

  private func link(to other: HostCore) -> Link? {
    host.outgoing.first { $0.peripheral === other && $0.has(self) }
  }

  // MARK: - Peers

  func knownPeers(_ peers: [PeerIdentifier]) -> [RadioPeer] {
    ether.locked { peers.compactMap { host.host($0).map { host.peer($0) } } }
  }

  func connectedPeers(services: [BluetoothUUID]) -> [RadioPeer] {
    ether.locked {
      host.outgoing.map(\.peripheral).filter { $0.server.has(anyOf: services) }
        .map { host.peer($0) }
    }
  }

  func watchConnections(services: [BluetoothUUID]?, peers: [PeerIdentifier]?) {
    locked { watch = services == nil && peers == nil ? nil : (services, peers) }
  }

  func report(_ change: CBConnectionEvent, of link: Link) {
    guard let watch else { return }
    let peer = host.peer(link.peripheral)
    let isWanted =
      watch.peers?.contains(peer.identifier) ?? false
      || watch.services.map(link.peripheral.server.has(anyOf:)) ?? false
    if isWanted { send(.connectionWatched(peer, change)) }
  }

  // MARK: - Requests

  func perform(_ request: PeerRequest, on peer: PeerIdentifier, number: RequestNumber) {
    locked {
      guard let other = host.host(peer), let link = link(to: other) else { return }
      link.enqueue(Link.Order(session: self, number: number, request: request))
    }
  }

  func answer(_ number: RequestNumber, _ link: Link, _ result: Result<PeerAnswer, RadioError>) {
    send(.answered(number, host.identifier(of: link.peripheral), result))
  }

  // MARK: - The end

  func powerLost() {
    scan = nil
    pending.values.forEach { $0.appointment?.cancel() }
    pending = [:]
  }

  func close() {
    locked {
      powerLost()
      handler = nil
      for link in host.outgoing { link.leave(self) }
      host.centrals.removeAll { $0 === self }
    }
  }
}
