// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Simulated clock` {
  private let air = SimulatedRadioEnvironment()

  @Test func `time stands still until it is moved`() async {
    let start = air.clock.now
    #expect(start.elapsed == .zero)

    await air.advance(by: .seconds(90))

    #expect(start.duration(to: air.clock.now) == .seconds(90))
    #expect(start.advanced(by: .seconds(90)) == air.clock.now)
    #expect(start < air.clock.now)
  }

  @Test func `sleepers wake in the order of their deadlines`() async throws {
    let log = EventLog()
    let clock = air.clock
    async let late: Void = {
      try await clock.sleep(for: .seconds(20))
      log.note("late at \(clock.now.elapsed)")
    }()
    async let early: Void = {
      try await clock.sleep(for: .seconds(10))
      log.note("early at \(clock.now.elapsed)")
      try await clock.sleep(for: .seconds(5))
      log.note("again at \(clock.now.elapsed)")
    }()
    await air.advance(by: .seconds(60)) { log.all.count == 3 }
    _ = try await (late, early)

    #expect(
      log.all == ["early at 10.0 seconds", "again at 15.0 seconds", "late at 20.0 seconds"])
  }

  @Test func `a deadline that has passed does not sleep`() async throws {
    await air.advance(by: .seconds(5))
    try await air.clock.sleep(until: air.clock.now.advanced(by: .seconds(-1)))
    try await air.clock.sleep(until: air.clock.now)

    #expect(air.clock.now.elapsed == .seconds(5))
  }

  @Test func `a cancelled sleeper throws`() async {
    let clock = air.clock
    let task = Task { try await clock.sleep(for: .seconds(10)) }
    await air.advance(by: .seconds(5))
    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now.elapsed == .seconds(5))
  }

  @Test func `a sleeper that is cancelled as it wakes holds nobody up`() async throws {
    let (air, clock) = (air, air.clock)
    for round in 0..<20_000 {
      let asleep = EventLog()
      let task = Task {
        asleep.note("asleep")
        try? await clock.sleep(for: .milliseconds(1))
      }
      while asleep.all.isEmpty { await Task.yield() }
      let cancelling = Task {
        // Sooner or later in each round.
        for _ in 0..<round % 50 { _ = asleep.all }
        task.cancel()
      }
      await air.advance(by: .milliseconds(1))
      await cancelling.value
      await task.value
    }
  }

  @Test func `a task that is cancelled before does not sleep`() async {
    let clock = air.clock
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(10))
    }

    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `moving stops as soon as the condition holds`() async throws {
    let lab = Lab()
    let isThere = await lab.air.advance(by: .seconds(60)) { lab.central.log.has("state poweredOn") }

    #expect(isThere)
    #expect(lab.air.clock.now.elapsed == .zero)
    let isNever = await lab.air.advance(by: .seconds(60)) { false }
    #expect(!isNever)
    #expect(lab.air.clock.now.elapsed == .seconds(60))
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Simulated radio environment` {
  @Test func `the same seed gives the same events`() async throws {
    func story(_ seed: UInt64) async -> [String] {
      let air = SimulatedRadioEnvironment(seed: seed)
      air.medium.advertisementLoss = 0.3
      let central = CentralProbe(air.makeHost(named: "Phone"))
      let device = DeviceProbe(air.makeHost(named: "Meter"))
      await air.advance(by: .milliseconds(1))
      central.manager.scanForPeripherals(
        withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
      var times: [String] = []
      for _ in 0..<10 {
        let count = central.log.all.count
        await air.advance(by: .seconds(5)) { central.log.all.count > count }
        times.append("\(air.clock.now.elapsed)")
      }
      withExtendedLifetime(device) {}
      return times
    }

    let first = await story(1)
    let again = await story(1)
    let other = await story(2)

    #expect(first == again)
    #expect(first != other)
  }

  @Test(arguments: [(1.0, -55.0), (10.0, -75.0), (100.0, -95.0)])
  func `the signal falls by 20 dB each time the distance is tenfold`(
    meters: Double, dBm: Double
  ) {
    #expect(abs(SimulatedMedium().rssi(at: meters) - dBm) < 0.001)
    #expect(
      SimulatedPosition(x: 3, y: 4).distance(to: SimulatedPosition(x: 3, y: 4 + meters)) == meters)
  }

  @Test func `a device drops the link after a number of packets`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.meter.dropLink(afterPackets: 2, error: .peripheralDisconnected)

    for _ in 0..<3 { link.peripheral.readValue(for: try link("FFF2")) }
    await lab.run(.seconds(5))

    #expect(
      lab.central.log.all == [
        "value FFF2 68656c6c6f", "value FFF2 68656c6c6f",
        "disconnected disconnected CBErrorDomain 7",
      ])
  }

  @Test func `a device drops the link among its notifications`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    await lab.wait(for: "notify FFF4 on")
    lab.central.log.clear()
    lab.meter.dropLink(afterPackets: 1)

    for byte in 1...3 as ClosedRange<UInt8> { #expect(lab.device.update("FFF4", [byte])) }
    await lab.run(.seconds(5))

    #expect(
      lab.central.log.all == ["value FFF4 01", "disconnected disconnected CBErrorDomain 6"])
  }

  @Test func `the next request stays without an answer`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.meter.ignoreRequests()

    link.peripheral.readValue(for: try link("FFF2"))
    await lab.run(.seconds(31))

    #expect(
      lab.central.log.all == [
        "value FFF2 - CBErrorDomain 0", "disconnected disconnected CBErrorDomain 6",
      ])
    #expect(lab.meter.connectedPeers.isEmpty)
  }

  @Test func `an error can be set for a characteristic and cleared`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.meter.setError(CBATTError.Code(rawValue: 0x81), for: CBUUID(string: "FFF4"))
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    await lab.run(.seconds(1))
    lab.meter.setError(nil, for: CBUUID(string: "FFF4"))
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["notify FFF4 off CBATTErrorDomain 129", "notify FFF4 on"])
  }

  @Test func `a slow device answers late`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.meter.link.answerTime = .seconds(10)

    link.peripheral.readValue(for: try link("FFF2"))
    await lab.run(.seconds(10))
    #expect(lab.central.log.all == [])
    await lab.run(.milliseconds(60))

    #expect(lab.central.log.all == ["value FFF2 68656c6c6f"])
  }

  @Test func `most devices cannot be found while they are connected`() async throws {
    let lab = Lab()
    lab.meter.advertisesWhileConnected = false
    let peripheral = try await lab.connect()
    let second = CentralProbe(lab.air.makeHost(named: "Tablet"), label: "second")
    await lab.powerUp()
    second.manager.scanForPeripherals(withServices: nil)
    await lab.run(.seconds(5))
    #expect(second.log.count("discovered") == 0)

    lab.central.manager.cancelPeripheralConnection(peripheral)
    await lab.run(.seconds(5))

    #expect(second.log.count("discovered") == 1)
  }

  @Test func `a device whose program has ended is unreachable`() async throws {
    let air = SimulatedRadioEnvironment()
    let phone = air.makeHost(named: "Phone")
    let central = CentralProbe(phone)
    let host = air.makeHost(named: "Meter")
    var device: DeviceProbe? = DeviceProbe(host)
    await air.advance(by: .milliseconds(1))
    central.manager.scanForPeripherals(withServices: nil)
    await air.advance(by: .seconds(1)) { central.log.has("discovered Meter") }
    central.manager.connect(try #require(central.peripherals.first))
    await air.advance(by: .seconds(1)) { central.log.has("connected connected") }
    #expect(device?.log.count("added") == 1)

    device = nil
    await air.advance(by: .seconds(1))

    #expect(central.log.all.last == "disconnected disconnected CBErrorDomain 7")
    #expect(phone.connectedPeers.isEmpty)
  }

  @Test func `an unused environment is released`() async throws {
    weak var air: SimulatedRadioEnvironment?
    weak var peripheral: CBPeripheral?
    do {
      let lab = Lab()
      let link = try await lab.open()
      link.peripheral.readValue(for: try link("FFF2"))
      air = lab.air
      peripheral = link.peripheral
      #expect(air != nil)
    }

    #expect(air == nil)
    #expect(peripheral == nil)
  }

  @Test func `a device can disconnect one central only`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let tablet = lab.air.makeHost(named: "Tablet")
    let second = CentralProbe(tablet, label: "second")
    await lab.powerUp()
    second.manager.scanForPeripherals(withServices: nil)
    await lab.air.advance(by: .seconds(1)) { second.log.has("discovered Meter") }
    second.manager.connect(try #require(second.peripherals.first))
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    await lab.run(.seconds(1))
    let central = try #require(lab.device.lastCentral)

    lab.meter.disconnect(central.identifier)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all.last == "disconnected disconnected CBErrorDomain 7")
    #expect(lab.meter.connectedPeers == [lab.meter.identifier(of: tablet)])
  }

  @Test func `in real time events happen by themselves`() async throws {
    let air = SimulatedRadioEnvironment(mode: .realTime(speed: 100))
    let central = CentralProbe(air.makeHost(named: "Phone"))
    let device = DeviceProbe(air.makeHost(named: "Meter"))

    await air.advance(by: .seconds(1000)) { central.log.has("state poweredOn") }
    central.manager.scanForPeripherals(withServices: nil)
    await air.advance(by: .seconds(1000)) { central.log.has("discovered Meter") }
    let peripheral = try #require(central.peripherals.first)
    central.manager.connect(peripheral)
    await air.advance(by: .seconds(1000)) { central.log.has("connected connected") }
    peripheral.discoverServices(nil)
    await air.advance(by: .seconds(1000)) { central.log.has("services") }
    try await air.clock.sleep(for: .seconds(1))

    #expect(peripheral.services?.map(\.uuid) == [CBUUID(string: "FFF0")])
    withExtendedLifetime(device) {}
  }

  @Test func `requests from many threads are each answered once`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let characteristic = try link("FFF2")

    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 { link.peripheral.readValue(for: characteristic) }
        }
      }
    }
    await lab.run(.seconds(60))

    #expect(lab.central.log.count("value FFF2 68656c6c6f") == 200)
  }

  @Test func `commands from many threads leave a consistent state`() async throws {
    let air = SimulatedRadioEnvironment(mode: .realTime(speed: 200))
    let phone = air.makeHost(named: "Phone")
    let meter = air.makeHost(named: "Meter")
    let central = CentralProbe(phone)
    let device = DeviceProbe(meter)
    await air.advance(by: .seconds(1000)) { central.log.has("state poweredOn") }
    central.manager.scanForPeripherals(withServices: nil)
    await air.advance(by: .seconds(1000)) { central.log.has("discovered Meter") }
    let peripheral = try #require(central.peripherals.first)

    let manager = central.manager
    await withTaskGroup { group in
      for number in 0..<4 {
        group.addTask {
          for round in 0..<50 {
            switch (number + round) % 4 {
            case 0: manager.connect(peripheral)
            case 1: manager.cancelPeripheralConnection(peripheral)
            case 2: meter.disconnectAll()
            default: if peripheral.state == .connected { peripheral.discoverServices(nil) }
            }
            try? await air.clock.sleep(for: .milliseconds(20))
          }
        }
      }
    }
    manager.cancelPeripheralConnection(peripheral)
    await air.advance(by: .seconds(1000)) { peripheral.state == .disconnected }

    #expect(peripheral.state == .disconnected)
    #expect(central.log.count("disconnected") >= central.log.count("connected"))
    withExtendedLifetime(device) {}
  }
}
