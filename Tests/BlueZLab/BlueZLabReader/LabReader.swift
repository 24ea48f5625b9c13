// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import HealthGATT

/// Reads one blood pressure as an app does, and says when it had it and how much memory that took:
/// the lab compares it with another client of bluetoothd.
@main
final class LabReader: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  private let service = CBUUID(string: "1810")
  private let measurement = CBUUID(string: "2A35")
  private var manager: CBCentralManager?
  private var peripheral: CBPeripheral?

  static func main() {
    let reader = LabReader()
    reader.manager = CBCentralManager(delegate: reader, queue: .main)
    dispatchMain()
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: [service])
    print("scanning")
    fflush(nil)
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    guard self.peripheral == nil else { return }
    self.peripheral = peripheral
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([service])
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] {
      peripheral.discoverCharacteristics([measurement], for: service)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    for characteristic in service.characteristics ?? [] {
      peripheral.setNotifyValue(true, for: characteristic)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    var payload = PayloadReader(Array(characteristic.value ?? Data()))
    guard let measurement = try? BloodPressureMeasurement(from: &payload) else { exit(1) }
    report(measurement)
    manager?.cancelPeripheralConnection(peripheral)
  }

  private func report(_ measurement: BloodPressureMeasurement) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let seconds = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    print("record", seconds, residentKibibytes, measurement.systolic)
    fflush(nil)
  }

  /// The second number of /proc/self/statm, in pages of 4 KiB.
  private var residentKibibytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    fgets(&line, Int32(line.count), file)
    let pages = String(cString: line).split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * 4
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    exit(error == nil ? 0 : 1)
  }
}
