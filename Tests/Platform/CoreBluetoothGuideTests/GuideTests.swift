// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation
import Testing

/// A chest strap: heart rate notifications and a battery level.
final class HeartRateStrap: NSObject, CBPeripheralManagerDelegate {
  let measurement = CBMutableCharacteristic(
    type: CBUUID(string: "2A37"), properties: [.notify], value: nil, permissions: [.readable])
  private var manager: CBPeripheralManager?

  init(options: [String: Any]) {
    super.init()
    manager = CBPeripheralManager(delegate: self, queue: nil, options: options)
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    let level = CBMutableCharacteristic(
      type: CBUUID(string: "2A19"), properties: [.read], value: Data([87]),
      permissions: [.readable])
    let heartRate = CBMutableService(type: CBUUID(string: "180D"), primary: true)
    heartRate.characteristics = [measurement]
    let battery = CBMutableService(type: CBUUID(string: "180F"), primary: true)
    battery.characteristics = [level]
    peripheral.add(heartRate)
    peripheral.add(battery)
    peripheral.startAdvertising([
      CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "180D")],
      CBAdvertisementDataLocalNameKey: "Strap",
    ])
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  ) {
    send([0x00, 72])
    send([0x01, 0x2C, 0x01])
  }

  func send(_ bytes: [UInt8]) {
    _ = manager?.updateValue(Data(bytes), for: measurement, onSubscribedCentrals: nil)
  }
}

@Suite(.timeLimit(.minutes(1)), .serialized) @MainActor
struct `Core Bluetooth guide` {
  let air = SimulatedAir(seed: 1)

  @Test func `the heart rate client reads a strap`() async {
    let phone = air.makeHost(named: "Phone")
    let strapHost = air.makeHost(named: "Strap", at: SimulatedPosition(x: 2))
    let strap = HeartRateStrap(options: strapHost.managerOptions)
    phone.installAsDefault()
    defer { SimulatedHost.removeDefault() }

    let client = BluetoothManager()
    await air.advance(by: .seconds(10)) { client.lines.count == 3 }
    client.discoverEverything()
    await air.advance(by: .seconds(10)) { client.lines.contains("Battery: 87%") }
    strapHost.disconnectAll()
    await air.advance(by: .seconds(1))

    #expect(
      client.lines == [
        "Now receiving notifications for 2A37", "Heart rate: 72 bpm", "Heart rate: 300 bpm",
        "Now receiving notifications for 2A37", "Battery: 87%",
      ])
    #expect(!client.isConnected)
    withExtendedLifetime(strap) {}
  }
}
