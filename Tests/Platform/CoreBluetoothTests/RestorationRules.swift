// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `State restoration of centrals` {
  @Test func `rule 61: restoration comes first, then the state, then the events`() async throws {
    var lab = Lab(restoring: true)
    _ = try await lab.subscribe()

    lab.phone.application.terminate()
    #expect(lab.device.update("FFF4", [1]))
    #expect(lab.device.update("FFF4", [2]))
    await lab.run(.seconds(1))
    _ = await lab.relaunchCentral()

    #expect(
      lab.central.log.all == [
        "restored connected", "state poweredOn", "value FFF4 01", "value FFF4 02",
      ])
    #expect(lab.device.log.all == [])
  }

  @Test func `rule 61: a manager with a new identifier is not restored`() async throws {
    var lab = Lab(restoring: true)
    await lab.powerUp()
    #expect(lab.central.log.all == ["state poweredOn"])
    _ = try await lab.connect()

    lab.phone.application.terminate()
    lab.phone.application.state = .foreground
    let stranger = CentralProbe(lab.phone, restoring: "another")
    let nameless = CentralProbe(lab.phone)
    await lab.run(.milliseconds(1))
    #expect(stranger.log.all == ["state poweredOn"])
    #expect(nameless.log.all == ["state poweredOn"])

    _ = await lab.relaunchCentral(into: .foreground)
    #expect(lab.central.log.all == ["restored connected", "state poweredOn"])
  }

  @Test func `rule 61: without an identifier everything ends with the process`() async throws {
    let lab = Lab()
    let link = try await lab.open()

    lab.phone.application.terminate()
    await lab.run(.seconds(5))

    #expect(lab.meter.connectedPeers.isEmpty)
    #expect(lab.phone.application.awaitingRelaunch == [])
    #expect(lab.central.log.all == [])
    withExtendedLifetime(link) {}
  }

  @Test func `rule 62: discovered attributes are restored`() async throws {
    var lab = Lab(restoring: true)
    let link = try await lab.subscribe()
    link.peripheral.discoverDescriptors(for: try link("FFF4"))
    await lab.wait(for: "descriptors")

    lab.phone.application.terminate()
    let old = await lab.relaunchCentral()

    let peripheral = try #require(lab.central.peripherals.first)
    #expect(peripheral !== link.peripheral)
    #expect(peripheral.identifier == link.peripheral.identifier)
    #expect(peripheral.name == "Meter")
    #expect(peripheral.state == .connected)
    #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 182)
    let service = try #require(peripheral.services?.first)
    #expect(peripheral.services?.count == 1)
    #expect(service.uuid == CBUUID(string: "FFF0"))
    #expect(service.peripheral === peripheral)
    #expect(
      service.characteristics?.map(\.uuid.uuidString) == [
        "FFF1", "FFF2", "FFF3", "FFF4", "FFF5", "FFF6", "FFF7", "FFF8", "FFF9",
      ])
    #expect(service.characteristics?.filter(\.isNotifying).map(\.uuid.uuidString) == ["FFF4"])
    let notified = try OpenLink(peripheral: peripheral, service: service)("FFF4")
    #expect(notified.properties == .notify)
    #expect(notified.descriptors?.map(\.uuid.uuidString) == ["2902"])
    let other = try OpenLink(peripheral: peripheral, service: service)("FFF1")
    #expect(other.descriptors == nil)
    withExtendedLifetime(old) {}
  }

  @Test func `rule 62: included services of any depth are restored`() async throws {
    var lab = Lab(restoring: true)
    await lab.powerUp()
    var inner: CBMutableService?
    for number in 1...6 {
      let service = CBMutableService(type: CBUUID(string: "FEE\(number)"), primary: number == 6)
      if let inner { service.includedServices = [inner] }
      lab.device.publish(service)
      inner = service
    }
    let peripheral = try await lab.connect()
    peripheral.discoverServices([CBUUID(string: "FEE6")])
    await lab.wait(for: "services")
    var service = try #require(peripheral.services?.first)
    for _ in 1...5 {
      lab.central.log.clear()
      peripheral.discoverIncludedServices(nil, for: service)
      await lab.wait(for: "included")
      service = try #require(service.includedServices?.first)
    }

    lab.phone.application.terminate()
    let old = await lab.relaunchCentral()

    var restored = try #require(lab.central.peripherals.first?.services?.first)
    for number in (1...5).reversed() {
      restored = try #require(restored.includedServices?.first)
      #expect(restored.uuid == CBUUID(string: "FEE\(number)"))
      #expect(!restored.isPrimary)
    }
    withExtendedLifetime((old, peripheral)) {}
  }

  @Test func `rule 62: a restored connection works`() async throws {
    var lab = Lab(restoring: true)
    _ = try await lab.subscribe()
    lab.phone.application.terminate()
    _ = await lab.relaunchCentral()
    lab.central.log.clear()

    let peripheral = try #require(lab.central.peripherals.first)
    let service = try #require(peripheral.services?.first)
    let link = OpenLink(peripheral: peripheral, service: service)
    peripheral.readValue(for: try link("FFF2"))
    await lab.wait(for: "value FFF2 68656c6c6f")
    #expect(lab.device.update("FFF4", [7]))
    await lab.wait(for: "value FFF4 07")
    peripheral.setNotifyValue(false, for: try link("FFF4"))
    await lab.wait(for: "notify FFF4 off")
    #expect(lab.device.log.all == ["unsubscribed FFF4"])
    peripheral.discoverServices(nil)
    await lab.wait(for: "services")
    #expect(peripheral.services?.first === service)
    lab.central.manager.cancelPeripheralConnection(peripheral)
    await lab.wait(for: "disconnected disconnected")
    #expect(lab.meter.connectedPeers.isEmpty)
  }

  @Test func `rule 62: a pending connection continues`() async throws {
    var lab = Lab(restoring: true)
    let peripheral = try await lab.find()
    lab.meter.position.x = 500
    lab.central.manager.connect(peripheral)
    await lab.run(.seconds(1))

    lab.phone.application.terminate()
    await lab.run(.seconds(3600))
    #expect(lab.phone.application.awaitingRelaunch == [])
    lab.meter.position.x = 2
    await lab.run(.seconds(2))
    #expect(lab.phone.application.awaitingRelaunch == ["central"])
    _ = await lab.relaunchCentral()

    #expect(
      lab.central.log.all.prefix(3) == [
        "restored connecting", "state poweredOn", "connected connected",
      ])
    #expect(lab.central.peripherals.first?.state == .connected)
  }

  @Test func `rule 62: a delayed connection keeps its delay`() async throws {
    var lab = Lab(restoring: true)
    let peripheral = try await lab.find()
    lab.central.manager.connect(
      peripheral, options: [CBConnectPeripheralOptionStartDelayKey: 100])

    lab.phone.application.terminate()
    await lab.run(.seconds(99))
    #expect(lab.meter.connectedPeers.isEmpty)
    await lab.run(.seconds(2))

    #expect(lab.phone.application.awaitingRelaunch == ["central"])
    _ = await lab.relaunchCentral()
    #expect(lab.central.log.has("connected connected"))
  }

  @Test func `rule 62: the scan continues with its filter and options`() async throws {
    var lab = Lab(restoring: true)
    lab.meter.position.x = 500
    await lab.powerUp()
    lab.central.manager.scanForPeripherals(
      withServices: [CBUUID(string: "FFF0"), CBUUID(string: "180D")],
      options: [
        CBCentralManagerScanOptionAllowDuplicatesKey: true,
        CBCentralManagerScanOptionSolicitedServiceUUIDsKey: [CBUUID(string: "1805")],
      ])
    await lab.run(.seconds(1))

    lab.phone.application.terminate()
    await lab.run(.seconds(60))
    #expect(lab.phone.application.awaitingRelaunch == [])
    lab.meter.position.x = 2
    await lab.run(.seconds(20))
    #expect(lab.phone.application.awaitingRelaunch == ["central"])
    _ = await lab.relaunchCentral()

    #expect(lab.central.log.all == ["restored", "state poweredOn", "discovered Meter"])
    #expect(lab.central.manager.isScanning)
    let state = lab.central.restoredState
    #expect(
      state[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID]
        == [CBUUID(string: "180D"), CBUUID(string: "FFF0")])
    let options = state[CBCentralManagerRestoredStateScanOptionsKey] as? [String: Any]
    #expect(options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool == true)
    #expect(
      options?[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] as? [CBUUID]
        == [CBUUID(string: "1805")])
    lab.central.manager.stopScan()
    lab.central.log.clear()
    lab.meter.manufacturerData = Data([1])
    await lab.run(.seconds(20))
    #expect(lab.central.log.all == [])
  }

  @Test func `rule 62: a restored connection is reconnected if requested`() async throws {
    var lab = Lab(restoring: true)
    let peripheral = try await lab.find()
    lab.central.manager.connect(
      peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
    await lab.wait(for: "connected connected")

    lab.phone.application.terminate()
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))
    _ = await lab.relaunchCentral()
    await lab.run(.seconds(2))

    #expect(
      lab.central.log.all == [
        "restored connected", "state poweredOn",
        "disconnected connecting reconnecting CBErrorDomain 7", "connected connected",
      ])
    #expect(lab.meter.connectedPeers.count == 1)
  }

  @Test func `rule 62: events that a suspended app missed are delivered to the next process`()
    async throws
  {
    var lab = Lab(restoring: true)
    let link = try await lab.open()
    lab.phone.application.backgroundModes = []
    lab.phone.application.state = .suspended
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    await lab.run(.seconds(1))
    #expect(lab.device.update("FFF4", [1]))
    await lab.run(.seconds(1))
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))

    lab.phone.application.terminate()
    lab.phone.application.backgroundModes = .central
    _ = await lab.relaunchCentral()

    #expect(
      lab.central.log.all == [
        "restored connected", "state poweredOn", "value FFF4 01",
        "disconnected disconnected CBErrorDomain 7",
      ])
  }

  @Test func `rule 62: a cancelled connection is not restored`() async throws {
    var lab = Lab(restoring: true)
    let peripheral = try await lab.connect()
    lab.central.manager.cancelPeripheralConnection(peripheral)

    lab.phone.application.terminate()
    await lab.run(.seconds(1))
    _ = await lab.relaunchCentral()

    #expect(lab.meter.connectedPeers.isEmpty)
    #expect(lab.central.log.all == ["state poweredOn"])
  }

  @Test func `rule 62: services that changed are reported after restoration`() async throws {
    var lab = Lab(restoring: true)
    _ = try await lab.open()

    lab.phone.application.terminate()
    lab.device.manager.removeAllServices()
    await lab.run(.seconds(1))
    _ = await lab.relaunchCentral()

    #expect(lab.central.log.all == ["restored connected", "state poweredOn", "modified FFF0"])
    #expect(lab.central.peripherals.first?.services == [])
  }

  @Test func `rule 65: delegates are not restored, and unretained objects are released`()
    async throws
  {
    var lab = Lab(restoring: true)
    _ = try await lab.connect()
    lab.phone.application.terminate()
    #expect(lab.meter.connectedPeers.count == 1)

    let old = await lab.relaunchCentral(keepsPeripherals: false)
    await lab.run(.seconds(1))

    // The probe would say when a peripheral has a delegate.
    #expect(lab.central.log.all == ["restored connected", "state poweredOn"])
    #expect(lab.meter.connectedPeers.isEmpty)
    #expect(lab.phone.misuseReports.count == 1)
    #expect(
      lab.phone.misuseReports.first?.contains("Forcing disconnection of unused peripheral") == true)
    withExtendedLifetime(old) {}
  }

  @Test func `rule 66: an identifier without the delegate method is misuse`() async throws {
    let lab = Lab(restoring: true)
    _ = try await lab.connect()
    lab.phone.application.terminate()
    lab.phone.application.state = .foreground

    let probe = StateProbe()
    var options = lab.phone.managerOptions
    options[CBCentralManagerOptionRestoreIdentifierKey] = "central"
    let manager = CBCentralManager(
      delegate: probe, queue: DispatchQueue(label: "careless"), options: options)
    await lab.run(.seconds(1))

    #expect(probe.log.all == ["state poweredOn"])
    let complaint =
      "has provided a restore identifier but the delegate doesn't implement the "
      + "centralManager:willRestoreState: method"
    #expect(lab.phone.misuseReports.filter { $0.hasSuffix(complaint) }.count == 1)
    #expect(lab.meter.connectedPeers.isEmpty)
    withExtendedLifetime(manager) {}
  }

  @Test func `rule 66: an identifier without the background mode restores nothing`() async throws {
    let air = SimulatedRadioEnvironment()
    let phone = air.makeHost(named: "Phone")
    phone.application.backgroundModes = []

    let central = CentralProbe(phone, restoring: "central")
    let device = DeviceProbe(phone, restoring: "device")
    await air.advance(by: .seconds(1))

    #expect(phone.misuseReports.count == 2)
    #expect(
      phone.misuseReports.first?.hasSuffix(
        "State restoration of CBCentralManager is only allowed for applications that have "
          + "specified the \"bluetooth-central\" background mode") == true)
    phone.application.terminate()
    phone.application.state = .foreground
    let again = DeviceProbe(phone)
    await air.advance(by: .seconds(1))
    #expect(again.log.all == ["state poweredOn", "added FFF0", "advertising"])
    withExtendedLifetime((central, device)) {}
  }
}

@Suite(.timeLimit(.minutes(15))) struct `State restoration of peripherals` {
  @Test func `rule 61: restoration comes first, then the state, then the events`() async throws {
    var lab = Lab(restoring: true)
    let link = try await lab.open()

    lab.meter.application.terminate()
    link.peripheral.writeValue(Data([5]), for: try link("FFF3"), type: .withResponse)
    await lab.run(.seconds(10))
    #expect(lab.meter.application.awaitingRelaunch == ["device"])
    #expect(lab.central.log.all == [])
    let old = await lab.relaunchDevice()
    await lab.wait(for: "wrote FFF3")

    #expect(lab.device.log.all == ["restored FFF0", "state poweredOn", "write FFF3 @0 05"])
    #expect(old.log.all == [])
  }

  @Test func `rule 63: services are restored with their subscriptions`() async throws {
    var lab = Lab(restoring: true)
    _ = try await lab.subscribe()
    let central = try #require(lab.device.lastCentral)

    lab.meter.application.terminate()
    let old = await lab.relaunchDevice()

    let key = CBPeripheralManagerRestoredStateServicesKey
    let services = try #require(lab.device.restoredState[key] as? [CBMutableService])
    let service = try #require(services.first)
    #expect(services.count == 1)
    #expect(service.isPrimary)
    let original = try #require(DeviceProbe.makeService().characteristics)
    let restored = try #require(service.characteristics)
    #expect(restored.map(\.uuid) == original.map(\.uuid))
    #expect(restored.map(\.properties) == original.map(\.properties))
    #expect(restored.map(\.value) == original.map(\.value))
    #expect(restored.allSatisfy { $0.service === service })
    let descriptors = restored.first?.descriptors ?? []
    #expect(descriptors.map(\.uuid.uuidString) == ["2901", "2904"])
    #expect(descriptors.first?.value as? String == "Reading")
    #expect(descriptors.last?.value as? Data == Data([1, 2, 3, 4, 5, 6, 7]))
    let notified = try #require(lab.device.characteristic("FFF4"))
    #expect(notified.permissions == .readable)
    #expect(notified.subscribedCentrals?.map(\.identifier) == [central.identifier])
    #expect(notified.subscribedCentrals?.first?.maximumUpdateValueLength == 182)
    #expect(lab.device.characteristic("FFF5")?.subscribedCentrals == [])
    withExtendedLifetime(old) {}
  }

  @Test func `rule 63: restored subscriptions deliver`() async throws {
    var lab = Lab(restoring: true)
    let link = try await lab.subscribe()
    lab.meter.application.terminate()
    let old = await lab.relaunchDevice()
    lab.device.log.clear()

    #expect(lab.device.update("FFF4", [3]))
    await lab.wait(for: "value FFF4 03")
    #expect(old.update("FFF4", [4]))
    await lab.run(.seconds(1))
    #expect(lab.central.log.all == ["value FFF4 03"])

    link.peripheral.setNotifyValue(false, for: try link("FFF4"))
    await lab.wait(for: "notify FFF4 off")
    #expect(lab.device.log.all == ["unsubscribed FFF4"])
    #expect(lab.device.characteristic("FFF4")?.subscribedCentrals == [])
  }

  @Test func `rule 63: advertising continues with the given data`() async throws {
    var lab = Lab(restoring: true)
    await lab.powerUp()
    lab.meter.application.terminate()
    let old = await lab.relaunchDevice()

    #expect(lab.device.manager.isAdvertising)
    let key = CBPeripheralManagerRestoredStateAdvertisementDataKey
    let data = try #require(lab.device.restoredState[key] as? [String: Any])
    #expect(
      Set(data.keys) == [
        CBAdvertisementDataLocalNameKey, CBAdvertisementDataServiceUUIDsKey,
      ])
    #expect(data[CBAdvertisementDataLocalNameKey] as? String == "Meter")
    #expect(
      data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "FFF0")])
    lab.meter.application.state = .foreground
    _ = try await lab.find()

    lab.device.manager.stopAdvertising()
    #expect(!lab.device.manager.isAdvertising)
    lab.central.manager.scanForPeripherals(withServices: nil)
    lab.central.log.clear()
    await lab.run(.seconds(5))
    #expect(lab.central.log.all == [])
    withExtendedLifetime(old) {}
  }

  @Test func `rule 63: restored services can be withdrawn, and others can be added`() async throws {
    var lab = Lab(restoring: true)
    let link = try await lab.open()
    lab.meter.application.terminate()
    let old = await lab.relaunchDevice()

    let extra = CBMutableService(type: CBUUID(string: "FEE0"), primary: true)
    extra.characteristics = [
      CBMutableCharacteristic(
        type: CBUUID(string: "FEE1"), properties: .read, value: Data([9]), permissions: .readable)
    ]
    lab.device.publish(extra)
    await lab.run(.seconds(1))
    #expect(lab.device.log.has("added FEE0"))
    link.peripheral.discoverServices(nil)
    await lab.wait(for: "services")
    #expect(link.peripheral.services?.map(\.uuid.uuidString) == ["FFF0", "FEE0"])

    let service = try #require(lab.device.characteristic("FFF1")?.service as? CBMutableService)
    lab.device.manager.remove(service)
    await lab.wait(for: "modified FFF0")
    withExtendedLifetime(old) {}
  }

  @Test func `rule 63: included services are restored`() async throws {
    var lab = Lab(restoring: true)
    await lab.powerUp()
    let inner = CBMutableService(type: CBUUID(string: "FEE0"), primary: false)
    let outer = CBMutableService(type: CBUUID(string: "FEE1"), primary: true)
    outer.includedServices = [inner]
    lab.device.publish(inner)
    lab.device.publish(outer)
    await lab.run(.seconds(1))

    lab.meter.application.terminate()
    let old = await lab.relaunchDevice()

    #expect(lab.device.log.all == ["restored FFF0 FEE0 FEE1", "state poweredOn"])
    let key = CBPeripheralManagerRestoredStateServicesKey
    let services = try #require(lab.device.restoredState[key] as? [CBMutableService])
    #expect(services.map(\.isPrimary) == [true, false, true])
    #expect(services.last?.includedServices?.first === services.dropFirst().first)
    withExtendedLifetime(old) {}
  }

  @Test func `rule 66: an identifier without the delegate method is misuse`() async throws {
    let lab = Lab(restoring: true)
    await lab.powerUp()
    lab.meter.application.terminate()
    lab.meter.application.state = .foreground

    let careless = CarelessDevice()
    var options = lab.meter.managerOptions
    options[CBPeripheralManagerOptionRestoreIdentifierKey] = "device"
    let manager = CBPeripheralManager(
      delegate: careless, queue: DispatchQueue(label: "careless"), options: options)
    await lab.run(.seconds(1))

    #expect(manager.state == .poweredOn)
    #expect(manager.isAdvertising)
    #expect(lab.meter.misuseReports.count == 1)
    #expect(
      lab.meter.misuseReports.first?.hasSuffix(
        "doesn't implement the peripheralManager:willRestoreState: method") == true)
  }
}

/// A delegate with the required method only.
final class CarelessDevice: NSObject, CBPeripheralManagerDelegate {
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
}
