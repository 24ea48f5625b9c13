// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// The adapter of a host.
final class HostRadio: Radio, @unchecked Sendable {
  private let host: HostCore
  private let air: SimulatedAir

  init(_ host: HostCore, air: SimulatedAir) {
    self.host = host
    self.air = air
  }

  var authorization: CBManagerAuthorization {
    air.ether.locked { host.state == .unauthorized ? .denied : .allowedAlways }
  }

  func openCentral(
    queue: DispatchQueue, handler: @escaping @Sendable (CentralEvent) -> Void
  ) -> any CentralSession {
    air.ether.locked {
      let role = CentralRole(
        air: air, host: host, mailbox: air.ether.mailbox(of: queue), handler: handler)
      host.centrals.append(role)
      air.ether.after(0) { [host, weak role] in role?.send(.stateChanged(host.state)) }
      return role
    }
  }

  func openPeripheral(
    queue: DispatchQueue, handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) -> any PeripheralSession {
    air.ether.locked {
      let role = PeripheralRole(
        air: air, host: host, mailbox: air.ether.mailbox(of: queue), handler: handler)
      host.peripherals.append(role)
      air.ether.after(0) { [host, weak role] in role?.send(.stateChanged(host.state)) }
      return role
    }
  }

  func reportMisuse(_ line: String) {
    air.ether.locked { host.misuse.append(line) }
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
