// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct Scanning {
  private func scan(
    _ lab: Lab, _ services: [CBUUID]?, _ options: [String: Any]? = nil
  ) async -> Int {
    await lab.powerUp()
    lab.central.log.clear()
    lab.central.manager.scanForPeripherals(withServices: services, options: options)
    await lab.run(.seconds(2))
    return lab.central.log.count("discovered")
  }

  @Test func `rule 11: nil or no service finds everything, else one must match`() async {
    let lab = Lab()
    let wanted = CBUUID(string: "0000FFF0-0000-1000-8000-00805F9B34FB")

    #expect(await scan(lab, nil) == 1)
    #expect(await scan(lab, []) == 1)
    #expect(await scan(lab, [CBUUID(string: "180D"), wanted]) == 1)
    #expect(await scan(lab, [CBUUID(string: "180D")]) == 0)
  }

  @Test func `rule 11: services in the overflow area match`() async {
    let lab = Lab()
    await lab.powerUp()
    let services = (0..<3).map { CBUUID(string: "1234567\($0)-1234-1234-1234-123456789ABC") }
    lab.device.manager.stopAdvertising()
    lab.device.manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: services])

    #expect(await scan(lab, [services[2]]) == 1)
    let overflow =
      lab.central.lastAdvertisement[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID]
    #expect(overflow == [services[1], services[2]])
  }

  @Test func `rule 12: a second scan replaces the first, and stop ends it`() async {
    let lab = Lab()
    #expect(await scan(lab, [CBUUID(string: "180D")]) == 0)
    #expect(lab.central.manager.isScanning)

    #expect(await scan(lab, [CBUUID(string: "FFF0")]) == 1)
    lab.central.manager.stopScan()

    #expect(!lab.central.manager.isScanning)
    lab.central.log.clear()
    lab.meter.manufacturerData = Data([1, 2, 3])
    await lab.run(.seconds(2))
    #expect(lab.central.log.all == [])
  }

  @Test func `rule 13: one discovery a scan, one more when the data change`() async {
    let lab = Lab()
    #expect(await scan(lab, nil) == 1)
    lab.meter.manufacturerData = Data([0x2D, 0x01, 7])
    await lab.run(.seconds(2))
    #expect(lab.central.log.count("discovered") == 2)
    let data = lab.central.lastAdvertisement[CBAdvertisementDataManufacturerDataKey] as? Data
    #expect(data == Data([0x2D, 0x01, 7]))
    #expect(await scan(lab, nil) == 1)
  }

  @Test func `rule 13: an advertisement that pauses is not a new discovery`() async {
    let lab = Lab()
    #expect(await scan(lab, nil) == 1)

    lab.device.manager.stopAdvertising()
    await lab.run(.seconds(60))
    lab.device.advertise()
    await lab.run(.seconds(5))

    #expect(lab.device.manager.isAdvertising)
    #expect(lab.central.log.count("discovered") == 1)
    #expect(await scan(lab, nil) == 1)
  }

  @Test func `rule 13: with duplicates there is one discovery a packet`() async {
    let lab = Lab()
    lab.meter.advertisingInterval = .milliseconds(95)

    // 95 ms and 0 to 10 ms: 20 packets in 2 s, give or take two.
    let count = await scan(lab, nil, [CBCentralManagerScanOptionAllowDuplicatesKey: true])

    #expect((18...22).contains(count))
    #expect(lab.central.peripherals.count == 1)
  }

  @Test func `rule 14: advertisement and scan response are one dictionary`() async {
    let lab = Lab()
    lab.meter.serviceData = [CBUUID(string: "FFF0"): Data([9])]
    lab.meter.txPower = -4

    #expect(await scan(lab, nil) == 1)

    let data = lab.central.lastAdvertisement
    #expect(data[CBAdvertisementDataLocalNameKey] as? String == "Meter")
    #expect(data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "FFF0")])
    let serviceData = data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]
    #expect(serviceData == [CBUUID(string: "FFF0"): Data([9])])
    #expect(data[CBAdvertisementDataTxPowerLevelKey] as? Int == -4)
    #expect(data[CBAdvertisementDataIsConnectable] as? Bool == true)
  }

  @Test func `rule 14: a signal strength of 127 means "not known"`() async throws {
    let lab = Lab()
    lab.phone.measuresSignal = false
    let link = try await lab.open()
    #expect(lab.central.lastRSSI == 127)

    link.peripheral.readRSSI()
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["rssi 127 CBErrorDomain 13"])
  }

  @Test func `rule 15: a changed name is reported, advertised or the device's own`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    lab.central.manager.scanForPeripherals(withServices: nil)
    await lab.run(.seconds(1))
    lab.central.log.clear()

    lab.device.manager.stopAdvertising()
    lab.device.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Meter B"])
    await lab.run(.seconds(1))
    #expect(peripheral.name == "Meter B")
    #expect(lab.central.log.all == ["discovered Meter B", "name Meter B"])
    lab.central.manager.stopScan()
    lab.central.manager.connect(peripheral)
    await lab.wait(for: "name Meter")
    lab.central.log.clear()
    lab.meter.name = "Kitchen"
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["name Kitchen"])
    #expect(peripheral.name == "Kitchen")
    let identifier = peripheral.identifier
    let second = CentralProbe(lab.phone, label: "second")
    await lab.powerUp()
    let known = second.manager.retrievePeripherals(withIdentifiers: [identifier])
    #expect(known.map(\.name) == ["Kitchen"])
  }

  @Test func `rule 15: the device's own name takes the place of the advertised one`() async throws {
    let air = SimulatedRadioEnvironment()
    let phone = air.makeHost(named: "Phone")
    let meter = air.makeHost(named: "Meter 4711")
    let central = CentralProbe(phone)
    let device = DeviceProbe(meter, name: "Short")
    await air.advance(by: .milliseconds(1))
    central.manager.scanForPeripherals(withServices: nil)
    await air.advance(by: .seconds(1)) { central.log.has("discovered Short") }
    let peripheral = try #require(central.peripherals.first)
    #expect(peripheral.name == "Short")

    central.manager.connect(peripheral)
    await air.advance(by: .seconds(1))

    #expect(peripheral.name == "Meter 4711")
    #expect(central.log.all.suffix(2) == ["connected connected", "name Meter 4711"])
    withExtendedLifetime(device) {}
  }

  @Test func `rule 17: scanning continues while connecting`() async throws {
    let lab = Lab()
    await lab.powerUp()
    lab.central.manager.scanForPeripherals(
      withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
    await lab.wait(for: "discovered Meter")
    lab.central.manager.connect(try #require(lab.central.peripherals.first))
    await lab.wait(for: "connected connected")
    lab.central.log.clear()
    await lab.run(.seconds(1))

    #expect(lab.central.manager.isScanning)
    #expect(lab.central.log.count("discovered") > 5)
  }

  @Test func `rule 18: identifiers are specific to the host and stable`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    let other = lab.air.makeHost(named: "Other phone")
    let twin = Lab()

    #expect(peripheral.identifier == lab.phone.identifier(of: lab.meter))
    #expect(peripheral.identifier != other.identifier(of: lab.meter))
    #expect(peripheral.identifier == twin.phone.identifier(of: twin.meter))
  }

  @Test func `a device that is out of range is not found`() async {
    let lab = Lab()
    lab.meter.position = SimulatedPosition(x: 200)
    #expect(await scan(lab, nil) == 0)

    lab.meter.position = SimulatedPosition(x: 20)
    await lab.run(.seconds(2))

    #expect(lab.central.log.all == ["discovered Meter"])
  }

  @Test func `lost advertisements are not reported`() async {
    let lab = Lab()
    lab.air.medium.advertisementLoss = 0.5

    let count = await scan(lab, nil, [CBCentralManagerScanOptionAllowDuplicatesKey: true])

    #expect((3...16).contains(count))
  }
}
