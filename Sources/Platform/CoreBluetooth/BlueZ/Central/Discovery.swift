// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// The adapter's discovery: one for all scans of the process and all peers to be found.
///
/// bluetoothd merges the filters of all its clients, so each scan filters the results again.
final class Discovery {
  private unowned let host: BlueZHost
  private var searches: Set<PeerIdentifier> = []
  /// The filter last sent to bluetoothd; nil while it discovers nothing for this process.
  private var running: Filter?
  private var isBusy = false
  private var needsRestart = false
  /// Whether it is to be shown which devices are in sight (see ``StuckAdapter``).
  var isProving = false {
    didSet { if isProving != oldValue { update() } }
  }

  /// What bluetoothd looks for (BlueZ, doc/adapter-api.txt, SetDiscoveryFilter).
  private struct Filter: Equatable {
    var services: Set<BluetoothUUID> = []
    var allowsDuplicates = false

    var value: DBusValue {
      var fields: [String: DBusValue] = [
        "Transport": .string("le"), "DuplicateData": .boolean(allowsDuplicates),
      ]
      if !services.isEmpty { fields["UUIDs"] = .strings(services.map(\.full).sorted()) }
      return .properties(fields)
    }
  }

  init(host: BlueZHost) {
    self.host = host
  }

  // MARK: - Requests

  /// Searches for a peer that bluetoothd does not show.
  func search(for peer: PeerIdentifier) {
    if searches.insert(peer).inserted { update() }
  }

  func endSearch(for peer: PeerIdentifier) {
    if searches.remove(peer) != nil { update() }
  }

  /// Restarts the discovery, so that all advertisers are reported again.
  func restart() {
    needsRestart = running != nil
    update()
  }

  func update() {
    guard host.state == .poweredOn, !isBusy else { return }
    let wanted = self.wanted
    if needsRestart || (running != nil && wanted == nil) {
      needsRestart = false
      stop()
    } else if let wanted, wanted != running {
      start(wanted)
    }
  }

  private var wanted: Filter? {
    let scans = host.centrals.compactMap(\.scan)
    guard !scans.isEmpty || !searches.isEmpty || isProving else { return nil }
    var filter = Filter()
    filter.allowsDuplicates = isProving || scans.contains(where: \.allowsDuplicates)
    // A scan for everything, or for solicited services, needs all advertisements.
    let isSelective =
      searches.isEmpty && !isProving
      && scans.allSatisfy { !$0.services.isEmpty && $0.solicited.isEmpty }
    if isSelective { filter.services = scans.reduce(into: []) { $0.formUnion($1.services) } }
    return filter
  }

  func stateChanged() {
    guard host.state != .poweredOn else { return update() }
    running = nil
    isBusy = false
    needsRestart = false
    searches = []
  }

  // MARK: - bluetoothd

  private func start(_ filter: Filter) {
    isBusy = true
    let isRunning = running != nil
    call("SetDiscoveryFilter", filter.value) { [self] result in
      if case .failure = result { return failed() }
      running = filter
      if isRunning { return finish() }
      call("StartDiscovery") { [self] result in
        if case .failure = result { return failed() }
        // Devices that another program's discovery has found may not be signalled again.
        for device in host.devices { receiveAdvertisement(device.path) }
        finish()
      }
    }
  }

  private func stop(thenWait pause: Duration = .zero) {
    isBusy = true
    // bluetoothd may answer InProgress or NotReady although it has stopped.
    call("StopDiscovery") { [self] _ in
      running = nil
      guard pause > .zero else { return finish() }
      host.after(pause) { [weak self] in self?.finish() }
    }
  }

  private func finish() {
    isBusy = false
    update()
  }

  /// Tries again soon.
  ///
  /// The kernel continues the discovery of a killed bluetoothd for ten seconds, and meanwhile
  /// refuses a new one as in progress. bluetoothd answers the same for a discovery that already
  /// runs for this process, which is therefore ended first.
  private func failed() {
    stop(thenWait: .seconds(1))
  }

  private func call(
    _ member: String, _ arguments: DBusValue...,
    reply: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    guard let connection = host.connection, let adapter = host.adapter else { return }
    var call = BlueZ.call(adapter, BlueZ.adapter, member)
    call.arguments = arguments
    let reply = Unchecked(reply)
    connection.call(call) { [weak self] result in
      guard let self, host.connection === connection, host.state == .poweredOn else { return }
      reply.value(result)
    }
  }

  // MARK: - Discovered devices

  private static let advertisementProperties: Set = ["RSSI", "ManufacturerData", "ServiceData"]

  func objectsChanged(_ change: DBusObjectTree.Change) {
    switch change {
    case .added(let path, BlueZ.device):
      host.links.deviceAppeared(at: path)
      receiveAdvertisement(path)
    case .changed(let path, BlueZ.device, let properties, _):
      if !Self.advertisementProperties.isDisjoint(with: properties.keys) {
        if let device = host.device(at: path) { host.stuckAdapter.received(device) }
        receiveAdvertisement(path)
      }
    default:
      break
    }
  }

  private func receiveAdvertisement(_ path: String) {
    let sessions = host.centrals.filter { $0.scan != nil }
    guard running != nil, !sessions.isEmpty, let device = host.device(at: path),
      let rssi = device.rssi, let peer = host.peers?.identifier(of: device)
    else { return }
    let advertisement = device.advertisement
    for session in sessions { session.receiveAdvertisement(of: peer, advertisement, rssi: rssi) }
  }
}
