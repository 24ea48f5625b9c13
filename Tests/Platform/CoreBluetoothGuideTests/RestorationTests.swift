// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation
import Testing

extension `Core Bluetooth guide` {
  @Test func `the central of the guide is restored with its strap`() async throws {
    let phone = air.makeHost(named: "Phone")
    let host = air.makeHost(named: "Strap", at: SimulatedPosition(x: 2))
    let strap = HeartRateStrap(options: host.managerOptions)
    phone.installAsDefault()
    defer { SimulatedHost.removeDefault() }

    let first = RestoredCentral()
    await air.advance(by: .seconds(1))
    let known = first.centralManager.retrievePeripherals(
      withIdentifiers: [phone.identifier(of: host)])
    let peripheral = try #require(known.first)
    first.discoveredPeripheral = peripheral
    first.centralManager.connect(peripheral)
    await air.advance(by: .seconds(1))
    #expect(peripheral.state == .connected)
    phone.application.terminate()
    phone.application.state = .background
    let second = RestoredCentral()
    await air.advance(by: .seconds(1))

    let restored = try #require(second.discoveredPeripheral)
    #expect(restored !== peripheral)
    #expect(restored.identifier == peripheral.identifier)
    #expect(restored.state == .connected)
    #expect(restored.delegate === second)
    #expect(host.connectedPeers.count == 1)
    second.centralManager.cancelPeripheralConnection(restored)
    await air.advance(by: .seconds(1))
    #expect(host.connectedPeers.isEmpty)
    #expect(phone.misuseReports == [])
    withExtendedLifetime((first, strap)) {}
  }

  @Test func `the peripheral of the guide is restored with its service`() async throws {
    let phone = air.makeHost(named: "Phone")
    let host = air.makeHost(named: "Device", at: SimulatedPosition(x: 2))
    host.installAsDefault()
    defer { SimulatedHost.removeDefault() }

    let first = RestoredPeripheral()
    await air.advance(by: .seconds(1))
    first.peripheralManager.add(CBMutableService(type: CBUUID(string: "180D"), primary: true))
    first.peripheralManager.startAdvertising([
      CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "180D")]
    ])
    await air.advance(by: .seconds(1))
    host.application.terminate()
    host.application.state = .background
    let second = RestoredPeripheral()
    await air.advance(by: .seconds(1))
    #expect(second.peripheralManager.isAdvertising)
    #expect(host.misuseReports == [])

    phone.installAsDefault()
    let keeper = KeepPeripheral()
    let manager = CBCentralManager(delegate: keeper, queue: nil)
    await air.advance(by: .seconds(10)) { keeper.discoveredPeripheral?.state == .connected }
    #expect(keeper.discoveredPeripheral?.state == .connected)
    withExtendedLifetime((first, manager)) {}
  }
}
