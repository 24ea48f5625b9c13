// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Remote database` {
  private static let hidden = ["1800", "1801", "1812", "7905F431-B5CE-4E99-A40F-4B1E122D00D0"]

  @Test func `rule 37: every host has the generic services, hidden from apps`() async throws {
    let lab = Lab()
    let link = try await lab.open()

    link.peripheral.discoverServices(["1800", "1801"].map { CBUUID(string: $0) })
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["services"])
    #expect(link.peripheral.services?.map(\.uuid.uuidString) == ["FFF0"])
    // The radio has them: everything that is connected has Generic Access.
    let connected = lab.central.manager.retrieveConnectedPeripherals(
      withServices: [CBUUID(string: "1800")])
    #expect(connected == [link.peripheral])
  }

  @Test func `rule 37: keyboards and notification services are hidden from apps`() async throws {
    let lab = Lab()
    await lab.powerUp()
    for uuid in Self.hidden.suffix(2) {
      let service = CBMutableService(type: CBUUID(string: uuid), primary: true)
      lab.device.manager.add(service)
    }
    let outer = CBMutableService(type: CBUUID(string: "AAA2"), primary: true)
    let keyboard = CBMutableService(type: CBUUID(string: "1812"), primary: false)
    lab.device.manager.add(keyboard)
    outer.includedServices = [keyboard]
    lab.device.manager.add(outer)

    let link = try await lab.open()
    link.peripheral.discoverServices(Self.hidden.map { CBUUID(string: $0) })
    link.peripheral.discoverIncludedServices(nil, for: try #require(link.peripheral.services?.last))
    await lab.run(.seconds(1))

    #expect(link.peripheral.services?.map(\.uuid.uuidString) == ["FFF0", "AAA2"])
    #expect(link.peripheral.services?.last?.includedServices == [])
  }

  /// Pairs, with a second service that the device has then, and disconnects.
  private func bond(_ lab: Lab, _ extra: CBMutableService) async throws -> OpenLink {
    await lab.powerUp()
    lab.device.manager.add(extra)
    let link = try await lab.open()
    link.peripheral.readValue(for: try link("FFF6"))
    await lab.run(.seconds(5))
    link.peripheral.discoverServices(nil)
    await lab.run(.seconds(1))
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))
    lab.central.log.clear()
    return link
  }

  private func reconnect(_ lab: Lab, _ peripheral: CBPeripheral) async {
    lab.central.manager.connect(peripheral)
    await lab.wait(for: "connected connected")
    lab.central.log.clear()
  }

  @Test func `rule 38: the database of a bonded device is cached`() async throws {
    let lab = Lab()
    let extra = CBMutableService(type: CBUUID(string: "AAA1"), primary: true)
    let peripheral = try await bond(lab, extra).peripheral
    await reconnect(lab, peripheral)
    lab.meter.link.answerTime = .seconds(10)

    peripheral.discoverServices(nil)
    await lab.run(.milliseconds(1))

    #expect(lab.central.log.all == ["services"])
    #expect(peripheral.services?.map(\.uuid.uuidString) == ["FFF0", "AAA1"])
  }

  @Test func `rule 38: without a bond it is discovered on each connection`() async throws {
    let lab = Lab()
    let peripheral = try await lab.open().peripheral
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))
    await reconnect(lab, peripheral)
    lab.meter.link.answerTime = .seconds(10)

    peripheral.discoverServices(nil)
    await lab.run(.seconds(10))
    #expect(lab.central.log.all == [])
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["services"])
  }

  @Test func `rule 38: a database that changed meanwhile is corrected after connecting`()
    async throws
  {
    let lab = Lab()
    let extra = CBMutableService(type: CBUUID(string: "AAA1"), primary: true)
    let peripheral = try await bond(lab, extra).peripheral
    lab.device.manager.remove(extra)
    lab.device.manager.add(CBMutableService(type: CBUUID(string: "AAA2"), primary: true))
    await lab.run(.seconds(1))
    await reconnect(lab, peripheral)

    peripheral.discoverServices(nil)
    await lab.run(.milliseconds(10))
    let stale = try #require(peripheral.services?.last)
    #expect(lab.central.log.all == ["services"])
    #expect(stale.uuid == CBUUID(string: "AAA1"))
    await lab.run(.seconds(1))
    #expect(lab.central.log.all == ["services", "modified AAA1"])
    peripheral.discoverServices(nil)
    peripheral.discoverCharacteristics(nil, for: stale)
    await lab.run(.seconds(1))

    #expect(peripheral.services?.map(\.uuid.uuidString) == ["FFF0", "AAA2"])
    #expect(lab.phone.misuseReports.count == 1)
  }

  @Test func `rule 38: objects of an earlier connection are refused`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let old = try link("FFF2")
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))
    await reconnect(lab, link.peripheral)

    link.peripheral.readValue(for: old)
    link.peripheral.setNotifyValue(true, for: old)
    link.peripheral.discoverCharacteristics(nil, for: link.service)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == [])
    #expect(lab.phone.misuseReports.count == 3)
    #expect(lab.phone.misuseReports.allSatisfy { $0.contains(" is not valid for ") })
  }

  @Test func `rule 38: characteristics of a withdrawn service are refused`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let dead = try link("FFF2")

    lab.device.manager.removeAllServices()
    await lab.run(.seconds(1))
    link.peripheral.readValue(for: dead)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["modified FFF0"])
    #expect(lab.phone.misuseReports.count == 1)
  }
}
