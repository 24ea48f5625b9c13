// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// The central role of a host for one manager.
final class CentralRole: CentralSession, @unchecked Sendable {
  let host: HostCore
  private let air: SimulatedAir
  private let mailbox: Mailbox
  private let receiver: Receiver<CentralEvent>

  private var scan: ScanRequest? { didSet { updateListening() } }
  /// What each peer advertised when it was reported last in this scan.
  private var reported: [PeerIdentifier: Int] = [:]
  /// Whether what a host advertises passes the filter of this scan.
  private var verdicts: [Int: (version: Int, isMatch: Bool)] = [:]
  /// Peers to be connected to.
  private var pending: [PeerIdentifier: Pending] = [:] { didSet { updateListening() } }
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
    receiver = Receiver(handler)
  }

  private var ether: Ether { host.ether }

  private func locked(_ body: () -> Void) {
    ether.locked { if receiver.isOpen { body() } }
  }

  /// Calls the manager's handler on its queue.
  func send(_ event: CentralEvent) {
    ether.deliver(to: mailbox) { [receiver] in receiver(event) }
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
    wantsConnection(to: advertiser) || wantsReport(of: advertiser)
  }

  private func wantsConnection(to advertiser: Advertiser) -> Bool {
    guard !pending.isEmpty, advertiser.content.isConnectable,
      case .listening = pending[host.identifier(of: advertiser.host)]
    else { return false }
    return true
  }

  private func wantsReport(of advertiser: Advertiser) -> Bool {
    guard let scan else { return false }
    let version = advertiser.version
    if !scan.allowsDuplicates, reported[host.identifier(of: advertiser.host)] == version {
      return false
    }
    let index = advertiser.host.index
    if let verdict = verdicts[index], verdict.version == version { return verdict.isMatch }
    let isMatch = scan.matches(advertiser.content)
    verdicts[index] = (version, isMatch)
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
      let content = advertiser.content
      let identifier = host.identifier(of: advertiser.host)
      reported[identifier] = advertiser.version
      let peer = host.peer(identifier, advertisedName: content.localName)
      send(.discovered(peer, content, rssi: host.measuresSignal ? rssi : 127))
    }
    if wantsConnection(to: advertiser) { establish(advertiser.host) }
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
          self?.listen(for: peer, other)
        }
        pending[peer] = .delayed(appointment)
      } else {
        listen(for: peer, other)
      }
    }
  }

  private func listen(for peer: PeerIdentifier, _ other: HostCore) {
    if let link = host.outgoing.first(where: { $0.peerIdentifier == peer }) {
      pending[peer] = nil
      return link.join(self)
    }
    pending[peer] = .listening
    other.advertisers.forEach { $0.wake() }
  }

  private func establish(_ other: HostCore) {
    let peer = host.identifier(of: other)
    let appointment = ether.after(other.link.setupTime.nanoseconds) { [weak self] in
      self?.finishConnecting(to: peer, other)
    }
    pending[peer] = .establishing(appointment)
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
    Link(central: host, peripheral: other, isEncrypted: bond != nil).open(for: self)
  }

  private func fail(_ peer: PeerIdentifier, _ code: CBError.Code) {
    pending[peer] = nil
    send(.connectFailed(peer, .system(code)))
  }

  /// Joins a link that somebody else on this host has opened, if that was wanted.
  func linkOpened(_ link: Link) {
    guard let wish = pending[link.peerIdentifier] else { return }
    if case .delayed = wish { return }
    wish.appointment?.cancel()
    pending[link.peerIdentifier] = nil
    link.join(self)
  }

  func disconnect(_ peer: PeerIdentifier) {
    locked {
      if let wish = pending.removeValue(forKey: peer) {
        wish.appointment?.cancel()
        send(.disconnected(peer, nil))
      } else {
        link(to: peer)?.requestLeave(self)
      }
    }
  }

  /// The peers that are waited for, or are being connected to.
  var wishes: [PeerIdentifier] { pending.keys.sorted { $0.uuidString < $1.uuidString } }

  private func link(to peer: PeerIdentifier) -> Link? {
    host.outgoing.first { $0.peerIdentifier == peer && $0.has(self) }
  }

  // MARK: - Peers

  func knownPeers(_ peers: [PeerIdentifier]) -> [RadioPeer] {
    ether.locked { peers.filter { host.host($0) != nil }.map { host.peer($0) } }
  }

  func connectedPeers(services: [BluetoothUUID]) -> [RadioPeer] {
    ether.locked {
      host.outgoing.filter { $0.peripheral.server.table.has(anyOf: services) }.map(\.peer)
    }
  }

  func watchConnections(services: [BluetoothUUID]?, peers: [PeerIdentifier]?) {
    locked { watch = services == nil && peers == nil ? nil : (services, peers) }
  }

  func report(_ change: CBConnectionEvent, of link: Link) {
    guard let watch else { return }
    let isWanted =
      watch.peers?.contains(link.peerIdentifier) ?? false
      || watch.services.map(link.peripheral.server.table.has(anyOf:)) ?? false
    if isWanted { send(.connectionWatched(link.peer, change)) }
  }

  // MARK: - Requests

  func perform(_ request: PeerRequest, on peer: PeerIdentifier, number: RequestNumber) {
    locked {
      guard let link = link(to: peer) else { return }
      link.enqueue(Link.Order(session: self, number: number, request: request))
    }
  }

  func answer(_ number: RequestNumber, _ link: Link, _ result: Result<PeerAnswer, RadioError>) {
    send(.answered(number, link.peerIdentifier, result))
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
      receiver.close()
      for link in host.outgoing { link.leave(self) }
      host.centrals.removeAll { $0 === self }
    }
  }
}
