// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

// MARK: - DON'T: Scan or connect before poweredOn

class ScanTooEarly: NSObject, CBCentralManagerDelegate {
  let serviceUUID = CBUUID(string: "180D")

  func makeMistake() {
    // WRONG: Scanning immediately -- manager may not be ready
    let manager = CBCentralManager(delegate: self, queue: nil)
    manager.scanForPeripherals(withServices: nil)  // May silently fail
  }

  // CORRECT: Wait for poweredOn in the delegate
  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn {
      central.scanForPeripherals(withServices: [serviceUUID])
    }
  }
}

// MARK: - DON'T: Lose the peripheral reference

final class LosePeripheral: NSObject, CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    central.scanForPeripherals(withServices: nil)
  }

  // WRONG: No strong reference kept
  func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    central.connect(peripheral)  // peripheral may be deallocated
  }
}

final class KeepPeripheral: NSObject, CBCentralManagerDelegate {
  var discoveredPeripheral: CBPeripheral?

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    central.scanForPeripherals(withServices: nil)
  }

  // CORRECT: Retain the peripheral
  func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    self.discoveredPeripheral = peripheral  // Strong reference
    central.connect(peripheral)
  }
}

// MARK: - DON'T: Scan for nil services in production

func scanForEverything(centralManager: CBCentralManager, targetServiceUUID: CBUUID) {
  // WRONG: Discovers every BLE device in range -- drains battery
  centralManager.scanForPeripherals(withServices: nil)

  // CORRECT: Specify the service UUIDs you need
  centralManager.scanForPeripherals(withServices: [targetServiceUUID])
}

// MARK: - DON'T: Assume connection order or timing

final class AssumeTiming: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  let serviceUUID = CBUUID(string: "180D")

  func centralManagerDidUpdateState(_ central: CBCentralManager) {}

  func discoverServicesNow() {}

  func makeMistake(centralManager: CBCentralManager, peripheral: CBPeripheral) {
    // WRONG: Assuming immediate connection
    centralManager.connect(peripheral)
    discoverServicesNow()  // Peripheral not connected yet
  }

  // CORRECT: Discover services in the didConnect callback
  func centralManager(
    _ central: CBCentralManager,
    didConnect peripheral: CBPeripheral
  ) {
    peripheral.delegate = self
    peripheral.discoverServices([serviceUUID])
  }
}

// MARK: - DON'T: Write to a characteristic without checking properties

func write(_ data: Data, to characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
  // WRONG: Crashes or silently fails if write is unsupported
  peripheral.writeValue(data, for: characteristic, type: .withResponse)

  // CORRECT: Check properties first
  if characteristic.properties.contains(.write) {
    peripheral.writeValue(data, for: characteristic, type: .withResponse)
  } else if characteristic.properties.contains(.writeWithoutResponse) {
    peripheral.writeValue(data, for: characteristic, type: .withoutResponse)
  }
}
