// SPDX-License-Identifier: Apache-2.0

/// The adapter of a host, as an application uses it.
final class HostRadio: Radio, @unchecked Sendable {
  private let application: ApplicationCore
  private let host: HostCore
  private let air: SimulatedRadioEnvironment

  init(_ application: ApplicationCore, air: SimulatedRadioEnvironment) {
    self.application = application
    host = application.host
    self.air = air
  }

  var authorization: CBManagerAuthorization {
    air.environment.locked {
      if host.isAskingForPermission { return .notDetermined }
      guard host.state == .unauthorized else { return .allowedAlways }
      return host.isRestricted ? .restricted : .denied
    }
  }

  var hidesRoomBeforeFirstWrite: Bool {
    air.environment.locked { host.hidesRoomBeforeFirstWrite }
  }

  func openCentral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (CentralEvent) -> Void
  ) -> any CentralSession {
    let identifier = permitted(identifier, for: .central)
    return air.environment.locked {
      let kept = host.centrals.first { $0.isKept(for: application, identifier) }
      let role =
        kept ?? CentralRole(host: host, application: application, restoring: identifier)
      guard application.state != .terminated else { return role }
      if kept == nil { host.centrals.append(role) }
      role.attach(air: air, queue: queue, handler: handler)
      return role
    }
  }

  func openPeripheral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) -> any PeripheralSession {
    let identifier = permitted(identifier, for: .peripheral)
    return air.environment.locked {
      let kept = host.peripherals.first { $0.isKept(for: application, identifier) }
      let role =
        kept ?? PeripheralRole(host: host, application: application, restoring: identifier)
      guard application.state != .terminated else { return role }
      if kept == nil { host.peripherals.append(role) }
      role.attach(air: air, queue: queue, handler: handler)
      return role
    }
  }

  /// The identifier, if the application has declared the background mode that it requires.
  private func permitted(_ identifier: String?, for mode: SimulatedBackgroundModes) -> String? {
    guard identifier != nil, !air.environment.locked({ application.modes.contains(mode) }) else {
      return identifier
    }
    let (manager, name) =
      mode == .central
      ? ("CBCentralManager", "bluetooth-central") : ("CBPeripheralManager", "bluetooth-peripheral")
    reportMisuse(
      "[CoreBluetooth] API MISUSE: State restoration of \(manager) is only allowed for applications "
        + "that have specified the \"\(name)\" background mode")
    return nil
  }

  func reportMisuse(_ line: String) {
    air.environment.locked { host.misuse.append(line) }
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
