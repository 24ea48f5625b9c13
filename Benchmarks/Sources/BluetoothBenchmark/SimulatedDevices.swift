// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation
import Foundation

/// Devices in a square of 20 metres, and a central in its middle.
final class SimulatedDevices {
  let listener = Listener()
  private let air = SimulatedRadioEnvironment(seed: 11, mode: .realTime(speed: 1))
  private var devices: [Device] = []
  private let central: CBCentralManager

  init(devices count: Int, interval: Duration) {
    central = CBCentralManager(
      delegate: listener, queue: DispatchQueue(label: "central"),
      options: air.makeHost(named: "Hub", at: SimulatedPosition(x: 10, y: 10)).managerOptions)
    for number in 0..<count {
      let place = SimulatedPosition(x: Double(number % 20), y: Double(number / 20))
      let host = air.makeHost(named: "Device \(number)", at: place)
      host.advertisingInterval = interval
      host.manufacturerData = Data([0xFF, 0xFF, UInt8(number & 0xFF)])
      devices.append(Device(host, number: number))
    }
  }

  /// Scans, and comes back when every device has been heard.
  func scan(allowsDuplicates: Bool) async {
    while central.state != .poweredOn || !devices.allSatisfy(\.isAdvertising) {
      try? await Task.sleep(for: .milliseconds(10))
    }
    central.scanForPeripherals(
      withServices: [CBUUID(string: "180D")],
      options: [CBCentralManagerScanOptionAllowDuplicatesKey: allowsDuplicates])
    while listener.found < devices.count { try? await Task.sleep(for: .milliseconds(10)) }
  }
}

/// A device that says that it measures the heart's rate.
private final class Device: NSObject, CBPeripheralManagerDelegate {
  private let name: String
  private var manager: CBPeripheralManager?

  init(_ host: SimulatedHost, number: Int) {
    name = "Strap \(number)"
    super.init()
    manager = CBPeripheralManager(
      delegate: self, queue: DispatchQueue(label: "device"), options: host.managerOptions)
  }

  var isAdvertising: Bool { manager?.isAdvertising ?? false }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    peripheral.startAdvertising([
      CBAdvertisementDataLocalNameKey: name,
      CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "180D")],
    ])
  }
}

/// Reads of each advertisement what an app would, and counts.
final class Listener: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var calls = 0
  private var peripherals: Set<CBPeripheral> = []

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// The calls so far.
  var count: Int { locked { calls } }

  /// The devices so far.
  var found: Int { locked { peripherals.count } }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {}

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    let data = advertisementData[CBAdvertisementDataManufacturerDataKey] as? Data
    guard data?.count == 3, RSSI.intValue < 0 else { return }
    locked {
      calls += 1
      peripherals.insert(peripheral)
    }
  }
}
