// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

@MainActor
final class Model: NSObject, @preconcurrency CBCentralManagerDelegate {
  var states = 0

  func centralManagerDidUpdateState(_ central: CBCentralManager) { states += 1 }
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    states += 1
  }
}
