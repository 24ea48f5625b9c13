// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

final class Client: NSObject {
  weak var next: (any CBPeripheralDelegate)?
}

extension Client: CBPeripheralDelegate {
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {}
}

extension Client: CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {}
}

protocol MeterDelegate: CBPeripheralDelegate {
  func meterDidFinish()
}
