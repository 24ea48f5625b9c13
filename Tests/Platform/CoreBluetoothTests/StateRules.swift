// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Managers and state` {
  @Test func `rule 1: a new manager is unknown and gets its state later`() async {
    let lab = Lab()

    #expect(lab.central.manager.state == .unknown)
    #expect(lab.central.log.all == [])
    await lab.powerUp()
    #expect(lab.central.manager.state == .poweredOn)
    #expect(lab.central.log.all == ["state poweredOn"])
  }

  @Test(arguments: [CBManagerState.poweredOff, .unauthorized, .unsupported])
  func `rule 1: the first state is reported even if it is not poweredOn`(state: CBManagerState)
    async
  {
    let lab = Lab()
    lab.phone.state = state

    await lab.powerUp()

    #expect(lab.central.log.all == ["state \(state)"])
  }

  @Test func `rule 1: without a radio the state is unsupported`() async {
    // In a process of its own, where no other test installs a default radio, and no bus is found.
    await #expect(processExitsWith: .success) {
      setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1)
      let (states, told) = AsyncStream.makeStream(of: Void.self)
      let probe = StateProbe { told.yield() }
      let manager = CBCentralManager(delegate: probe, queue: DispatchQueue(label: "radioless"))

      for await _ in states { break }

      #expect(manager.state == .unsupported)
      #expect(probe.log.all == ["state unsupported"])
    }
  }

  @Test func `rule 2: nil is the main queue, also for peripherals`() async throws {
    let lab = Lab()
    let probe = CentralProbe(lab.phone, queue: .main)
    await lab.powerUp()

    probe.manager.scanForPeripherals(withServices: nil)
    await lab.air.advance(by: .seconds(5)) { probe.log.has("discovered Meter") }
    let peripheral = try #require(probe.peripherals.first)
    probe.manager.connect(peripheral)
    await lab.air.advance(by: .seconds(5)) { probe.log.has("connected connected") }
    peripheral.readRSSI()
    await lab.air.advance(by: .seconds(5)) { probe.log.count("rssi") == 1 }

    // The probe checks its queue in each callback.
    #expect(probe.log.count("rssi") == 1)
  }

  @Test func `rule 3: commands of a manager that is not on are misuse`() async {
    let lab = Lab()
    lab.phone.state = .poweredOff
    lab.meter.state = .poweredOff
    await lab.powerUp()

    lab.central.manager.scanForPeripherals(withServices: nil)
    lab.central.manager.stopScan()
    lab.device.manager.startAdvertising(nil)

    let complaint = "can only accept this command while in the powered on state"
    #expect(!lab.central.manager.isScanning)
    #expect(lab.phone.misuseReports.count == 2)
    #expect(
      lab.phone.misuseReports.allSatisfy {
        $0.hasPrefix("[CoreBluetooth] API MISUSE: <CBCentralManager: 0x")
          && $0.hasSuffix(complaint)
      })
    #expect(lab.meter.misuseReports.count == 1)
    #expect(
      lab.meter.misuseReports.allSatisfy {
        $0.hasPrefix("[CoreBluetooth] API MISUSE: <CBPeripheralManager: 0x")
      })
  }

  @Test func `rule 4: a manager that is not on retrieves nothing`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    let identifier = peripheral.identifier

    lab.phone.state = .poweredOff
    await lab.run(.seconds(1))

    #expect(lab.central.manager.retrievePeripherals(withIdentifiers: [identifier]) == [])
    #expect(
      lab.central.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "FFF0")])
        == [])
  }

  @Test func `rule 5: power-off ends scan and connections without a disconnect call`() async throws
  {
    let lab = Lab()
    let peripheral = try await lab.connect()
    lab.central.manager.scanForPeripherals(withServices: nil)
    lab.central.log.clear()

    lab.phone.state = .poweredOff
    await lab.run(.seconds(10))

    #expect(lab.central.log.all == ["state poweredOff"])
    #expect(peripheral.state == .disconnected)
    #expect(!lab.central.manager.isScanning)
    lab.central.manager.cancelPeripheralConnection(peripheral)
    #expect(lab.phone.misuseReports.count == 1)
  }

  @Test func `rule 6: below powered off the peripherals are invalid`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()

    lab.phone.state = .resetting
    await lab.run(.seconds(1))
    lab.phone.state = .poweredOn
    await lab.run(.seconds(1))
    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(5))

    #expect(peripheral.state == .disconnected)
    #expect(lab.phone.misuseReports.count == 1)
    let again = lab.central.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier])
    #expect(again.count == 1)
    #expect(again.first !== peripheral)
  }

  @Test func `rule 7: a published service survives power-off but not a reset`() async throws {
    let lab = Lab()
    await lab.powerUp()

    lab.meter.state = .poweredOff
    await lab.run(.seconds(1))
    lab.meter.state = .poweredOn
    await lab.run(.seconds(1))
    let link = try await lab.open()
    #expect(link.service.uuid == CBUUID(string: "FFF0"))
    lab.meter.state = .resetting
    await lab.run(.seconds(10))
    lab.meter.state = .poweredOn
    lab.central.log.clear()
    lab.central.manager.scanForPeripherals(withServices: nil)
    await lab.run(.seconds(5))

    #expect(!lab.device.manager.isAdvertising)
    #expect(lab.central.log.count("discovered") == 0)
  }

  @Test func `rule 7: advertising is paused without power and goes on with it`() async throws {
    let lab = Lab()
    await lab.powerUp()
    #expect(lab.device.manager.isAdvertising)
    lab.device.log.clear()

    lab.meter.state = .poweredOff
    await lab.run(.seconds(1))
    #expect(!lab.device.manager.isAdvertising)
    lab.device.onState = { #expect($0.isAdvertising) }
    lab.meter.state = .poweredOn
    _ = try await lab.find()

    #expect(lab.device.log.all == ["state poweredOff", "state poweredOn"])
    #expect(lab.device.manager.isAdvertising)
  }

  @Test func `rule 7: advertising that was stopped does not go on with the power`() async throws {
    let lab = Lab()
    await lab.powerUp()
    lab.device.manager.stopAdvertising()

    lab.meter.state = .poweredOff
    await lab.run(.seconds(1))
    lab.meter.state = .poweredOn
    await lab.run(.seconds(1))

    #expect(!lab.device.manager.isAdvertising)
  }

  @Test func `rule 8: without a prompt the process is authorized`() async {
    let lab = Lab()
    lab.phone.state = .unauthorized
    await lab.powerUp()

    #expect(CBManager.authorization == .allowedAlways)
    #expect(lab.central.manager.state == .unauthorized)
  }

  @Test func `rule 8: a default radio that is not authorized denies`() async {
    await #expect(processExitsWith: .success) {
      let host = SimulatedRadioEnvironment().makeHost(named: "Phone")
      host.installAsDefault()
      #expect(CBManager.authorization == .allowedAlways)
      host.state = .unauthorized
      #expect(CBManager.authorization == .denied)
      #expect(CBCentralManager.authorization == .denied)
    }
  }

  @Test func `rule 9: releasing the manager ends its connections`() async throws {
    let lab = Lab()
    let peripheral = try await lab.connect()
    #expect(lab.meter.connectedPeers.count == 1)
    lab.central.log.clear()

    lab.central.dropManager()
    await lab.run(.seconds(10))

    #expect(lab.meter.connectedPeers.isEmpty)
    #expect(lab.central.log.all == [])
    withExtendedLifetime(peripheral) {}
  }

  @Test func `rule 9: delegates are weak`() async {
    let air = SimulatedRadioEnvironment()
    let host = air.makeHost(named: "Phone")
    var probe: StateProbe? = StateProbe()
    weak let reference = probe
    let manager = CBCentralManager(
      delegate: probe, queue: DispatchQueue(label: "weak"), options: host.managerOptions)

    await air.advance(by: .seconds(1))
    #expect(probe?.log.all == ["state poweredOn"])
    probe = nil

    #expect(reference == nil)
    #expect(manager.delegate == nil)
  }
}

extension `Managers and state` {
  @Test func `rule 10: discovering without a delegate method is misuse`() async throws {
    let lab = Lab()
    let peripheral = try await lab.connect()
    peripheral.delegate = nil

    peripheral.discoverServices(nil)
    await lab.run(.seconds(1))

    #expect(peripheral.services?.count == 1)
    #expect(lab.phone.misuseReports.count == 1)
    #expect(
      lab.phone.misuseReports.allSatisfy {
        $0.hasSuffix(
          "while delegate is either nil or does not implement peripheral:didDiscoverServices:")
      })
  }
}

extension `Managers and state` {
  @Test func `rule 10: reading the signal strength without a delegate method is misuse`()
    async throws
  {
    let lab = Lab()
    let peripheral = try await lab.connect()
    let deaf = DeafDelegate()

    peripheral.delegate = deaf
    peripheral.readRSSI()
    await lab.run(.seconds(1))
    peripheral.delegate = nil
    peripheral.readRSSI()
    await lab.run(.seconds(1))

    #expect(lab.phone.misuseReports.count == 2)
    #expect(
      lab.phone.misuseReports.allSatisfy {
        $0.contains("Reading RSSI for peripheral <CBPeripheral: 0x")
          && $0.hasSuffix(
            "while delegate is either nil or does not implement peripheral:didReadRSSI:error:")
      })
  }

  @Test func `rule 10: changed services without a delegate method are misuse`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let deaf = DeafDelegate()
    link.peripheral.delegate = deaf

    lab.device.manager.removeAllServices()
    await lab.run(.seconds(1))

    #expect(link.peripheral.services == [])
    #expect(lab.phone.misuseReports.count == 1)
    #expect(
      lab.phone.misuseReports.allSatisfy {
        $0.hasSuffix("does not implement -[peripheral:didModifyServices:]")
      })
  }
}

/// A delegate without any method.
private final class DeafDelegate: NSObject, CBPeripheralDelegate {}

/// A delegate with the required method only.
final class StateProbe: NSObject, CBCentralManagerDelegate {
  let log = EventLog()
  private let told: @Sendable () -> Void

  init(told: @escaping @Sendable () -> Void = {}) {
    self.told = told
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    log.note("state \(central.state)")
    told()
  }
}
