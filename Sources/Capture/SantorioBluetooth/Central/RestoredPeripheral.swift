// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices

#if SimulatedBluetooth
  import SimulatedCoreBluetooth
#else
  import CoreBluetooth
#endif

/// Keeps what a device sends on a connection that the system has kept for this process, until a
/// reading takes the connection over.
final class RestoredPeripheral: NSObject, CBPeripheralDelegate {
  /// What a device has sent, and from where.
  typealias Value = (attribute: GATTAttribute, bytes: [UInt8])

  /// How many values are kept.
  private static let capacity = 256

  // Touched on the central's queue only, on which Core Bluetooth calls too.
  private(set) var values: [Value] = []

  /// Begins to listen.
  init(_ peripheral: CBPeripheral) {
    super.init()
    peripheral.delegate = self
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard error == nil, let service = characteristic.service, values.count < Self.capacity else {
      return
    }
    let attribute = GATTAttribute(service.uuid.uuidString, characteristic.uuid.uuidString)
    values.append((attribute, Array(characteristic.value ?? Data())))
  }
}
