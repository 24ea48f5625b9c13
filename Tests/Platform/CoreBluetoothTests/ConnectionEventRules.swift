// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

extension Connecting {
  @Test func `rule 33: connections of other apps are events`() async throws {
    let lab = Lab()
    let second = CentralProbe(lab.phone, label: "second")
    let peripheral = try await lab.find()
    second.manager.registerForConnectionEvents(
      options: [.serviceUUIDs: [CBUUID(string: "FFF0")]])
    lab.central.manager.connect(peripheral)
    await lab.wait(for: "connected connected")
    lab.central.manager.cancelPeripheralConnection(peripheral)
    await lab.run(.seconds(1))
    #expect(
      second.log.all == ["state poweredOn", "event peerConnected", "event peerDisconnected"])

    second.manager.registerForConnectionEvents(options: nil)
    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(5))
    #expect(peripheral.state == .connected)
    #expect(second.log.all.count == 3)
  }

  @Test func `rule 33: connections are chosen by identifier, or by at most four services`()
    async throws
  {
    let lab = Lab()
    let peripheral = try await lab.find()
    let probes = [CentralProbe(lab.phone, label: "peers"), CentralProbe(lab.phone, label: "five")]
    await lab.powerUp()
    let others = (0..<4).map { CBUUID(string: "AA0\($0)") }
    probes[0].manager.registerForConnectionEvents(
      options: [.peripheralUUIDs: [peripheral.identifier]])
    probes[1].manager.registerForConnectionEvents(
      options: [.serviceUUIDs: others + [CBUUID(string: "FFF0")]])

    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(2))

    #expect(probes.map { $0.log.count("event peerConnected") } == [1, 0])
  }

  private func watch(_ probe: CentralProbe) {
    probe.manager.registerForConnectionEvents(options: [.serviceUUIDs: [CBUUID(string: "FFF0")]])
  }

  @Test func `rule 33: one's own connection lies within the events of its link`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    lab.central.log.clear()
    watch(lab.central)

    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(5))
    #expect(lab.central.log.all == ["event peerConnected", "connected connected"])

    lab.central.log.clear()
    lab.central.manager.cancelPeripheralConnection(peripheral)
    await lab.run(.seconds(1))
    #expect(lab.central.log.all == ["disconnected disconnected", "event peerDisconnected"])
  }

  @Test func `rule 33: a lost link ends the connection, then it is an event`() async throws {
    let lab = Lab()
    _ = try await lab.connect()
    watch(lab.central)
    lab.central.log.clear()

    lab.meter.disconnectAll()
    await lab.run(.seconds(1))

    #expect(
      lab.central.log.all == [
        "disconnected disconnected CBErrorDomain 7", "event peerDisconnected",
      ])
  }

  @Test func `rule 33: a link that another app keeps is no event`() async throws {
    let lab = Lab()
    let peripheral = try await lab.connect()
    let second = CentralProbe(lab.phone, label: "second")
    await lab.powerUp()
    watch(second)
    let own = try #require(
      second.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first)
    second.log.clear()

    second.manager.connect(own)
    await lab.run(.seconds(1))
    second.manager.cancelPeripheralConnection(own)
    await lab.run(.seconds(1))

    #expect(second.log.all == ["connected connected", "disconnected disconnected"])
    #expect(peripheral.state == .connected)
  }

  @Test func `rule 33: an app that hears of a link and connects shares it`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    let second = CentralProbe(lab.phone, label: "second")
    await lab.powerUp()
    watch(second)
    let own = try #require(
      second.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first)
    second.log.clear()

    lab.central.manager.connect(peripheral)
    await lab.air.advance(by: .seconds(5)) { second.log.has("event peerConnected") }
    second.manager.connect(own)
    await lab.run(.seconds(1))

    #expect(second.log.all == ["event peerConnected", "connected connected"])
    #expect(lab.meter.connectedPeers.count == 1)
  }

  @Test func `rule 33: without power the end of links is no event`() async throws {
    let lab = Lab()
    _ = try await lab.connect()
    watch(lab.central)
    lab.central.log.clear()

    lab.phone.state = .poweredOff
    await lab.run(.seconds(10))

    #expect(lab.central.log.all == ["state poweredOff"])
  }
}
