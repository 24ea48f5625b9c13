// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

@MainActor
final class Model: NSObject, CBCentralManagerDelegate {
  var names: [String] = []
  private var manager: CBCentralManager?

  func start() { manager = CBCentralManager(delegate: self, queue: .main) }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    names.append("\(central.state)")
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    names.append(peripheral.name ?? "")
  }
}
