// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Peripheral role` {
  @Test func `rule 51: adding a service is answered`() async {
    let lab = Lab()
    await lab.powerUp()

    #expect(lab.device.log.all == ["state poweredOn", "added FFF0", "advertising"])
  }

  @Test func `rule 51: an included service has to be published first`() async {
    let lab = Lab()
    await lab.powerUp()
    lab.device.log.clear()
    let inner = CBMutableService(type: CBUUID(string: "AAA1"), primary: false)
    let outer = CBMutableService(type: CBUUID(string: "AAA2"), primary: true)
    outer.includedServices = [inner]

    lab.device.manager.add(outer)
    await lab.run(.milliseconds(1))
    lab.device.manager.add(inner)
    lab.device.manager.add(outer)
    await lab.run(.milliseconds(1))

    #expect(
      lab.device.log.all == ["added AAA2 CBErrorDomain 1", "added AAA1", "added AAA2"])
  }

  @Test func `rule 51: a published service is frozen`() async throws {
    let lab = Lab()
    await lab.powerUp()
    let service = CBMutableService(type: CBUUID(string: "AAA1"), primary: true)
    let fixed = CBMutableCharacteristic(
      type: CBUUID(string: "AAA2"), properties: .read, value: Data([1]), permissions: .readable)
    service.characteristics = [fixed]
    lab.device.manager.add(service)
    fixed.value = Data([2])
    service.characteristics = []

    let peripheral = try await lab.connect()
    peripheral.discoverServices([CBUUID(string: "AAA1")])
    await lab.wait(for: "services")
    peripheral.discoverCharacteristics(nil, for: try #require(peripheral.services?.first))
    await lab.wait(for: "characteristics")
    let found = try #require(peripheral.services?.first?.characteristics?.first)
    peripheral.readValue(for: found)
    await lab.wait(for: "value AAA2 01")
  }

  @Test func `rule 51: generic access cannot be published`() async {
    let lab = Lab()
    await lab.powerUp()
    lab.device.log.clear()

    lab.device.manager.add(CBMutableService(type: CBUUID(string: "1800"), primary: true))
    await lab.run(.milliseconds(1))

    #expect(lab.device.log.all == ["added 1800 CBErrorDomain 8"])
  }

  @Test func `rule 52: a static value is served without a request to the app`() async throws {
    let lab = Lab()
    let link = try await lab.open()

    link.peripheral.readValue(for: try link("FFF2"))
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["value FFF2 68656c6c6f"])
    #expect(lab.device.log.all == [])
  }

  @Test func `rule 52: a static value that can be written stops the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = CBMutableCharacteristic(
        type: CBUUID(string: "AAA1"), properties: [.read, .write], value: Data([1]),
        permissions: [.readable, .writeable])
    }
  }

  @Test func `rule 53: other descriptors and properties are refused`() async {
    let lab = Lab()
    await lab.powerUp()
    lab.device.log.clear()
    let service = CBMutableService(type: CBUUID(string: "AAA1"), primary: true)
    let characteristic = CBMutableCharacteristic(
      type: CBUUID(string: "AAA2"), properties: .notify, value: nil, permissions: .readable)
    characteristic.descriptors = [
      CBMutableDescriptor(type: CBUUID(string: "2902"), value: Data([0, 0]))
    ]
    service.characteristics = [characteristic]

    lab.device.manager.add(service)
    characteristic.descriptors = nil
    characteristic.properties = [.notify, .broadcast]
    lab.device.manager.add(service)
    await lab.run(.milliseconds(1))

    #expect(
      lab.device.log.all == ["added AAA1 CBErrorDomain 8", "added AAA1 CBErrorDomain 1"])
  }

  @Test func `rule 54: advertising twice is an error`() async {
    let lab = Lab()
    await lab.powerUp()
    #expect(lab.device.manager.isAdvertising)
    lab.device.log.clear()

    lab.device.advertise()
    await lab.run(.milliseconds(1))

    #expect(lab.device.log.all == ["advertising CBErrorDomain 9"])
    lab.device.manager.stopAdvertising()
    #expect(!lab.device.manager.isAdvertising)
  }

  @Test func `rule 54: only name and services of an app are advertised`() async {
    let lab = Lab()
    await lab.powerUp()
    lab.device.manager.stopAdvertising()
    lab.device.manager.startAdvertising([
      CBAdvertisementDataLocalNameKey: "Plain",
      CBAdvertisementDataManufacturerDataKey: Data([1, 2]),
    ])
    lab.central.manager.scanForPeripherals(withServices: nil)
    await lab.wait(for: "discovered Plain")

    #expect(
      Set(lab.central.lastAdvertisement.keys) == [
        CBAdvertisementDataLocalNameKey, CBAdvertisementDataIsConnectable,
      ])
  }

  @Test func `rule 55: an offset beyond the value is invalid`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    // The server says that there is more, and has nothing when it is asked.
    lab.device.isSilent = true
    link.peripheral.readValue(for: try link("FFF1"))
    await lab.run(.seconds(1))
    let request = try #require(lab.device.heldRequests.first)
    request.value = Data(repeating: 1, count: 300)
    lab.device.manager.respond(to: request, withResult: .success)
    lab.device.isSilent = false
    await lab.run(.seconds(1))

    #expect(lab.device.log.all == ["read FFF1 @0", "read FFF1 @184"])
    #expect(lab.central.log.all == ["value FFF1 - CBATTErrorDomain 7"])
  }

  @Test func `rule 55: a device without the method supports no reads`() async throws {
    let air = SimulatedRadioEnvironment()
    let phone = air.makeHost(named: "Phone")
    let bare = BareDevice(air.makeHost(named: "Bare"))
    let central = CentralProbe(phone)
    await air.advance(by: .milliseconds(1))
    central.manager.scanForPeripherals(withServices: nil)
    await air.advance(by: .seconds(1))
    let peripheral = try #require(central.peripherals.first)
    central.manager.connect(peripheral)
    await air.advance(by: .seconds(1))
    peripheral.discoverServices(nil)
    await air.advance(by: .seconds(1))
    let service = try #require(peripheral.services?.first)
    peripheral.discoverCharacteristics(nil, for: service)
    await air.advance(by: .seconds(1))
    let characteristic = try #require(service.characteristics?.first)
    central.log.clear()

    peripheral.readValue(for: characteristic)
    peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse)
    await air.advance(by: .seconds(1))

    #expect(
      central.log.all == ["value AAA2 - CBATTErrorDomain 6", "wrote AAA2 CBATTErrorDomain 6"])
    withExtendedLifetime(bare) {}
  }

  @Test func `rule 56: the answer to a write reaches the client`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.device.writeResult = .insufficientResources

    link.peripheral.writeValue(Data([7]), for: try link("FFF3"), type: .withResponse)
    await lab.run(.seconds(1))

    #expect(lab.device.log.all == ["write FFF3 @0 07"])
    #expect(lab.central.log.all == ["wrote FFF3 CBATTErrorDomain 17"])
  }

  @Test func `rule 57: subscriptions begin and end, at the latest with the link`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    link.peripheral.setNotifyValue(true, for: try link("FFF9"))
    await lab.run(.seconds(1))
    let local = try #require(lab.device.characteristic("FFF4"))
    #expect(local.subscribedCentrals?.map(\.identifier) == [lab.meter.identifier(of: lab.phone)])
    #expect(local.subscribedCentrals?.first?.maximumUpdateValueLength == 182)

    lab.central.manager.cancelPeripheralConnection(link.peripheral)
    await lab.run(.seconds(1))

    #expect(
      lab.device.log.all == [
        "subscribed FFF4", "subscribed FFF9", "unsubscribed FFF4", "unsubscribed FFF9",
      ])
    #expect(local.subscribedCentrals == [])
  }

  @Test func `rule 58: a full queue refuses, and reports when it has space again`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    await lab.wait(for: "notify FFF4 on")
    lab.central.log.clear()
    lab.device.log.clear()

    var sent: [String] = []
    while lab.device.update("FFF4", [UInt8(sent.count)]) {
      sent.append("value FFF4 0\(String(sent.count, radix: 16))")
    }
    #expect(sent.count == 10)
    await lab.run(.seconds(1))

    #expect(lab.device.log.all == ["ready"])
    #expect(lab.central.log.all == sent)
    #expect(lab.device.update("FFF4", [0xEE]))
  }

  @Test func `rule 58: indications arrive in order, each after the last was confirmed`()
    async throws
  {
    let lab = Lab()
    lab.meter.link.connectionInterval = .milliseconds(100)
    let link = try await lab.open()
    link.peripheral.setNotifyValue(true, for: try link("FFF9"))
    await lab.wait(for: "notify FFF9 on")
    lab.central.log.clear()

    for byte in 1...3 as ClosedRange<UInt8> { #expect(lab.device.update("FFF9", [byte])) }
    await lab.run(.milliseconds(250))
    #expect(lab.central.log.all == ["value FFF9 01"])
    await lab.run(.milliseconds(400))

    #expect(lab.central.log.all == ["value FFF9 01", "value FFF9 02", "value FFF9 03"])
  }

  @Test func `rule 58: a value is truncated and sent to the given centrals`() async throws {
    let lab = Lab()
    lab.meter.link.mtu = 23
    let link = try await lab.open()
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    await lab.wait(for: "notify FFF4 on")
    lab.central.log.clear()

    #expect(lab.device.update("FFF4", [UInt8](repeating: 1, count: 30)))
    #expect(lab.device.update("FFF4", [2], to: []))
    #expect(lab.device.update("FFF4", [3], to: [try #require(lab.device.lastCentral)]))
    #expect(lab.device.update("FFF5", [4]))
    await lab.run(.seconds(1))

    #expect(
      lab.central.log.all == ["value FFF4 " + String(repeating: "01", count: 20), "value FFF4 03"])
  }

  @Test func `rule 59: an update before the answer to a write is not lost here`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    await lab.wait(for: "notify FFF4 on")
    lab.central.log.clear()
    lab.device.isSilent = true

    link.peripheral.writeValue(Data([1]), for: try link("FFF3"), type: .withResponse)
    await lab.air.advance(by: .seconds(5)) { lab.device.heldRequests.count == 1 }
    #expect(lab.device.update("FFF4", [9]))
    lab.device.manager.respond(
      to: try #require(lab.device.heldRequests.first), withResult: .success)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["value FFF4 09", "wrote FFF3"])
  }

  @Test func `rule 60: answering twice is misuse`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.device.isSilent = true
    link.peripheral.writeValue(Data([1]), for: try link("FFF3"), type: .withResponse)
    await lab.run(.seconds(1))
    let request = try #require(lab.device.heldRequests.first)

    lab.device.manager.respond(to: request, withResult: .success)
    lab.device.manager.respond(to: request, withResult: .unlikelyError)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["wrote FFF3"])
    #expect(lab.meter.misuseReports.count == 1)
  }

  @Test func `two centrals share a device`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let tablet = lab.air.makeHost(named: "Tablet")
    let second = CentralProbe(tablet, label: "second")
    await lab.powerUp()
    second.manager.scanForPeripherals(withServices: nil)
    await lab.air.advance(by: .seconds(1)) { second.log.has("discovered Meter") }
    let peripheral = try #require(second.peripherals.first)
    second.manager.connect(peripheral)
    await lab.run(.seconds(1))

    #expect(lab.meter.connectedPeers.count == 2)
    #expect(peripheral.state == .connected)
    #expect(link.peripheral.state == .connected)
    #expect(tablet.connectedPeers == [tablet.identifier(of: lab.meter)])
  }
}

/// A device with the required method only.
private final class BareDevice: NSObject, CBPeripheralManagerDelegate {
  private var manager: CBPeripheralManager?

  init(_ host: SimulatedHost) {
    super.init()
    manager = CBPeripheralManager(
      delegate: self, queue: DispatchQueue(label: "bare"), options: host.managerOptions)
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    let service = CBMutableService(type: CBUUID(string: "AAA1"), primary: true)
    service.characteristics = [
      CBMutableCharacteristic(
        type: CBUUID(string: "AAA2"), properties: [.read, .write], value: nil,
        permissions: [.readable, .writeable])
    ]
    peripheral.add(service)
    peripheral.startAdvertising(nil)
  }
}
