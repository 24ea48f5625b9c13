// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct Connecting {
  @Test func `rule 19: connecting has no time limit`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    lab.meter.position = SimulatedPosition(x: 500)

    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(3600))
    #expect(peripheral.state == .connecting)
    #expect(lab.central.log.count("connected") == 0)

    lab.meter.position = SimulatedPosition(x: 5)
    await lab.wait(for: "connected connected")
    #expect(peripheral.state == .connected)
  }

  @Test func `rule 20: releasing a peripheral cancels its connection`() async throws {
    let lab = Lab()
    _ = try await lab.connect()
    #expect(lab.meter.connectedPeers.count == 1)
    lab.central.log.clear()

    lab.central.forgetPeripherals()
    await lab.run(.seconds(1))

    #expect(lab.meter.connectedPeers.isEmpty)
    #expect(lab.central.log.all == [])
    #expect(lab.phone.misuseReports.count == 1)
    let line = "[CoreBluetooth] API MISUSE: Forcing disconnection of unused peripheral"
    #expect(lab.phone.misuseReports.allSatisfy { $0.hasPrefix(line) })
  }

  @Test func `rule 20: releasing a pending connection is reported as misuse`() async throws {
    let lab = Lab()
    lab.central.manager.connect(try await lab.find())

    lab.central.forgetPeripherals()
    await lab.run(.seconds(5))

    #expect(lab.meter.connectedPeers.isEmpty)
    #expect(lab.phone.misuseReports.count == 1)
    #expect(
      lab.phone.misuseReports.allSatisfy {
        $0.contains("Cancelling connection for unused peripheral <CBPeripheral: 0x")
          && $0.hasSuffix("Did you forget to keep a reference to it?")
      })
  }

  @Test func `rule 21: one object a manager, and no second link for another one`() async throws {
    let lab = Lab()
    let peripheral = try await lab.connect()
    let second = CentralProbe(lab.phone, label: "second")
    await lab.powerUp()

    let retrieved = lab.central.manager.retrievePeripherals(
      withIdentifiers: [peripheral.identifier])
    let own = try #require(
      second.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first)
    #expect(retrieved.first === peripheral)
    #expect(own !== peripheral)
    #expect(own.state == .disconnected)

    second.manager.connect(own)
    await lab.run(.milliseconds(1))
    #expect(second.log.all == ["state poweredOn", "connected connected"])
    #expect(lab.meter.connectedPeers.count == 1)

    lab.central.manager.cancelPeripheralConnection(peripheral)
    await lab.run(.seconds(1))
    #expect(own.state == .connected)
    #expect(lab.meter.connectedPeers.count == 1)
  }

  @Test func `rule 22: a peripheral of another manager is not connected`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    let second = CentralProbe(lab.phone, label: "second")
    await lab.powerUp()

    second.manager.connect(peripheral)
    await lab.run(.seconds(5))

    #expect(peripheral.state == .disconnected)
    #expect(lab.phone.misuseReports.count == 1)
  }

  @Test func `rule 23: connecting twice before there is a link gives one call`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()

    lab.central.manager.connect(peripheral)
    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(5))

    #expect(lab.central.log.count("connected") == 1)
  }

  @Test func `rule 23: connecting what is connected calls didConnect again, later`() async throws {
    let lab = Lab()
    let link = try await lab.open()

    lab.central.queue.sync {
      lab.central.manager.connect(link.peripheral)
      #expect(lab.central.log.all == [])
    }
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["connected connected"])
    #expect(link.peripheral.services?.map(\.uuid.uuidString) == ["FFF0"])
    #expect(lab.meter.connectedPeers.count == 1)
    link.peripheral.readValue(for: try link("FFF2"))
    await lab.wait(for: "value FFF2 68656c6c6f")
  }

  @Test func `rule 23: each manager gets its own call again`() async throws {
    let lab = Lab()
    let peripheral = try await lab.connect()
    let second = CentralProbe(lab.phone, label: "second")
    await lab.powerUp()
    let own = try #require(
      second.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first)
    second.keep(own)
    second.manager.connect(own)
    await lab.run(.seconds(1))
    lab.central.log.clear()
    second.log.clear()

    second.manager.connect(own)
    await lab.run(.seconds(1))

    #expect(second.log.all == ["connected connected"])
    #expect(lab.central.log.all == [])
  }

  @Test func `rule 23: what is no longer connected is not connected by the second call`()
    async throws
  {
    let lab = Lab()
    let peripheral = try await lab.connect()
    lab.central.log.clear()

    // The link is lost, but the manager does not know it yet.
    lab.central.queue.sync {
      lab.meter.disconnectAll()
      #expect(peripheral.state == .connected)
      lab.central.manager.connect(peripheral)
    }
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["disconnected disconnected CBErrorDomain 7"])
    #expect(peripheral.state == .disconnected)
    #expect(lab.meter.connectedPeers.isEmpty)
  }

  @Test func `rule 23: a connection that is cancelled meanwhile is not reported again`()
    async throws
  {
    let lab = Lab()
    let peripheral = try await lab.connect()
    lab.central.log.clear()

    lab.central.queue.sync {
      lab.central.manager.connect(peripheral)
      lab.central.manager.cancelPeripheralConnection(peripheral)
    }
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["disconnected disconnected"])
  }

  @Test func `rule 24: cancelling a pending connect ends in didDisconnect without error`()
    async throws
  {
    let lab = Lab()
    let peripheral = try await lab.find()
    lab.meter.position = SimulatedPosition(x: 500)
    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(5))
    lab.central.log.clear()

    lab.central.manager.cancelPeripheralConnection(peripheral)
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["disconnected disconnected"])
  }

  @Test func `rule 24: cancelling a live connection passes through disconnecting`() async throws {
    let lab = Lab()
    let peripheral = try await lab.connect()
    lab.central.log.clear()

    lab.central.manager.cancelPeripheralConnection(peripheral)
    #expect(peripheral.state == .disconnecting)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["disconnected disconnected"])
    #expect(lab.meter.connectedPeers.isEmpty)
  }

  @Test func `rule 24: cancelling while the link is set up leaves no link`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    lab.meter.link.setupTime = .seconds(1)
    lab.central.manager.connect(peripheral)
    await lab.run(.milliseconds(500))
    lab.central.log.clear()

    lab.central.manager.cancelPeripheralConnection(peripheral)
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["disconnected disconnected"])
    #expect(lab.meter.connectedPeers.isEmpty)
  }

  @Test func `a connect while cancelling follows the disconnect`() async throws {
    let lab = Lab()
    let peripheral = try await lab.connect()
    lab.central.log.clear()

    lab.central.manager.cancelPeripheralConnection(peripheral)
    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["disconnected disconnected", "connected connected"])
  }

  @Test func `a connect while cancelling can be cancelled when the disconnect is reported`()
    async throws
  {
    let lab = Lab()
    let peripheral = try await lab.connect()
    lab.central.log.clear()
    lab.central.onDisconnect = { $0.cancelPeripheralConnection($1) }

    lab.central.manager.cancelPeripheralConnection(peripheral)
    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["disconnected disconnected"])
    #expect(peripheral.state == .disconnected)
    #expect(lab.meter.connectedPeers.isEmpty)
  }

  @Test func `rule 25: a lost link times out, a peer that disconnects has disconnected`()
    async throws
  {
    let lab = Lab()
    let peripheral = try await lab.connect()
    lab.central.log.clear()

    lab.meter.position = SimulatedPosition(x: 500)
    await lab.run(.milliseconds(3900))
    #expect(lab.central.log.all == [])
    await lab.run(.milliseconds(200))
    #expect(lab.central.log.all == ["disconnected disconnected CBErrorDomain 6"])

    lab.meter.position = SimulatedPosition(x: 2)
    lab.central.manager.connect(peripheral)
    await lab.wait(for: "connected connected")
    lab.central.log.clear()
    lab.meter.disconnectAll()
    await lab.run(.milliseconds(100))
    #expect(lab.central.log.all == ["disconnected disconnected CBErrorDomain 7"])
  }

  @Test func `rule 25: a short loss of the signal only delays`() async throws {
    let lab = Lab()
    let link = try await lab.open()

    lab.meter.position = SimulatedPosition(x: 500)
    link.peripheral.readValue(for: try link("FFF2"))
    await lab.run(.seconds(3))
    #expect(lab.central.log.all == [])
    lab.meter.position = SimulatedPosition(x: 2)
    await lab.run(.seconds(10))

    #expect(lab.central.log.all == ["value FFF2 68656c6c6f"])
  }

  @Test func `rule 25: a device that is switched off disconnects, one that is reset does not`()
    async throws
  {
    let lab = Lab()
    _ = try await lab.connect()
    lab.central.log.clear()
    lab.meter.state = .poweredOff
    await lab.run(.seconds(1))
    #expect(lab.central.log.all == ["disconnected disconnected CBErrorDomain 7"])

    let other = Lab()
    _ = try await other.connect()
    other.central.log.clear()
    other.meter.state = .resetting
    await other.run(.seconds(3))
    #expect(other.central.log.all == [])
    await other.run(.seconds(2))
    #expect(other.central.log.all == ["disconnected disconnected CBErrorDomain 6"])
  }

  @Test func `rule 26: a disconnect ends everything that belonged to the link`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let notified = try link("FFF4")
    link.peripheral.setNotifyValue(true, for: notified)
    await lab.wait(for: "notify FFF4 on")
    lab.device.isSilent = true
    link.peripheral.readValue(for: try link("FFF1"))
    link.peripheral.readRSSI()
    await lab.run(.seconds(1))
    lab.central.log.clear()

    lab.meter.disconnectAll()
    await lab.run(.seconds(60))

    #expect(lab.central.log.all == ["disconnected disconnected CBErrorDomain 7"])
    #expect(link.peripheral.services == nil)
    #expect(!notified.isNotifying)
  }

  private let reconnecting: [String: Any] = [CBConnectPeripheralOptionEnableAutoReconnect: true]

  @Test func `rule 27: with auto-reconnect the system connects again after a loss`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    lab.central.manager.connect(peripheral, options: reconnecting)
    await lab.wait(for: "connected connected")
    lab.central.log.clear()

    lab.meter.disconnectAll()
    await lab.run(.seconds(5))
    #expect(
      lab.central.log.all == [
        "disconnected connecting reconnecting CBErrorDomain 7", "connected connected",
      ])

    lab.central.log.clear()
    lab.central.manager.cancelPeripheralConnection(peripheral)
    await lab.run(.seconds(5))
    #expect(lab.central.log.all == ["disconnected disconnected"])
  }

  @Test func `rule 28: with both methods the older is called and nothing reconnects`() async throws
  {
    let lab = Lab()
    let probe = BothDisconnects()
    let manager = CBCentralManager(
      delegate: probe, queue: DispatchQueue(label: "both"), options: lab.phone.managerOptions)
    _ = try await lab.find()
    let identifier = lab.phone.identifier(of: lab.meter)
    let peripheral = try #require(manager.retrievePeripherals(withIdentifiers: [identifier]).first)
    manager.connect(peripheral, options: reconnecting)
    await lab.run(.seconds(5))
    #expect(peripheral.state == .connected)

    lab.meter.disconnectAll()
    await lab.run(.seconds(5))

    #expect(probe.log.all == ["older"])
    #expect(peripheral.state == .disconnected)
  }

  @Test func `rule 30: too many links make a connection fail`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    lab.phone.maximumLinks = 0

    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(5))

    #expect(lab.central.log.all.last == "failed CBErrorDomain 11")
    #expect(peripheral.state == .disconnected)
  }

  @Test func `rule 31: peripherals connected to any app can be retrieved`() async throws {
    let lab = Lab()
    let peripheral = try await lab.connect()
    let second = CentralProbe(lab.phone, label: "second")
    await lab.powerUp()

    let found = second.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "FFF0")])
    #expect(found.map(\.identifier) == [peripheral.identifier])
    #expect(found.map(\.state) == [.disconnected])
    #expect(
      second.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180D")]) == [])
  }

  @Test func `rule 31: retrieving keeps the order and omits unknown peripherals`() async throws {
    let lab = Lab()
    let other = lab.air.makeHost(named: "Other")
    let device = DeviceProbe(other, name: "Other")
    _ = try await lab.find()
    lab.central.manager.scanForPeripherals(withServices: nil)
    await lab.wait(for: "discovered Other")
    let meterID = lab.phone.identifier(of: lab.meter)
    let otherID = lab.phone.identifier(of: other)

    let found = lab.central.manager.retrievePeripherals(withIdentifiers: [otherID, UUID(), meterID])

    #expect(found.map(\.identifier) == [otherID, meterID])
    withExtendedLifetime(device) {}
  }

  @Test func `a connection waits for its start delay`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()

    lab.central.manager.connect(
      peripheral, options: [CBConnectPeripheralOptionStartDelayKey: NSNumber(value: 20)])
    await lab.run(.seconds(19))
    #expect(peripheral.state == .connecting)
    await lab.run(.seconds(2))

    #expect(peripheral.state == .connected)
  }
}

/// A delegate with both disconnect methods.
private final class BothDisconnects: NSObject, CBCentralManagerDelegate {
  let log = EventLog()

  func centralManagerDidUpdateState(_ central: CBCentralManager) {}

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    log.note("older")
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
  ) {
    log.note("newer")
  }
}
