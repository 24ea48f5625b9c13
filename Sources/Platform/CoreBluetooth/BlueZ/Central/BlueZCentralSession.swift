// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// The central role over bluetoothd for one manager.
final class BlueZCentralSession: CentralSession, @unchecked Sendable {
  private let host: BlueZHost
  private let eventHandler: EventHandler<CentralEvent>
  private let restoration: RestorationFile<CentralRestoration>?

  /// The running scan; nil when there is none.
  private(set) var scan: ScanRequest?
  /// What each peer advertised when it was reported last in this scan.
  private var reported: [PeerIdentifier: RadioAdvertisement] = [:]
  private var watch: (services: [BluetoothUUID]?, peers: [PeerIdentifier]?)?
  private var requests: [RequestNumber: PeerRequest] = [:]

  init(
    _ host: BlueZHost, queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (CentralEvent) -> Void
  ) {
    self.host = host
    eventHandler = EventHandler(queue: queue, handler: handler)
    restoration = identifier.map {
      RestorationFile(host.files, "central-" + BlueZFiles.fileName(for: $0), empty: .init())
    }
  }

  func open() {
    host.start()
    host.queue.async { [self] in
      host.centrals.append(self)
      if host.state != .unknown { stateChanged(host.state) }
    }
  }

  func send(_ event: CentralEvent) {
    note(event)
    eventHandler.send(event)
  }

  // MARK: - Restoration

  /// Restores the state of an earlier process: links outlive it, since bluetoothd keeps them.
  private func restore() {
    guard let restoration, var kept = restoration.take(), !kept.isEmpty else { return }
    // Without a powered adapter, the state event that follows ends everything.
    let isOn = host.state == .poweredOn
    for wanted in kept.peers where !isOn || !host.links.restore(wanted, for: self) {
      kept.loseConnection(to: wanted.peer.identifier)
    }
    restoration.value = kept
    eventHandler.send(.restored(kept))
    scan = isOn ? kept.scan : nil
    host.discovery.update()
  }

  private func note(_ event: CentralEvent) {
    guard let restoration else { return }
    restoration.value.record(event)
    guard case .answered(let number, let peer, let result) = event,
      let request = requests.removeValue(forKey: number), case .success(let answer) = result
    else { return }
    restoration.value.record(answer, to: request, of: peer)
  }

  // MARK: - Events of the host

  private var hasReportedState = false

  func stateChanged(_ state: CBManagerState) {
    if state != .poweredOn {
      scan = nil
      reported = [:]
      requests = [:]
    }
    if !hasReportedState { restore() }
    hasReportedState = true
    send(.stateChanged(state))
  }

  // MARK: - Scanning

  func startScan(_ scan: ScanRequest) {
    host.queue.async { [self] in
      guard host.state == .poweredOn else { return }
      self.scan = scan
      restoration?.value.scan = scan
      reported = [:]
      host.discovery.restart()
    }
  }

  func stopScan() {
    host.queue.async { [self] in
      scan = nil
      restoration?.value.scan = nil
      host.discovery.update()
    }
  }

  /// Reports a device if it matches the scan.
  func receiveAdvertisement(
    of peer: PeerIdentifier, _ advertisement: RadioAdvertisement, rssi: Int
  ) {
    guard let scan, scan.matches(advertisement),
      scan.allowsDuplicates || reported[peer] != advertisement
    else { return }
    // Limits the table, which an attacker could make grow; peers may be reported a second time.
    if reported.count >= BlueZPeers.capacity { reported = [:] }
    reported[peer] = advertisement
    send(.discovered(host.radioPeer(peer), advertisement, rssi: rssi))
  }

  // MARK: - Connecting

  func connect(_ peer: PeerIdentifier, options: ConnectRequest) {
    host.queue.async { [self] in
      guard host.state == .poweredOn else { return }
      guard let known = host.knownPeer(peer) else {
        return send(.connectFailed(peer, .system(.unknownDevice)))
      }
      restoration?.value.connect(known, options: options)
      host.links[peer].connect(self, options)
    }
  }

  func confirmConnection(to peer: PeerIdentifier) {
    host.queue.async { [self] in host.links[peer].confirm(to: self) }
  }

  func disconnect(_ peer: PeerIdentifier) {
    host.queue.async { [self] in
      restoration?.value.disconnect(peer)
      host.links[peer].disconnect(self)
    }
  }

  // MARK: - Peers

  func knownPeers(_ peers: [PeerIdentifier]) -> [RadioPeer] {
    host.queue.sync { peers.compactMap(host.knownPeer) }
  }

  func connectedPeers(services: [BluetoothUUID]) -> [RadioPeer] {
    host.queue.sync {
      host.devices.filter { $0.isConnected && !Set(services).isDisjoint(with: $0.services) }
        .compactMap { host.peers?.identifier(of: $0).map(host.radioPeer) }
    }
  }

  func watchConnections(services: [BluetoothUUID]?, peers: [PeerIdentifier]?) {
    host.queue.async { [self] in
      watch = services == nil && peers == nil ? nil : (services, peers)
    }
  }

  func report(_ change: CBConnectionEvent, of peer: RadioPeer, services: [BluetoothUUID]) {
    guard let watch else { return }
    let isWanted =
      watch.peers?.contains(peer.identifier) ?? false
      || watch.services.map { !Set($0).isDisjoint(with: services) } ?? false
    if isWanted { send(.connectionWatched(peer, change)) }
  }

  // MARK: - Requests

  func perform(_ request: PeerRequest, on peer: PeerIdentifier, number: RequestNumber) {
    host.queue.async { [self] in
      if restoration != nil { requests[number] = request }
      host.links[peer].perform(request, number: number, for: self)
    }
  }

  // MARK: - The end

  func close() {
    eventHandler.close()
    host.queue.async { [self] in
      scan = nil
      watch = nil
      restoration?.remove()
      host.centrals.removeAll { $0 === self }
      host.discovery.update()
      host.links.leave(self)
    }
  }
}
