// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

final class Central: NSObject, CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {}
}

final class Client: NSObject, CBPeripheralDelegate {}

final class Server: NSObject, CBPeripheralManagerDelegate {
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
}
