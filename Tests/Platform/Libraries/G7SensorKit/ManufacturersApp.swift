// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

/// The app that owns the sensor: it authenticates, and asks for readings.
final class ManufacturersApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate,
  @unchecked Sendable
{
  private let queue = DispatchQueue(label: "manufacturer's app")
  private let lock = NSLock()
  private var manager: CBCentralManager?
  private var sensor: CBPeripheral?
  private var attributes: [CBUUID: CBCharacteristic] = [:]
  private var isSubscribed = false

  override init() {
    super.init()
    queue.sync { manager = CBCentralManager(delegate: self, queue: queue) }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// Whether the sensor would answer.
  var isReady: Bool { locked { isSubscribed } }

  /// Authenticates, then asks for the reading and for earlier ones.
  func ask() {
    write(Data([0x04]), to: VirtualG7.authentication)
  }

  private func write(_ value: Data, to uuid: CBUUID) {
    let (sensor, characteristic) = locked { (self.sensor, attributes[uuid]) }
    guard let sensor, let characteristic, sensor.state == .connected else { return }
    sensor.writeValue(value, for: characteristic, type: .withResponse)
  }

  // MARK: - CBCentralManagerDelegate

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: [VirtualG7.advertised])
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    central.stopScan()
    peripheral.delegate = self
    locked { sensor = peripheral }
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([VirtualG7.service])
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    locked {
      isSubscribed = false
      attributes = [:]
    }
    central.connect(peripheral)
  }

  // MARK: - CBPeripheralDelegate

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    guard let service = peripheral.services?.first else { return }
    peripheral.discoverCharacteristics(nil, for: service)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    for characteristic in service.characteristics ?? [] {
      locked { attributes[characteristic.uuid] = characteristic }
      peripheral.setNotifyValue(true, for: characteristic)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    locked { isSubscribed = attributes.count == 3 && attributes.values.allSatisfy(\.isNotifying) }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    switch (characteristic.uuid, characteristic.value?.first) {
    case (VirtualG7.authentication, 0x05): write(Data([0x4E]), to: VirtualG7.control)
    case (VirtualG7.control, 0x4E): write(Data([0x59]), to: VirtualG7.control)
    default: break
    }
  }
}
