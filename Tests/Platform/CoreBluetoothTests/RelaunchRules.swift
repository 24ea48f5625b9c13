// SPDX-License-Identifier: Apache-2.0

@testable import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `The end of a process and the next one` {
  @Test func `rule 64: a terminated app is launched for a notification`() async throws {
    let lab = Lab(restoring: true)
    _ = try await lab.subscribe()
    let launches = EventLog()
    let relaunched = Relaunched()
    let phone = lab.phone
    phone.application.onLaunch(on: DispatchQueue(label: "launch")) { launch in
      launches.note("\(launch.centralManagers) \(launch.peripheralManagers)")
      relaunched.central = CentralProbe(phone, restoring: "central")
    }

    phone.application.terminate()
    await lab.run(.seconds(60))
    #expect(launches.all == [])
    #expect(phone.application.state == .terminated)
    #expect(lab.device.update("FFF4", [1]))
    await lab.run(.seconds(1))

    #expect(launches.all == ["[\"central\"] []"])
    #expect(phone.application.state == .background)
    #expect(
      relaunched.central?.log.all == ["restored connected", "state poweredOn", "value FFF4 01"])
    await lab.run(.seconds(10))
    #expect(phone.application.state == .suspended)
    phone.application.onLaunch(nil)
  }

  /// What wakes an app, and what its manager hears then.
  enum Occasion: String, CaseIterable {
    case connection, loss, discovery, notification
  }

  @Test(arguments: Occasion.allCases)
  func `rule 64: events that a central waits for relaunch its app`(occasion: Occasion) async throws
  {
    var lab = Lab(restoring: true)
    switch occasion {
    case .connection, .discovery:
      let peripheral = try await lab.find()
      lab.meter.position.x = 500
      if occasion == .connection {
        lab.central.manager.connect(peripheral)
      } else {
        lab.central.manager.scanForPeripherals(withServices: [CBUUID(string: "FFF0")])
      }
      await lab.run(.seconds(1))
    case .loss, .notification:
      _ = try await lab.subscribe()
    }
    lab.phone.application.terminate()
    await lab.run(.seconds(60))
    #expect(lab.phone.application.awaitingRelaunch == [])

    switch occasion {
    case .connection, .discovery: lab.meter.position.x = 2
    case .loss: lab.meter.disconnectAll()
    case .notification: #expect(lab.device.update("FFF4", [1]))
    }
    await lab.run(.seconds(20))

    #expect(lab.phone.application.awaitingRelaunch == ["central"])
    _ = await lab.relaunchCentral()
    let expected =
      switch occasion {
      case .connection: ["restored connecting", "state poweredOn", "connected connected"]
      case .loss:
        [
          "restored connected", "state poweredOn",
          "disconnected disconnected CBErrorDomain 7",
        ]
      case .discovery: ["restored", "state poweredOn", "discovered Meter"]
      case .notification: ["restored connected", "state poweredOn", "value FFF4 01"]
      }
    #expect(Array(lab.central.log.all.prefix(3)) == expected)
  }

  enum Access: String, CaseIterable {
    case read, write, subscription
  }

  @Test(arguments: Access.allCases)
  func `rule 64: requests of a central relaunch the peripheral's app`(access: Access)
    async throws
  {
    var lab = Lab(restoring: true)
    let link = try await lab.open()
    lab.meter.application.terminate()
    await lab.run(.seconds(60))
    #expect(lab.meter.application.awaitingRelaunch == [])

    switch access {
    case .read: link.peripheral.readValue(for: try link("FFF1"))
    case .write:
      link.peripheral.writeValue(Data([5]), for: try link("FFF3"), type: .withResponse)
    case .subscription: link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    }
    await lab.run(.seconds(1))

    #expect(lab.meter.application.awaitingRelaunch == ["device"])
    let old = await lab.relaunchDevice()
    await lab.run(.seconds(1))
    let expected =
      switch access {
      case .read: ("read FFF1 @0", "value FFF1 ")
      case .write: ("write FFF3 @0 05", "wrote FFF3")
      case .subscription: ("subscribed FFF4", "notify FFF4 on")
      }
    #expect(lab.device.log.all == ["restored FFF0", "state poweredOn", expected.0])
    #expect(lab.central.log.all == [expected.1])
    #expect(old.log.all == [])
  }

  @Test func `rule 64: a scan for everything does not relaunch`() async throws {
    var lab = Lab(restoring: true)
    lab.meter.position.x = 500
    await lab.powerUp()
    lab.central.manager.scanForPeripherals(withServices: nil)
    lab.phone.application.terminate()

    lab.meter.position.x = 2
    await lab.run(.seconds(60))
    #expect(lab.phone.application.awaitingRelaunch == [])
    _ = await lab.relaunchCentral(into: .foreground)
    await lab.run(.seconds(2))

    #expect(lab.central.log.all == ["restored", "state poweredOn", "discovered Meter"])
    #expect(lab.central.restoredState.isEmpty)
  }

  @Test func `rule 64: an app that the user closed is not relaunched`() async throws {
    var lab = Lab(restoring: true)
    _ = try await lab.subscribe()

    lab.phone.application.forceQuit()
    await lab.run(.seconds(1))

    #expect(lab.phone.application.state == .terminated)
    #expect(lab.meter.connectedPeers.isEmpty)
    #expect(lab.device.log.all == ["unsubscribed FFF4"])
    await lab.run(.seconds(60))
    #expect(lab.phone.application.awaitingRelaunch == [])
    let old = await lab.relaunchCentral(into: .foreground)
    #expect(lab.central.log.all == ["state poweredOn"])
    #expect(old.log.all == [])
  }

  @Test func `rule 64: closing a terminated app drops its kept state`() async throws {
    var lab = Lab(restoring: true)
    _ = try await lab.subscribe()
    lab.phone.application.terminate()
    lab.meter.application.terminate()
    #expect(lab.meter.connectedPeers.count == 1)

    lab.phone.application.forceQuit()
    lab.meter.application.forceQuit()
    await lab.run(.seconds(1))

    #expect(lab.meter.connectedPeers.isEmpty)
    _ = await lab.relaunchCentral(into: .foreground)
    _ = await lab.relaunchDevice()
    #expect(lab.central.log.all == ["state poweredOn"])
    #expect(lab.device.log.all.first == "state poweredOn")
  }

  @Test(arguments: [CBManagerState.poweredOff, .resetting])
  func `rule 64: powering off drops the kept state`(state: CBManagerState) async throws {
    var lab = Lab(restoring: true)
    _ = try await lab.subscribe()
    lab.phone.application.terminate()

    lab.phone.state = state
    await lab.run(.seconds(10))
    lab.phone.state = .poweredOn
    await lab.run(.seconds(60))

    #expect(lab.meter.connectedPeers.isEmpty)
    #expect(lab.phone.application.awaitingRelaunch == [])
    _ = await lab.relaunchCentral()
    #expect(lab.central.log.all == ["state poweredOn"])
  }

  @Test func `rule 64: a restart keeps requested connections, not the links`() async throws {
    var lab = Lab(restoring: true)
    _ = try await lab.subscribe()

    lab.phone.restart()
    await lab.run(.seconds(3))
    #expect(lab.meter.connectedPeers.count == 1)
    #expect(lab.device.log.all == [])
    await lab.run(.seconds(10))

    // The supervision time-out has ended the old link; the new one knows of no subscription.
    #expect(lab.device.log.all == ["unsubscribed FFF4"])
    #expect(lab.phone.application.awaitingRelaunch == ["central"])
    _ = await lab.relaunchCentral()
    #expect(
      lab.central.log.all == [
        "restored connecting", "state poweredOn", "connected connected",
      ])
    #expect(lab.central.peripherals.first?.services == nil)
  }

  @Test func `rule 64: a restarted device serves again without its subscribers`() async throws {
    var lab = Lab(restoring: true)
    let link = try await lab.subscribe()

    lab.meter.restart()
    await lab.wait(for: "disconnected disconnected CBErrorDomain 6")
    #expect(lab.meter.application.awaitingRelaunch == [])
    let old = await lab.relaunchDevice()

    #expect(lab.device.log.all == ["restored FFF0", "state poweredOn"])
    #expect(lab.device.characteristic("FFF4")?.subscribedCentrals == [])
    lab.meter.application.state = .foreground
    lab.central.manager.connect(link.peripheral)
    await lab.wait(for: "connected connected")
    withExtendedLifetime(old) {}
  }

  @Test func `rule 64: without the background mode nothing relaunches`() async throws {
    var lab = Lab(restoring: true)
    _ = try await lab.subscribe()
    lab.phone.application.backgroundModes = .peripheral
    lab.phone.application.terminate()

    #expect(lab.device.update("FFF4", [1]))
    await lab.run(.seconds(10))

    #expect(lab.phone.application.awaitingRelaunch == [])
    lab.phone.application.backgroundModes = .central
    #expect(lab.phone.application.awaitingRelaunch == ["central"])
    _ = await lab.relaunchCentral()
    #expect(lab.central.log.has("value FFF4 01"))
  }
}

/// A manager whose delegate ends the process in its first call.
final class Quitter: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
  let log = EventLog()
  private let application: SimulatedApplication
  private let lock = NSLock()
  private var manager: CBCentralManager?

  init(_ application: SimulatedApplication) {
    self.application = application
    super.init()
    var options = application.managerOptions
    options[CBCentralManagerOptionRestoreIdentifierKey] = "central"
    lock.withLock {
      manager = CBCentralManager(
        delegate: self, queue: DispatchQueue(label: "quitter"), options: options)
    }
  }

  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    log.note("restored")
    application.terminate()
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    log.note("state \(central.state)")
  }
}

/// The manager that a launch handler makes.
final class Relaunched: @unchecked Sendable {
  private let lock = NSLock()
  private var probe: CentralProbe?

  var central: CentralProbe? {
    get { lock.withLock { probe } }
    set { lock.withLock { probe = newValue } }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Managers of a terminated app` {
  @Test func `receive no events`() async throws {
    var lab = Lab(restoring: true)
    let link = try await lab.subscribe()
    link.peripheral.readValue(for: try link("FFF1"))
    link.peripheral.writeValue(Data([1]), for: try link("FFF3"), type: .withResponse)

    lab.phone.application.terminate()
    await lab.run(.seconds(1))
    #expect(lab.device.update("FFF4", [1]))
    await lab.run(.seconds(1))
    let old = await lab.relaunchCentral(into: .foreground)
    #expect(lab.device.update("FFF4", [2]))
    await lab.run(.seconds(1))
    lab.meter.disconnectAll()
    lab.phone.state = .poweredOff
    await lab.run(.seconds(10))

    #expect(old.log.all == [])
    // The requests that were open have no answer either.
    #expect(
      lab.central.log.all == [
        "restored connected", "state poweredOn", "value FFF4 01", "value FFF4 02",
        "disconnected disconnected CBErrorDomain 7", "state poweredOff",
      ])
  }

  @Test func `cannot send commands`() async throws {
    var lab = Lab(restoring: true)
    let link = try await lab.subscribe()
    lab.phone.application.terminate()
    lab.meter.application.terminate()
    let oldCentral = await lab.relaunchCentral(into: .foreground)
    let oldDevice = await lab.relaunchDevice()
    lab.meter.application.state = .foreground
    lab.device.log.clear()
    lab.central.log.clear()

    oldCentral.manager.cancelPeripheralConnection(link.peripheral)
    oldCentral.manager.scanForPeripherals(withServices: nil)
    link.peripheral.writeValue(Data([1]), for: try link("FFF3"), type: .withResponse)
    oldDevice.manager.stopAdvertising()
    oldDevice.manager.removeAllServices()
    await lab.run(.seconds(5))

    #expect(lab.meter.connectedPeers.count == 1)
    #expect(lab.device.log.all == [])
    #expect(lab.central.log.all == [])
    #expect(lab.device.manager.isAdvertising)
    #expect(lab.device.update("FFF4", [1]))
    await lab.wait(for: "value FFF4 01")
  }

  @Test func `leave nothing behind when released`() async throws {
    var lab = Lab(restoring: true)
    let identifier = try await lab.subscribe().peripheral.identifier
    lab.phone.application.terminate()
    var old: CentralProbe? = await lab.relaunchCentral(into: .foreground)
    lab.central.log.clear()

    old?.forgetPeripherals()
    old?.dropManager()
    old = nil
    #expect(lab.device.update("FFF4", [1]))
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["value FFF4 01"])
    #expect(lab.phone.connectedPeers == [identifier])
  }

  @Test func `answer nothing: requests that they knew have failed`() async throws {
    let lab = Lab(restoring: true)
    let link = try await lab.open()
    lab.device.isSilent = true
    link.peripheral.readValue(for: try link("FFF1"))
    await lab.run(.seconds(1))
    #expect(lab.device.log.all == ["read FFF1 @0"])

    lab.meter.application.terminate()
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["value FFF1 - CBATTErrorDomain 14"])
    let request = try #require(lab.device.heldRequests.first)
    lab.device.manager.respond(to: request, withResult: .success)
    await lab.run(.seconds(1))
    #expect(lab.central.log.count("value") == 1)
  }

  @Test func `that are created while it is not running receive no events`() async throws {
    let lab = Lab()
    await lab.powerUp()
    lab.phone.application.terminate()

    let probe = CentralProbe(lab.phone)
    await lab.run(.seconds(5))

    #expect(probe.log.all == [])
    #expect(probe.manager.state == .unknown)
  }

  @Test func `do not receive events in transit`() async throws {
    let lab = Lab(restoring: true)
    _ = try await lab.connect()
    lab.phone.application.terminate()
    lab.phone.application.state = .foreground

    // The state of the power is on its way when the first call ends the process.
    let quitter = Quitter(lab.phone.application)
    await lab.run(.seconds(1))

    #expect(quitter.log.all == ["restored"])
    #expect(lab.meter.connectedPeers.count == 1)
    lab.phone.application.state = .foreground
    let third = CentralProbe(lab.phone, restoring: "central")
    await lab.run(.seconds(1))
    #expect(third.log.all == ["restored connected", "state poweredOn"])
  }

  @Test func `are not restored in another app of the same identifier`() async throws {
    let lab = Lab(restoring: true)
    _ = try await lab.connect()
    let other = lab.phone.makeApplication(named: "Other")
    lab.phone.application.terminate()

    let stranger = CentralProbe(lab.phone, restoring: "central", in: other)
    await lab.run(.seconds(1))

    #expect(stranger.log.all == ["state poweredOn"])
    #expect(other.awaitingRelaunch == [])
    #expect(lab.meter.connectedPeers.count == 1)
  }

  @Test func `do not retain the environment`() async throws {
    weak var air: SimulatedRadioEnvironment?
    weak var inside: EnvironmentCore?
    do {
      let lab = Lab(restoring: true)
      air = lab.air
      inside = lab.air.environment
      _ = try await lab.subscribe()
      lab.phone.application.terminate()
      lab.meter.application.terminate()
      await lab.run(.seconds(1))
      #expect(lab.meter.connectedPeers.count == 1)
    }
    #expect(air == nil)
    // What the system keeps of the apps goes a little later, on another thread.
    while inside != nil { await Task.yield() }
  }

  @Test func `do not disturb those of other apps`() async throws {
    let lab = Lab(restoring: true)
    _ = try await lab.subscribe()
    let other = lab.phone.makeApplication(named: "Other")
    let neighbour = CentralProbe(lab.phone, label: "neighbour", in: other)
    await lab.run(.milliseconds(1))
    let known = neighbour.manager.retrievePeripherals(
      withIdentifiers: [lab.phone.identifier(of: lab.meter)])
    let peripheral = try #require(known.first)
    neighbour.keep(peripheral)
    neighbour.manager.connect(peripheral)
    await lab.run(.seconds(1))
    #expect(neighbour.log.has("connected connected"))

    lab.phone.application.forceQuit()
    await lab.run(.seconds(5))

    #expect(peripheral.state == .connected)
    #expect(lab.meter.connectedPeers.count == 1)
    #expect(other.name == "Other")
    #expect(lab.device.log.all == ["unsubscribed FFF4"])
  }
}
