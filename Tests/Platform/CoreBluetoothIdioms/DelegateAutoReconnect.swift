// SPDX-License-Identifier: Apache-2.0

// Differs: SDK. That of iOS 16.5 has neither the method nor the key, which came with iOS 17.
import CoreBluetooth

final class Modern: NSObject, CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {}
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
  ) {}
}

func connect(_ manager: CBCentralManager, _ peripheral: CBPeripheral) {
  manager.connect(peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
}
