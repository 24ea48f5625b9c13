// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func wrong(
  _ service: CBService, _ characteristic: CBCharacteristic, _ descriptor: CBMutableDescriptor,
  _ peripheral: CBPeripheral, _ manager: CBCentralManager
) {
  service.characteristics = []
  characteristic.value = nil
  descriptor.value = nil
  peripheral.name = "meter"
  peripheral.state = .connected
  manager.isScanning = true
}
