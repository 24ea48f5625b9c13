// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices

@testable import SantorioBluetooth

/// Speaks with an operation: an input goes in, the actions come out.
struct OperationDialogue: ~Copyable {
  static let device = UUID()

  var operation: PeripheralOperation

  init(
    _ purpose: PeripheralOperation.Purpose = .read,
    _ first: DeviceModel = .aAndDUA651BLE, _ others: [DeviceModel] = [],
    allowed: Set<UUID>? = nil, bond: BondState? = nil, minimumRSSI: Int? = nil,
    within time: Duration? = nil
  ) {
    let known = bond.map { bond in
      KnownPeripheral(identifier: Self.device, peripheral: first.id, bond: bond)
    }
    operation = PeripheralOperation(
      purpose, first, others, allowed: allowed, known: [known].compactMap(\.self),
      minimumRSSI: minimumRSSI, within: time, at: .zero)
  }

  mutating func say(
    _ event: PeripheralOperation.Event, at seconds: Double = 1
  ) -> [PeripheralOperation.Action] {
    operation.handle(event, at: .after(seconds))
  }

  /// Switches the radio on, with nothing to be connected without a scan.
  mutating func search() -> [PeripheralOperation.Action] {
    _ = say(.radioChanged(.on))
    _ = say(.retrievedKnown([]))
    return say(.retrievedConnected([]))
  }

  /// Connects a Welch Allyn scale up to its first request, at second 1.
  mutating func connectScale() {
    _ = search()
    _ = say(.discovered(.init(Self.device, name: "SC100 1", services: ["7802"])))
    _ = say(.connected(Self.device))
    _ = say(.servicesDiscovered(["7802"]))
    _ = say(
      .characteristicsDiscovered(["8A21", "8A22", "8A81", "8A82"], service: "7802"))
    _ = say(.deviceState(Self.device, DeviceState()))
  }

  /// Connects and takes all steps up to the subscription, at second 1.
  mutating func prepare() {
    _ = search()
    _ = say(.discovered(.init(Self.device, name: "A&D_UA-651BLE_123456", services: ["1810"])))
    _ = say(.connected(Self.device))
    _ = say(.servicesDiscovered(["1810"]))
    _ = say(.characteristicsDiscovered(["2A35"], service: "1810"))
    _ = say(.deviceState(Self.device, DeviceState()))
  }
}

extension [PeripheralOperation.Action] {
  /// The error with which the operation ended.
  var ended: BluetoothError? {
    guard case .report(.ended(.failed(let error)))? = last else { return nil }
    return error
  }
}
