// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

/// A thermometer that shows 37.0 °C: a Temperature Measurement (GATT Specification Supplement).
final class Thermometer: NSObject, CBPeripheralManagerDelegate {
  func peripheralManagerDidUpdateState(_ manager: CBPeripheralManager) {
    guard manager.state == .poweredOn else { return }
    let measurement = CBMutableCharacteristic(
      type: CBUUID(string: "2A1C"), properties: .read,
      value: Data([0x00, 0x72, 0x01, 0x00, 0xFF]), permissions: .readable)
    let service = CBMutableService(type: CBUUID(string: "1809"), primary: true)
    service.characteristics = [measurement]
    manager.add(service)
    manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service.uuid]])
  }
}
