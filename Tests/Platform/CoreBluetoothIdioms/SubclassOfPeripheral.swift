// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

class Peripheral: CBPeripheral {
  override var name: String? { "meter" }
  override func readRSSI() { super.readRSSI() }
  override func readValue(for characteristic: CBCharacteristic) {}
  override func writeValue(
    _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType
  ) {}
}

class Characteristic: CBMutableCharacteristic {
  override var value: Data? {
    get { super.value }
    set { super.value = newValue.map { $0 + [0] } }
  }
  override var permissions: CBAttributePermissions {
    didSet { print(permissions.rawValue) }
  }
}
