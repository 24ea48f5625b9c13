// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

// MARK: - Central Manager State Restoration

final class RestoredCentral: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var centralManager: CBCentralManager!
  var discoveredPeripheral: CBPeripheral?

  override init() {
    super.init()
    // 1. Create with a restoration identifier
    centralManager = CBCentralManager(
      delegate: self,
      queue: nil,
      options: [CBCentralManagerOptionRestoreIdentifierKey: "myCentral"]
    )
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {}

  // 2. Implement the restoration delegate method
  func centralManager(
    _ central: CBCentralManager,
    willRestoreState dict: [String: Any]
  ) {
    if let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey]
      as? [CBPeripheral]
    {
      for peripheral in peripherals {
        // Re-assign delegate and retain
        peripheral.delegate = self
        discoveredPeripheral = peripheral
      }
    }
  }
}

// MARK: - Peripheral Manager State Restoration

final class RestoredPeripheral: NSObject, CBPeripheralManagerDelegate {
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var peripheralManager: CBPeripheralManager!

  override init() {
    super.init()
    peripheralManager = CBPeripheralManager(
      delegate: self,
      queue: nil,
      options: [CBPeripheralManagerOptionRestoreIdentifierKey: "myPeripheral"]
    )
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}

  func peripheralManager(
    _ peripheral: CBPeripheralManager,
    willRestoreState dict: [String: Any]
  ) {
    // Restore published services, advertising state, etc.
  }
}
