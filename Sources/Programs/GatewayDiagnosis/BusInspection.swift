// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioDBus

/// Queries bluetoothd and systemd over the bus.
struct BusInspection: Sendable {
  private static let bluez = "org.bluez"
  private static let timeout = Duration.seconds(10)

  private let address: DBusAddress
  private let queue = DispatchQueue(label: "org.santorio.doctor")

  init(_ address: DBusAddress) { self.address = address }

  func inspect(_ facts: inout GatewayFacts) async {
    let connection: DBusConnection
    switch await open() {
    case .failure(let error):
      facts.bus = .unreachable(error.name)
      return
    case .success(let opened): connection = opened
    }
    facts.bus = .reachable
    facts.service.unit = await unit(connection)
    facts.isClockSynchronised = await isClockSynchronised(connection)
    (facts.service.answer, facts.adapters) = await adapters(connection)
    if facts.service.answer == .listed { facts.agent = await agent(connection) }
    queue.async { connection.close() }
  }

  private func open() async -> Result<DBusConnection, DBusError> {
    await withCheckedContinuation { continuation in
      queue.async {
        do throws(DBusError) {
          continuation.resume(
            returning: .success(try DBusConnection.open(address, queue: queue, closed: {})))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
  }

  private func ask(
    _ connection: DBusConnection, _ call: DBusCall
  ) async -> Result<[DBusValue], DBusError> {
    await withCheckedContinuation { continuation in
      queue.async {
        connection.call(call, timeout: Self.timeout) { continuation.resume(returning: $0) }
      }
    }
  }

  // MARK: - bluetoothd

  private func adapters(
    _ connection: DBusConnection
  ) async -> (GatewayFacts.Answer, [GatewayFacts.Adapter]) {
    let call = DBusCall(
      Self.bluez, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    switch await ask(connection, call) {
    case .success(let values): return (.listed, Self.adapters(values.first))
    case .failure(let error):
      switch error.name {
      case DBusError.serviceUnknown, DBusError.nameHasNoOwner: return (.absent, [])
      case DBusError.accessDenied: return (.denied, [])
      default: return (.failed(error.name), [])
      }
    }
  }

  /// The adapters in the reply, sorted by name.
  private static func adapters(_ listing: DBusValue?) -> [GatewayFacts.Adapter] {
    guard case .dictionary(let objects, _, _)? = listing else { return [] }
    let adapters = objects.compactMap { path, object -> GatewayFacts.Adapter? in
      guard let path = path.string, case .dictionary(let interfaces, _, _) = object else {
        return nil
      }
      return adapter(path, interfaces)
    }
    return adapters.sorted { $0.name < $1.name }
  }

  private static func adapter(
    _ path: String, _ interfaces: [DBusValue: DBusValue]
  ) -> GatewayFacts.Adapter? {
    func properties(_ interface: String) -> [String: DBusValue]? {
      interfaces[.string("org.bluez.\(interface)")]?.properties
    }
    guard let adapter = properties("Adapter1"), let name = path.split(separator: "/").last else {
      return nil
    }
    return GatewayFacts.Adapter(
      name: String(name), address: adapter["Address"]?.string ?? "",
      isPowered: adapter["Powered"]?.bool ?? false, hasGATT: properties("GattManager1") != nil,
      freeAdvertisements: properties("LEAdvertisingManager1").map {
        $0["SupportedInstances"]?.int ?? 0
      })
  }

  private func agent(_ connection: DBusConnection) async -> GatewayFacts.Agent {
    let path = DBusValue.objectPath("/org/santorio/doctor")
    let register = DBusCall(
      Self.bluez, "/org/bluez", "org.bluez.AgentManager1", "RegisterAgent", path,
      .string("NoInputNoOutput"))
    switch await ask(connection, register) {
    case .failure(let error): return .refused(error.name)
    case .success:
      _ = await ask(
        connection,
        DBusCall(Self.bluez, "/org/bluez", "org.bluez.AgentManager1", "UnregisterAgent", path))
      return .accepted
    }
  }

  // MARK: - systemd

  private func unit(_ connection: DBusConnection) async -> GatewayFacts.Unit? {
    let systemd = "org.freedesktop.systemd1"
    let load = DBusCall(
      systemd, "/org/freedesktop/systemd1", "\(systemd).Manager", "LoadUnit",
      .string("bluetooth.service"))
    guard case .success(let values) = await ask(connection, load), let path = values.first?.string,
      let properties = await properties(connection, systemd, path, "\(systemd).Unit"),
      let load = properties["LoadState"]?.string, let active = properties["ActiveState"]?.string
    else { return nil }
    return GatewayFacts.Unit(load: load, active: active)
  }

  private func isClockSynchronised(_ connection: DBusConnection) async -> Bool? {
    let timedate = "org.freedesktop.timedate1"
    let answer = await properties(connection, timedate, "/org/freedesktop/timedate1", timedate)
    return answer?["NTPSynchronized"]?.bool
  }

  private func properties(
    _ connection: DBusConnection, _ service: String, _ path: String, _ interface: String
  ) async -> [String: DBusValue]? {
    var read = DBusCall(
      service, path, "org.freedesktop.DBus.Properties", "GetAll", .string(interface))
    // systemd starts both services on demand.
    read.startsService = true
    guard case .success(let values) = await ask(connection, read) else { return nil }
    return values.first?.properties
  }
}
