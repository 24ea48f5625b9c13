// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

/// What an app does: scans for a thermometer, connects, and reads it.
final class Reader: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  private(set) var temperature: Double?
  private var manager: CBCentralManager?
  private var thermometer: CBPeripheral?

  override init() {
    super.init()
    manager = CBCentralManager(delegate: self, queue: nil)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: [CBUUID(string: "1809")])
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    central.stopScan()
    thermometer = peripheral
    peripheral.delegate = self
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([CBUUID(string: "1809")])
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    guard let service = peripheral.services?.first else { return }
    peripheral.discoverCharacteristics([CBUUID(string: "2A1C")], for: service)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    guard let measurement = service.characteristics?.first else { return }
    peripheral.readValue(for: measurement)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard let value = characteristic.value, value.count >= 5 else { return }
    // Flags, then a 32-bit float: 24 bits of mantissa, a decimal exponent (ISO/IEEE 11073-20601).
    let mantissa = Int(value[1]) | Int(value[2]) << 8 | Int(Int8(bitPattern: value[3])) << 16
    let exponent = Int(Int8(bitPattern: value[4]))
    temperature = Double(mantissa) * pow(10, Double(exponent))
  }
}
