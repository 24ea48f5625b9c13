// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// The peers that bluetoothd connects by itself when they appear.
///
/// It does that for devices that have a service for which a program has registered a profile (BlueZ,
/// doc/gatt-api.txt, GattProfile1), also for those that are not paired. A profile must not make it
/// connect other devices: they would not advertise any more, and nobody could find them. So this is
/// used only for a peer with a service that no other device in sight has.
final class AutoConnection {
  private unowned let host: BlueZHost
  private var services: [PeerIdentifier: BluetoothUUID] = [:] {
    didSet { counts = nil }
  }
  /// How many devices that bluetoothd knows and does not wait for have each service; nil until it is
  /// asked for.
  private var counts: [BluetoothUUID: Int]?
  private var registered: Set<BluetoothUUID> = []
  private var registration: DBusRegistration?
  private var generation = 0

  init(host: BlueZHost) {
    self.host = host
  }

  private var root: String { "/org/santorio/profile\(generation)" }

  /// Returns whether bluetoothd now waits for the peer.
  func add(_ peer: PeerIdentifier, _ device: BlueZDevice) -> Bool {
    // Before 2025 bluetoothd does not recognise private addresses here (bluez, pull 1531).
    guard device.isPaired || device.isTrusted, host.peers?[peer]?.isPrivate == false,
      let service = distinguishingService(of: peer, device)
    else { return false }
    services[peer] = service
    update()
    return true
  }

  func remove(_ peer: PeerIdentifier) {
    if services.removeValue(forKey: peer) != nil { update() }
  }

  func stateChanged() {
    guard host.state != .poweredOn else { return }
    services = [:]
    registered = []
    registration = nil
  }

  func objectsChanged(_ change: DBusObjectTree.Change) {
    switch change {
    case .added(_, BlueZ.device), .removed(_, BlueZ.device): counts = nil
    case .changed(_, BlueZ.device, let properties, _) where properties["UUIDs"] != nil: counts = nil
    default: break
    }
  }

  /// A service that none of the other devices has.
  private func distinguishingService(
    of peer: PeerIdentifier, _ device: BlueZDevice
  ) -> BluetoothUUID? {
    let counts = countServices()
    let own = services[peer] == nil ? 1 : 0
    return device.services.first { counts[$0, default: 0] <= own }
  }

  /// Counts the services of the devices that bluetoothd knows and does not wait for.
  private func countServices() -> [BluetoothUUID: Int] {
    if let counts { return counts }
    let others = host.devices.filter { device in
      host.peers?.identifier(of: device).map { services[$0] == nil } ?? true
    }
    var new: [BluetoothUUID: Int] = [:]
    for device in others {
      for service in Set(device.services) { new[service, default: 0] += 1 }
    }
    counts = new
    return new
  }

  /// Other devices may have appeared since with a service for which a profile is registered.
  private func dropShared() {
    let counts = countServices()
    for (peer, service) in services where counts[service] != nil {
      services[peer] = nil
      host.links[peer].endAwaiting()
    }
  }

  private func update() {
    dropShared()
    let wanted = Set(services.values)
    guard wanted != registered else { return }
    unregister()
    registered = wanted
    if !wanted.isEmpty { register(wanted) }
  }

  private func unregister() {
    guard registration != nil, let adapter = host.adapter else { return }
    host.connection?.send(
      BlueZ.call(adapter, BlueZ.gattManager, "UnregisterApplication", .objectPath(root)))
    registration = nil
  }

  private func register(_ services: Set<BluetoothUUID>) {
    guard let connection = host.connection, let adapter = host.adapter else { return }
    generation += 1
    let profile = DBusInterface(
      name: BlueZ.gattProfile,
      properties: ["UUIDs": .strings(services.map(\.full).sorted())],
      methods: ["Release": { $0.reply() }])
    do throws(DBusError) {
      registration = try connection.publish(
        [DBusObject(root + "/profile", [profile])], root: root)
    } catch {
      return giveUp()
    }
    let generation = generation
    let call = BlueZ.call(
      adapter, BlueZ.gattManager, "RegisterApplication", .objectPath(root), .properties([:]))
    connection.call(call) { [weak self] result in
      guard let self, case .failure = result, generation == self.generation else { return }
      giveUp()
    }
  }

  private func giveUp() {
    let peers = services.keys
    services = [:]
    registered = []
    registration = nil
    for peer in peers { host.links[peer].endAwaiting() }
  }
}
