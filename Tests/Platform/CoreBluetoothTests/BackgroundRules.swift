// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

private let service = CBUUID(string: "FFF0")
private let withDuplicates = [CBCentralManagerScanOptionAllowDuplicatesKey: true]

@Suite(.timeLimit(.minutes(15))) struct `Centrals in the background` {
  @Test func `rule 16: a scan for services continues, without duplicates`() async {
    let lab = Lab()
    await lab.powerUp()
    lab.central.manager.scanForPeripherals(withServices: [service], options: withDuplicates)
    lab.phone.application.state = .background
    lab.central.log.clear()

    await lab.run(.seconds(60))
    #expect(lab.central.log.all == ["discovered Meter"])

    lab.phone.application.state = .foreground
    await lab.run(.seconds(2))
    #expect(lab.central.log.count("discovered") > 10)
  }

  @Test func `rule 16: a scan for everything waits for the foreground`() async {
    let lab = Lab()
    await lab.powerUp()
    lab.phone.application.state = .background
    lab.central.log.clear()

    lab.central.manager.scanForPeripherals(withServices: nil)
    await lab.run(.seconds(60))
    #expect(lab.central.manager.isScanning)
    #expect(lab.central.log.all == [])

    lab.phone.application.state = .foreground
    await lab.run(.seconds(1))
    #expect(lab.central.log.all == ["discovered Meter"])
  }

  /// Three devices whose advertisements change every 700 ms.
  private func discoveries(_ state: SimulatedApplication.State) async -> [Int] {
    let lab = Lab()
    let others = (0..<2).map { index in
      DeviceProbe(lab.air.makeHost(named: "Meter", at: SimulatedPosition(x: Double(index))))
    }
    await lab.powerUp()
    lab.phone.application.state = state
    lab.central.manager.scanForPeripherals(withServices: [service])
    lab.central.log.clear()
    var counts: [Int] = []
    for round in 0..<60 {
      lab.meter.manufacturerData = Data([0xFF, 0xFF, UInt8(round)])
      let before = lab.central.log.count("discovered")
      await lab.run(.milliseconds(700))
      counts.append(lab.central.log.count("discovered") - before)
    }
    withExtendedLifetime(others) {}
    return counts
  }

  @Test func `rule 16: in the background the scan is slower and discoveries are batched`()
    async
  {
    let front = await discoveries(.foreground)
    let back = await discoveries(.background)

    // In front each change is seen at once: the first time with two other devices.
    #expect(front == [3] + Array(repeating: 1, count: 59))
    #expect((10...25).contains(back.reduce(0, +)))
  }

  @Test func `rule 16: a foreground scan makes background scans faster`() async {
    let lab = Lab()
    let other = lab.phone.makeApplication(named: "Other")
    let front = CentralProbe(lab.phone, label: "front", in: other)
    await lab.powerUp()
    lab.phone.application.state = .background
    lab.central.manager.scanForPeripherals(withServices: [service])
    front.manager.scanForPeripherals(withServices: nil)
    lab.central.log.clear()

    // 110 ms to the packet and a second to the report.
    await lab.run(.milliseconds(1115))

    #expect(lab.central.log.all == ["discovered Meter"])
  }

  @Test func `rule 16: without the mode events wait for the foreground`() async throws {
    let lab = Lab()
    lab.phone.application.backgroundModes = []
    let link = try await lab.subscribe()

    lab.phone.application.state = .background
    lab.central.manager.scanForPeripherals(withServices: [service])
    #expect(lab.device.update("FFF4", [1]))
    link.peripheral.readValue(for: try link("FFF2"))
    await lab.run(.seconds(5))
    lab.meter.disconnectAll()
    await lab.run(.seconds(60))
    #expect(lab.central.log.all == [])
    #expect(link.peripheral.state == .connected)

    lab.phone.application.state = .foreground
    await lab.run(.milliseconds(1))
    #expect(
      lab.central.log.all == [
        "value FFF4 01", "value FFF2 68656c6c6f", "disconnected disconnected CBErrorDomain 7",
      ])
    #expect(link.peripheral.state == .disconnected)
  }

  @Test func `rule 16: a connection made in the background is reported in the foreground`()
    async throws
  {
    let lab = Lab()
    lab.phone.application.backgroundModes = []
    let peripheral = try await lab.find()
    lab.central.log.clear()

    lab.phone.application.state = .suspended
    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(60))
    #expect(lab.meter.connectedPeers.count == 1)
    #expect(lab.central.log.all == [])
    #expect(peripheral.state == .connecting)

    lab.phone.application.state = .foreground
    await lab.run(.milliseconds(1))
    #expect(lab.central.log.all == ["connected connected"])
  }

  @Test func `rule 16: with the mode an event wakes a suspended app for ten seconds`() async throws
  {
    let lab = Lab()
    _ = try await lab.subscribe()
    lab.phone.application.state = .suspended
    await lab.run(.seconds(60))
    #expect(lab.phone.application.state == .suspended)

    #expect(lab.device.update("FFF4", [1]))
    await lab.wait(for: "value FFF4 01")
    #expect(lab.phone.application.state == .background)
    await lab.run(.seconds(8))
    #expect(lab.device.update("FFF4", [2]))
    await lab.run(.seconds(8))
    #expect(lab.phone.application.state == .background)
    await lab.run(.seconds(3))

    #expect(lab.phone.application.state == .suspended)
    #expect(lab.central.log.all == ["value FFF4 01", "value FFF4 02"])
  }

  @Test func `rule 16: the modes of both roles are independent`() async throws {
    let lab = Lab()
    lab.phone.application.backgroundModes = .peripheral
    _ = try await lab.subscribe()

    lab.phone.application.state = .suspended
    #expect(lab.device.update("FFF4", [1]))
    await lab.run(.seconds(10))
    #expect(lab.central.log.all == [])
    #expect(lab.phone.application.state == .suspended)

    lab.phone.application.backgroundModes = .central
    await lab.run(.milliseconds(1))
    #expect(lab.central.log.all == ["value FFF4 01"])
  }

  @Test func `rule 42: free space for writes is reported to a running app, not to a suspended one`()
    async throws
  {
    let lab = Lab()
    let link = try await lab.open()
    let characteristic = try link("FFF3")
    for byte in 0..<20 {
      link.peripheral.writeValue(Data([UInt8(byte)]), for: characteristic, type: .withoutResponse)
    }
    #expect(!link.peripheral.canSendWriteWithoutResponse)

    lab.phone.application.state = .suspended
    await lab.run(.seconds(60))
    #expect(lab.device.log.count("write FFF3") == 20)
    #expect(lab.central.log.all == [])
    #expect(lab.phone.application.state == .suspended)
    #expect(!link.peripheral.canSendWriteWithoutResponse)

    lab.phone.application.state = .background
    await lab.run(.milliseconds(1))
    #expect(lab.central.log.all == ["ready"])
    #expect(link.peripheral.canSendWriteWithoutResponse)
  }

  @Test func `rule 42: an event that wakes the app also delivers peripheralIsReady`() async throws {
    let lab = Lab()
    let link = try await lab.subscribe()
    let characteristic = try link("FFF3")
    for byte in 0..<20 {
      link.peripheral.writeValue(Data([UInt8(byte)]), for: characteristic, type: .withoutResponse)
    }
    lab.phone.application.state = .suspended
    await lab.run(.seconds(10))

    #expect(lab.device.update("FFF4", [1]))
    await lab.wait(for: "value FFF4 01")

    #expect(lab.central.log.all == ["ready", "value FFF4 01"])
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Peripherals in the background` {
  private func scan(_ lab: Lab, _ services: [CBUUID]?) async -> Int {
    lab.central.log.clear()
    lab.central.manager.scanForPeripherals(withServices: services)
    await lab.run(.seconds(5))
    return lab.central.log.count("discovered")
  }

  @Test func `rule 16: an advertisement from the background has no name and no plain services`()
    async
  {
    let lab = Lab()
    await lab.powerUp()
    lab.meter.application.state = .background

    #expect(await scan(lab, [service]) == 1)
    let asked = lab.central.lastAdvertisement
    #expect(asked[CBAdvertisementDataLocalNameKey] == nil)
    #expect(asked[CBAdvertisementDataServiceUUIDsKey] == nil)
    #expect(asked[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] == [service])

    // Only who asks for a service sees it: the others see that there is something.
    #expect(await scan(lab, [CBUUID(string: "180D")]) == 0)
    #expect(await scan(lab, nil) == 1)
    #expect(lab.central.lastAdvertisement.keys.sorted() == [CBAdvertisementDataIsConnectable])

    lab.meter.application.state = .foreground
    #expect(await scan(lab, [service]) == 1)
    let plain = lab.central.lastAdvertisement
    #expect(plain[CBAdvertisementDataLocalNameKey] as? String == "Meter")
    #expect(plain[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [service])
  }

  @Test func `rule 16: hosts of other systems do not read the overflow area`() async {
    let lab = Lab()
    lab.phone.readsOverflowArea = false
    await lab.powerUp()
    #expect(await scan(lab, [service]) == 1)

    lab.meter.application.state = .background

    #expect(await scan(lab, [service]) == 0)
    #expect(await scan(lab, nil) == 1)
  }

  @Test func `rule 16: without the mode advertising pauses until the foreground`() async throws {
    let lab = Lab()
    lab.meter.application.backgroundModes = .central
    await lab.powerUp()

    lab.meter.application.state = .background
    #expect(await scan(lab, nil) == 0)
    #expect(lab.device.manager.isAdvertising)

    lab.meter.application.state = .foreground
    #expect(await scan(lab, [service]) == 1)
    #expect(lab.central.lastAdvertisement[CBAdvertisementDataLocalNameKey] as? String == "Meter")
  }

  @Test func `rule 16: advertising that begins in the background waits for the foreground`() async {
    let lab = Lab()
    lab.meter.application.backgroundModes = []
    await lab.powerUp()
    lab.device.manager.stopAdvertising()
    lab.meter.application.state = .background
    lab.device.log.clear()

    lab.device.advertise()
    #expect(await scan(lab, nil) == 0)
    #expect(lab.device.log.all == [])

    lab.meter.application.state = .foreground
    #expect(await scan(lab, nil) == 1)
    #expect(lab.device.log.all == ["advertising"])
  }

  @Test func `rule 16: without the mode the services answer with an error`() async throws {
    let lab = Lab()
    lab.meter.application.backgroundModes = []
    let link = try await lab.open()
    link.peripheral.discoverDescriptors(for: try link("FFF1"))
    await lab.wait(for: "descriptors")
    let descriptor = try #require(try link("FFF1").descriptors?.first)
    lab.central.log.clear()

    lab.meter.application.state = .background
    link.peripheral.readValue(for: try link("FFF1"))
    link.peripheral.readValue(for: try link("FFF2"))
    link.peripheral.readValue(for: descriptor)
    link.peripheral.writeValue(Data([1]), for: try link("FFF3"), type: .withResponse)
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    await lab.run(.seconds(5))

    #expect(
      lab.central.log.all == [
        "value FFF1 - CBATTErrorDomain 14", "value FFF2 - CBATTErrorDomain 14",
        "descriptor - CBATTErrorDomain 14", "wrote FFF3 CBATTErrorDomain 14",
        "notify FFF4 off CBATTErrorDomain 14",
      ])
    #expect(lab.device.log.all == [])
    lab.meter.application.state = .foreground
    link.peripheral.readValue(for: try link("FFF2"))
    await lab.wait(for: "value FFF2 68656c6c6f")
  }

  @Test func `rule 16: with the mode a request wakes a suspended app`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.device.values[CBUUID(string: "FFF1")] = Data([7])

    lab.meter.application.state = .suspended
    await lab.run(.seconds(60))
    link.peripheral.readValue(for: try link("FFF1"))
    await lab.wait(for: "value FFF1 07")

    #expect(lab.device.log.all == ["read FFF1 @0"])
    #expect(lab.meter.application.state == .background)
    await lab.run(.seconds(11))
    #expect(lab.meter.application.state == .suspended)
  }

  @Test func `rule 16: subscriptions that end in the background are reported in the foreground`()
    async throws
  {
    let lab = Lab()
    lab.meter.application.backgroundModes = []
    let link = try await lab.subscribe()

    lab.meter.application.state = .suspended
    lab.central.manager.cancelPeripheralConnection(link.peripheral)
    await lab.run(.seconds(5))
    #expect(lab.device.log.all == [])

    lab.meter.application.state = .foreground
    await lab.run(.milliseconds(1))
    #expect(lab.device.log.all == ["unsubscribed FFF4"])
  }

  @Test func `an update that is sent while the app is suspended does not wake it`() async throws {
    let lab = Lab()
    _ = try await lab.subscribe()
    for byte in 0..<10 { #expect(lab.device.update("FFF4", [UInt8(byte)])) }
    #expect(!lab.device.update("FFF4", [99]))

    lab.meter.application.state = .suspended
    await lab.run(.seconds(10))
    #expect(lab.central.log.count("value FFF4") == 10)
    #expect(lab.device.log.all == [])
    #expect(lab.meter.application.state == .suspended)

    lab.meter.application.state = .foreground
    await lab.run(.milliseconds(1))
    #expect(lab.device.log.all == ["ready"])
  }
}
