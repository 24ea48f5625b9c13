// SPDX-License-Identifier: Apache-2.0

// The client of the guide, its code blocks as they are shown (dpearson2699/swift-ios-skills,
// skills/core-bluetooth). What is added is marked "Not in the guide".

// MARK: - Creating the Central Manager
import CoreBluetooth

final class BluetoothManager: NSObject, CBCentralManagerDelegate {
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  private var centralManager: CBCentralManager!
  private var discoveredPeripheral: CBPeripheral?

  override init() {
    super.init()
    centralManager = CBCentralManager(delegate: self, queue: nil)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    switch central.state {
    case .poweredOn:
      startScanning()
    case .poweredOff:
      // Bluetooth is off -- prompt user to enable
      break
    case .unauthorized:
      // App not authorized for Bluetooth
      break
    case .unsupported:
      // Device does not support BLE
      break
    case .resetting, .unknown:
      break
    @unknown default:
      break
    }
  }

  // Not in the guide: what `print` was given.
  fileprivate(set) var lines: [String] = []
}

// MARK: - Scanning for Peripherals

let heartRateServiceUUID = CBUUID(string: "180D")

extension BluetoothManager {
  func startScanning() {
    centralManager.scanForPeripherals(
      withServices: [heartRateServiceUUID],
      options: [CBCentralManagerScanOptionAllowDuplicatesKey: false]
    )
  }

  func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard RSSI.intValue > -70 else { return }  // Filter weak signals

    // IMPORTANT: Retain the peripheral -- it will be deallocated otherwise
    discoveredPeripheral = peripheral
    centralManager.stopScan()
    centralManager.connect(peripheral, options: nil)
  }
}

// MARK: - Central Role: Connecting

extension BluetoothManager {
  func centralManager(
    _ central: CBCentralManager,
    didConnect peripheral: CBPeripheral
  ) {
    peripheral.delegate = self
    peripheral.discoverServices([heartRateServiceUUID])
  }

  func centralManager(
    _ central: CBCentralManager,
    didFailToConnect peripheral: CBPeripheral,
    error: Error?
  ) {
    // Handle connection failure -- retry or inform user
    discoveredPeripheral = nil
  }

  func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime,
    isReconnecting: Bool,
    error: Error?
  ) {
    if isReconnecting {
      // System is automatically reconnecting
      return
    }
    // Handle disconnection -- optionally reconnect
    discoveredPeripheral = nil
  }
}

// MARK: - Discovering Services and Characteristics

extension BluetoothManager: CBPeripheralDelegate {
  func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverServices error: Error?
  ) {
    guard let services = peripheral.services else { return }
    for service in services {
      peripheral.discoverCharacteristics(nil, for: service)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverCharacteristicsFor service: CBService,
    error: Error?
  ) {
    guard let characteristics = service.characteristics else { return }
    for characteristic in characteristics {
      if characteristic.properties.contains(.notify) {
        peripheral.setNotifyValue(true, for: characteristic)
      }
      if characteristic.properties.contains(.read) {
        peripheral.readValue(for: characteristic)
      }
    }
  }
}

// MARK: - Common Service and Characteristic UUIDs

let heartRateMeasurementUUID = CBUUID(string: "2A37")
let batteryLevelUUID = CBUUID(string: "2A19")

// MARK: - Reading a Value

extension BluetoothManager {
  func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateValueFor characteristic: CBCharacteristic,
    error: Error?
  ) {
    guard let data = characteristic.value else { return }

    switch characteristic.uuid {
    case CBUUID(string: "2A37"):
      let heartRate = parseHeartRate(data)
      print("Heart rate: \(heartRate) bpm")
    case CBUUID(string: "2A19"):
      let batteryLevel = data.first.map { Int($0) } ?? 0
      print("Battery: \(batteryLevel)%")
    default:
      break
    }
  }

  private func parseHeartRate(_ data: Data) -> Int {
    let flags = data[0]
    let is16Bit = (flags & 0x01) != 0
    guard is16Bit else {
      return Int(data[1])
    }
    return Int(data[1]) | (Int(data[2]) << 8)
  }
}

// MARK: - Writing a Value

extension BluetoothManager {
  func writeValue(
    _ data: Data, to characteristic: CBCharacteristic,
    on peripheral: CBPeripheral
  ) {
    if characteristic.properties.contains(.writeWithoutResponse) {
      peripheral.writeValue(data, for: characteristic, type: .withoutResponse)
    } else if characteristic.properties.contains(.write) {
      peripheral.writeValue(data, for: characteristic, type: .withResponse)
    }
  }

  // Confirmation callback for .withResponse writes
  func peripheral(
    _ peripheral: CBPeripheral,
    didWriteValueFor characteristic: CBCharacteristic,
    error: Error?
  ) {
    if let error {
      print("Write failed: \(error.localizedDescription)")
    }
  }
}

// MARK: - Subscribing to Notifications

extension BluetoothManager {
  // Not in the guide: a method around the two calls.
  func toggle(_ characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
    // Subscribe
    peripheral.setNotifyValue(true, for: characteristic)

    // Unsubscribe
    peripheral.setNotifyValue(false, for: characteristic)
  }

  // Confirmation
  func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: Error?
  ) {
    if characteristic.isNotifying {
      print("Now receiving notifications for \(characteristic.uuid)")
    }
  }
}

// MARK: - Not in the guide

extension BluetoothManager {
  /// Takes the place of Swift's function, so that a test sees what the guide prints.
  func print(_ line: String) {
    lines.append(line)
  }

  func discoverEverything() {
    discoveredPeripheral?.discoverServices(nil)
  }

  func writeEverywhere(_ data: Data) {
    guard let peripheral = discoveredPeripheral else { return }
    for service in peripheral.services ?? [] {
      for characteristic in service.characteristics ?? [] {
        writeValue(data, to: characteristic, on: peripheral)
      }
    }
  }

  var firstCharacteristic: (CBPeripheral, CBCharacteristic)? {
    guard let peripheral = discoveredPeripheral,
      let characteristic = peripheral.services?.first?.characteristics?.first
    else { return nil }
    return (peripheral, characteristic)
  }

  func toggleFirstCharacteristic() -> CBCharacteristic? {
    guard let (peripheral, characteristic) = firstCharacteristic else { return nil }
    toggle(characteristic, of: peripheral)
    return characteristic
  }

  var isConnected: Bool { discoveredPeripheral?.state == .connected }
}
