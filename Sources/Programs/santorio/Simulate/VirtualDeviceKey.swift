// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import SantorioBluetooth
import VirtualDevices

/// The key without which a virtual device is not read, as a user would enter it.
struct VirtualDeviceKey: Sendable {
  private let key: PeripheralDataKey
  private let digits: String

  /// The key of a device; nil for one that needs none.
  init?(for model: VirtualDeviceModel) {
    guard model.id == VirtualDeviceModel.xiaomiS400.id else { return nil }
    key = .bindKey
    digits = VirtualDeviceModel.s400Secret
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Stores the key for the device.
  func store(
    in receiver: BluetoothReceiver, for identifier: UUID
  ) throws(BluetoothError) {
    try receiver.setSecret(digits, key, for: identifier)
  }
}
