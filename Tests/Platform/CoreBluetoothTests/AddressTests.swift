// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Changing addresses` {
  private func pair(_ lab: Lab) async throws -> CBPeripheral {
    let link = try await lab.open()
    link.peripheral.readValue(for: try link("FFF6"))
    await lab.run(.seconds(5))
    #expect(lab.phone.isBonded(with: lab.meter))
    return link.peripheral
  }

  @Test func `a host without a bond finds a new peer`() async throws {
    let lab = Lab()
    let old = try await lab.find()
    lab.central.manager.scanForPeripherals(withServices: nil)
    await lab.run(.seconds(2))
    lab.central.log.clear()

    lab.meter.rotateAddress()
    await lab.run(.seconds(2))

    #expect(lab.central.log.all == ["discovered Meter"])
    let new = try #require(lab.central.peripherals.last)
    #expect(new !== old)
    #expect(new.identifier != old.identifier)
    #expect(new.identifier == lab.phone.identifier(of: lab.meter))
    lab.central.manager.connect(old)
    await lab.run(.seconds(60))
    #expect(old.state == .connecting)
    lab.central.manager.connect(new)
    await lab.run(.seconds(2))
    #expect(new.state == .connected)
    #expect(old.state == .connecting)
  }

  @Test func `a host with a bond keeps the identifier`() async throws {
    let lab = Lab()
    let peripheral = try await pair(lab)
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))

    lab.meter.rotateAddress()
    lab.central.log.clear()
    lab.central.manager.scanForPeripherals(withServices: nil)
    await lab.run(.seconds(2))
    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(2))

    #expect(lab.central.log.all == ["discovered Meter", "connected connected"])
    #expect(lab.central.peripherals.count == 1)
  }

  @Test func `a host that has removed the bond finds a new peer again`() async throws {
    let lab = Lab()
    let peripheral = try await pair(lab)
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))
    lab.meter.rotateAddress()
    #expect(lab.phone.identifier(of: lab.meter) == peripheral.identifier)

    lab.phone.forgetBond(with: lab.meter)

    #expect(lab.phone.identifier(of: lab.meter) != peripheral.identifier)
  }

  @Test func `a link survives a change of the address`() async throws {
    let lab = Lab()
    let link = try await lab.open()

    lab.meter.rotateAddress()
    lab.phone.rotateAddress()
    link.peripheral.readValue(for: try link("FFF2"))
    await lab.run(.seconds(1))
    #expect(lab.central.log.all == ["value FFF2 68656c6c6f"])
    #expect(lab.phone.connectedPeers == [link.peripheral.identifier])
    lab.central.manager.cancelPeripheralConnection(link.peripheral)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all.last == "disconnected disconnected")
    #expect(lab.meter.connectedPeers.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a device recognises a phone only by its bond`(isBonded: Bool) async throws {
    let lab = Lab()
    _ = isBonded ? try await pair(lab) : try await lab.connect()
    let before = try #require(lab.meter.connectedPeers.first)
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))

    lab.phone.rotateAddress()
    let peripheral = try #require(lab.central.peripherals.first)
    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(2))

    #expect(peripheral.state == .connected)
    #expect((lab.meter.connectedPeers == [before]) == isBonded)
  }
}
