// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation
import Testing

/// A chest strap: heart rate notifications and a battery level.
final class HeartRateStrap: NSObject, CBPeripheralManagerDelegate {
  let measurement = CBMutableCharacteristic(
    type: CBUUID(string: "2A37"), properties: [.notify], value: nil, permissions: [.readable])
  /// Takes the command that resets the energy expended.
  private let controlPoint = CBMutableCharacteristic(
    type: CBUUID(string: "2A39"), properties: [.write], value: nil, permissions: [.writeable])
  private(set) var resets = 0
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
    heartRate.characteristics = [measurement, controlPoint]
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

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
  ) {
    guard let request = requests.first else { return }
    resets += 1
    peripheral.respond(to: request, withResult: .success)
  }

  func send(_ bytes: [UInt8]) {
    _ = manager?.updateValue(Data(bytes), for: measurement, onSubscribedCentrals: nil)
  }
}

@Suite(.timeLimit(.minutes(15)), .serialized) @MainActor
struct `Core Bluetooth guide` {
  let air = SimulatedRadioEnvironment(seed: 1)

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

  @Test func `the client writes as the properties allow`() async {
    let phone = air.makeHost(named: "Phone")
    let host = air.makeHost(named: "Strap", at: SimulatedPosition(x: 2))
    let strap = HeartRateStrap(options: host.managerOptions)
    phone.installAsDefault()
    defer { SimulatedHost.removeDefault() }

    let client = BluetoothManager()
    await air.advance(by: .seconds(10)) { client.lines.count == 3 }
    client.discoverEverything()
    await air.advance(by: .seconds(10)) { client.lines.contains("Battery: 87%") }
    client.writeEverywhere(Data([1]))
    await air.advance(by: .seconds(10))

    #expect(!client.lines.contains { $0.hasPrefix("Write failed") })
    #expect(strap.resets == 1)
    host.setError(.writeNotPermitted, for: CBUUID(string: "2A39"))
    client.writeEverywhere(Data([1]))
    await air.advance(by: .seconds(10))
    #expect(client.lines.last == "Write failed: Writing is not permitted.")
    #expect(strap.resets == 1)
  }

  @Test func `the client subscribes and unsubscribes`() async throws {
    let phone = air.makeHost(named: "Phone")
    let host = air.makeHost(named: "Strap", at: SimulatedPosition(x: 2))
    let strap = HeartRateStrap(options: host.managerOptions)
    phone.installAsDefault()
    defer { SimulatedHost.removeDefault() }
    let client = BluetoothManager()
    await air.advance(by: .seconds(10)) { client.lines.count == 3 }

    let characteristic = try #require(client.toggleFirstCharacteristic())
    await air.advance(by: .seconds(10))

    #expect(!characteristic.isNotifying)
    #expect(strap.measurement.subscribedCentrals == [])
  }

  @Test func `the client ignores a strap with a weak signal`() async {
    let phone = air.makeHost(named: "Phone")
    let host = air.makeHost(named: "Strap", at: SimulatedPosition(x: 50))
    let strap = HeartRateStrap(options: host.managerOptions)
    phone.installAsDefault()
    defer { SimulatedHost.removeDefault() }

    let client = BluetoothManager()
    await air.advance(by: .seconds(60))

    #expect(client.lines == [])
    #expect(host.connectedPeers == [])
    withExtendedLifetime((client, strap)) {}
  }

  @Test func `the peripheral manager advertises its service`() async throws {
    let phone = air.makeHost(named: "Phone")
    let host = air.makeHost(named: "Device", at: SimulatedPosition(x: 2))
    host.installAsDefault()
    defer { SimulatedHost.removeDefault() }
    let device = BLEPeripheralManager()
    phone.installAsDefault()
    let keeper = KeepPeripheral()
    let manager = CBCentralManager(delegate: keeper, queue: nil)

    await air.advance(by: .seconds(10)) { keeper.discoveredPeripheral?.state == .connected }

    #expect(device.isAdvertising)
    #expect(keeper.discoveredPeripheral?.name == "Device")
    #expect(keeper.discoveredPeripheral?.state == .connected)
    withExtendedLifetime(manager) {}
  }

  @Test func `a scan before the power is on fails, one after it works`() async {
    let phone = air.makeHost(named: "Phone")
    phone.installAsDefault()
    defer { SimulatedHost.removeDefault() }
    let early = ScanTooEarly()

    early.makeMistake()
    #expect(phone.misuseReports.count == 1)
    let manager = CBCentralManager(delegate: early, queue: nil)
    await air.advance(by: .seconds(1))

    #expect(manager.isScanning)
    #expect(phone.misuseReports.count == 1)
  }

  @Test func `a peripheral that is not retained is not connected`() async {
    let phone = air.makeHost(named: "Phone")
    let host = air.makeHost(named: "Strap", at: SimulatedPosition(x: 2))
    let strap = HeartRateStrap(options: host.managerOptions)
    phone.installAsDefault()
    defer { SimulatedHost.removeDefault() }
    let loser = LosePeripheral()
    let manager = CBCentralManager(delegate: loser, queue: nil)

    await air.advance(by: .seconds(10))

    #expect(host.connectedPeers == [])
    #expect(phone.misuseReports.count == 1)
    #expect(phone.misuseReports.first?.contains("unused peripheral") == true)
    withExtendedLifetime((manager, strap)) {}
  }

  @Test func `a write to a characteristic without the property fails`() async throws {
    let phone = air.makeHost(named: "Phone")
    let host = air.makeHost(named: "Strap", at: SimulatedPosition(x: 2))
    let strap = HeartRateStrap(options: host.managerOptions)
    phone.installAsDefault()
    defer { SimulatedHost.removeDefault() }
    let client = BluetoothManager()
    await air.advance(by: .seconds(10)) { client.lines.count == 3 }

    let (peripheral, characteristic) = try #require(client.firstCharacteristic)
    write(Data([1]), to: characteristic, of: peripheral)
    await air.advance(by: .seconds(10))

    #expect(client.lines.last == "Write failed: Writing is not permitted.")
    #expect(client.lines.count == 4)
    withExtendedLifetime(strap) {}
  }

  @Test func `managers with a restoration identifier start normally`() async {
    let phone = air.makeHost(named: "Phone")
    phone.installAsDefault()
    defer { SimulatedHost.removeDefault() }

    let central = RestoredCentral()
    let peripheral = RestoredPeripheral()
    await air.advance(by: .seconds(1))

    #expect(central.centralManager.state == .poweredOn)
    #expect(peripheral.peripheralManager.state == .poweredOn)
    #expect(central.discoveredPeripheral == nil)
  }
}
