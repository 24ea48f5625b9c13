// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

final class Reader: NSObject, CBPeripheralDelegate {
  private var waiting: CheckedContinuation<Data?, any Error>?

  func read(_ characteristic: CBCharacteristic, of peripheral: CBPeripheral) async throws -> Data? {
    try await withCheckedThrowingContinuation { continuation in
      waiting = continuation
      peripheral.readValue(for: characteristic)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    if let error {
      waiting?.resume(throwing: error)
    } else {
      waiting?.resume(returning: characteristic.value)
    }
    waiting = nil
  }
}
