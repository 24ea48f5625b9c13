// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `GATT client` {
  @Test func `rule 34: commands without a connection are misuse and have no answer`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    lab.central.log.clear()

    peripheral.discoverServices(nil)
    peripheral.readRSSI()
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == [])
    #expect(lab.phone.misuseReports.count == 2)
    #expect(
      lab.phone.misuseReports.allSatisfy {
        $0.hasPrefix("[CoreBluetooth] API MISUSE: <CBPeripheral: 0x")
          && $0.hasSuffix(
            "name = Meter, mtu = 0, state = disconnected> can only accept commands while in the "
              + "connected state")
      })
  }

  @Test func `rule 35: requests are answered in the order of the calls`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.device.values = [CBUUID(string: "FFF1"): Data([1])]

    link.peripheral.readValue(for: try link("FFF1"))
    link.peripheral.writeValue(Data([2]), for: try link("FFF3"), type: .withResponse)
    link.peripheral.readValue(for: try link("FFF2"))
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    link.peripheral.discoverDescriptors(for: try link("FFF1"))
    await lab.run(.seconds(5))

    #expect(
      lab.central.log.all == [
        "value FFF1 01", "wrote FFF3", "value FFF2 68656c6c6f", "notify FFF4 on", "descriptors",
      ])
  }

  @Test func `rule 36: discoveries add up, without duplicates, with the same objects`() async throws
  {
    let lab = Lab()
    let peripheral = try await lab.connect()
    peripheral.discoverServices([CBUUID(string: "180D")])
    await lab.wait(for: "services")
    #expect(peripheral.services == [])
    peripheral.discoverServices(nil)
    peripheral.discoverServices([CBUUID(string: "FFF0")])
    await lab.run(.seconds(2))
    let service = try #require(peripheral.services?.first)
    #expect(peripheral.services?.count == 1)
    #expect(service.characteristics == nil)

    peripheral.discoverCharacteristics([CBUUID(string: "FFF2")], for: service)
    await lab.run(.seconds(1))
    let first = try #require(service.characteristics?.first)
    peripheral.discoverCharacteristics(nil, for: service)
    await lab.run(.seconds(1))

    #expect(service.characteristics?.count == 9)
    #expect(service.characteristics?.first === first)
    #expect(first.service === service)
    #expect(service.peripheral === peripheral)
  }

  @Test func `rule 36: included services and descriptors`() async throws {
    let lab = Lab()
    await lab.powerUp()
    let inner = CBMutableService(type: CBUUID(string: "AAA1"), primary: false)
    let outer = CBMutableService(type: CBUUID(string: "AAA2"), primary: true)
    outer.includedServices = [inner]
    lab.device.manager.add(inner)
    lab.device.manager.add(outer)
    let link = try await lab.open()
    let services = link.peripheral.services ?? []
    #expect(services.map(\.uuid.uuidString) == ["FFF0", "AAA2"])
    link.peripheral.discoverIncludedServices(nil, for: try #require(services.last))
    link.peripheral.discoverDescriptors(for: try link("FFF1"))
    link.peripheral.discoverDescriptors(for: try link("FFF4"))
    await lab.run(.seconds(2))

    let included = services.last?.includedServices ?? []
    #expect(included.map(\.uuid.uuidString) == ["AAA1"])
    #expect(included.map(\.isPrimary) == [false])
    #expect(try link("FFF1").descriptors?.map(\.uuid.uuidString) == ["2901", "2904"])
    #expect(try link("FFF4").descriptors?.map(\.uuid.uuidString) == ["2902"])
  }

  @Test func `rule 38: withdrawn services are invalid`() async throws {
    let lab = Lab()
    await lab.powerUp()
    let extra = CBMutableService(type: CBUUID(string: "AAA1"), primary: true)
    lab.device.manager.add(extra)
    let link = try await lab.open()
    let dead = try #require(link.peripheral.services?.last)

    lab.device.manager.remove(extra)
    await lab.run(.seconds(1))
    #expect(lab.central.log.all == ["modified AAA1"])
    #expect(link.peripheral.services?.map(\.uuid.uuidString) == ["FFF0"])

    link.peripheral.discoverCharacteristics(nil, for: dead)
    await lab.run(.seconds(1))
    #expect(lab.central.log.all == ["modified AAA1"])
    #expect(lab.phone.misuseReports.count == 1)
  }

  @Test func `rule 39: a failed read leaves the last value`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let characteristic = try link("FFF2")
    link.peripheral.readValue(for: characteristic)
    await lab.run(.seconds(1))
    lab.meter.setError(.unlikelyError, for: CBUUID(string: "FFF2"))

    link.peripheral.readValue(for: characteristic)
    await lab.run(.seconds(1))

    #expect(
      lab.central.log.all == [
        "value FFF2 68656c6c6f", "value FFF2 68656c6c6f CBATTErrorDomain 14",
      ])
    #expect(characteristic.value == Data("hello".utf8))
  }

  @Test func `rule 40: a long value is read whole`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let value = Data((0..<512).map { UInt8(truncatingIfNeeded: $0) })
    lab.device.values = [CBUUID(string: "FFF1"): value]

    link.peripheral.readValue(for: try link("FFF1"))
    await lab.run(.seconds(5))

    #expect(try link("FFF1").value == value)
    // The MTU is 185, so a packet holds 184 bytes.
    #expect(lab.device.log.all == ["read FFF1 @0", "read FFF1 @184", "read FFF1 @368"])
  }

  @Test func `rule 40: a value of exactly one packet is read to its end`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.device.values = [CBUUID(string: "FFF1"): Data(repeating: 7, count: 184)]

    link.peripheral.readValue(for: try link("FFF1"))
    await lab.run(.seconds(5))

    #expect(try link("FFF1").value?.count == 184)
    #expect(lab.device.log.all == ["read FFF1 @0", "read FFF1 @184"])
  }

  @Test func `rule 41: a long write arrives in parts and is answered once`() async throws {
    let lab = Lab()
    lab.meter.link.mtu = 23
    let link = try await lab.open()

    link.peripheral.writeValue(
      Data((0..<40).map { UInt8($0) }), for: try link("FFF3"), type: .withResponse)
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["wrote FFF3"])
    #expect(
      lab.device.log.all == [
        "write FFF3 @0 000102030405060708090a0b0c0d0e0f1011",
        "write FFF3 @18 12131415161718191a1b1c1d1e1f20212223",
        "write FFF3 @36 24252627",
      ])
  }

  @Test func `rule 41: the maximum lengths`() async throws {
    let lab = Lab()
    let link = try await lab.open()

    #expect(link.peripheral.maximumWriteValueLength(for: .withResponse) == 512)
    #expect(link.peripheral.maximumWriteValueLength(for: .withoutResponse) == 182)
    link.peripheral.writeValue(Data(count: 513), for: try link("FFF3"), type: .withResponse)
    await lab.run(.seconds(5))
    #expect(lab.central.log.all == ["wrote FFF3 CBATTErrorDomain 13"])
  }

  @Test func `rule 41: a write without response has no answer and is cut`() async throws {
    let lab = Lab()
    lab.meter.link.mtu = 23
    let link = try await lab.open()

    link.peripheral.writeValue(
      Data(repeating: 1, count: 25), for: try link("FFF3"), type: .withoutResponse)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == [])
    #expect(lab.device.log.all == ["write FFF3 @0 " + String(repeating: "01", count: 20)])
  }

  @Test func `rule 42: writes without response fill the queue, which empties again`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let characteristic = try link("FFF3")

    var sent: UInt8 = 0
    while link.peripheral.canSendWriteWithoutResponse {
      link.peripheral.writeValue(Data([sent]), for: characteristic, type: .withoutResponse)
      sent += 1
    }
    #expect(sent == 20)
    link.peripheral.writeValue(Data([0xFF]), for: characteristic, type: .withoutResponse)
    await lab.run(.seconds(2))

    #expect(lab.central.log.all == ["ready"])
    #expect(link.peripheral.canSendWriteWithoutResponse)
    #expect(lab.device.log.count("write FFF3 @0") == 20)
    #expect(!lab.device.log.has("write FFF3 @0 ff"))
  }

  @Test func `rule 42: there is room again when the first write has left`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let characteristic = try link("FFF3")
    for byte in 0..<20 as Range<UInt8> {
      link.peripheral.writeValue(Data([byte]), for: characteristic, type: .withoutResponse)
    }

    await lab.wait(for: "ready")
    #expect(lab.device.log.all == ["write FFF3 @0 00"])
    #expect(link.peripheral.canSendWriteWithoutResponse)

    link.peripheral.writeValue(Data([20]), for: characteristic, type: .withoutResponse)
    #expect(!link.peripheral.canSendWriteWithoutResponse)
    await lab.run(.seconds(2))
    #expect(lab.central.log.all == ["ready", "ready"])
    #expect(lab.device.log.count("write FFF3") == 21)
    #expect(lab.device.log.all.last == "write FFF3 @0 14")
    #expect(lab.phone.misuseReports == [])
  }

  @Test func `rule 42: writes behind a request leave room when they are sent`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    link.peripheral.readValue(for: try link("FFF1"))
    for byte in 0..<20 as Range<UInt8> {
      link.peripheral.writeValue(Data([byte]), for: try link("FFF3"), type: .withoutResponse)
    }

    #expect(!link.peripheral.canSendWriteWithoutResponse)
    await lab.wait(for: "ready")

    #expect(lab.central.log.all == ["value FFF1 ", "ready"])
    #expect(lab.device.log.all == ["read FFF1 @0", "write FFF3 @0 00"])
  }

  @Test func `rule 42: a burst without regard to the room is misuse, reported once`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let characteristic = try link("FFF3")
    let burst = {
      for byte in 0..<30 as Range<UInt8> {
        link.peripheral.writeValue(Data([byte]), for: characteristic, type: .withoutResponse)
      }
    }

    burst()
    #expect(lab.phone.misuseReports.count == 1)
    await lab.run(.seconds(2))
    burst()
    await lab.run(.seconds(2))

    #expect(lab.device.log.count("write FFF3") == 40)
    #expect(lab.phone.misuseReports.count == 2)
    #expect(
      lab.phone.misuseReports.allSatisfy {
        $0.hasPrefix("[CoreBluetooth] API MISUSE: <CBPeripheral: 0x")
          && $0.contains("no room for a write without response to <CBCharacteristic: 0x")
      })
  }

  @Test func `rule 43: the MTU is exchanged soon after the connection`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    lab.central.manager.connect(peripheral)
    await lab.wait(for: "connected connected")
    #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 20)

    await lab.run(.milliseconds(100))

    #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 182)
  }

  @Test func `rule 44: notify comes before indicate`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let both = try link("FFF5")
    link.peripheral.setNotifyValue(true, for: both)
    link.peripheral.discoverDescriptors(for: both)
    await lab.run(.seconds(1))
    let configuration = try #require(both.descriptors?.first)

    link.peripheral.readValue(for: configuration)
    await lab.run(.seconds(1))

    #expect(both.isNotifying)
    #expect(configuration.value as? Int == 1)
  }

  @Test func `rule 44: without notify it is indicate`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let indicated = try link("FFF9")
    link.peripheral.setNotifyValue(true, for: indicated)
    link.peripheral.discoverDescriptors(for: indicated)
    await lab.run(.seconds(1))
    let configuration = try #require(indicated.descriptors?.first)

    link.peripheral.readValue(for: configuration)
    await lab.run(.seconds(1))

    #expect(configuration.value as? Int == 2)
  }

  @Test func `rule 44: the same state again is an immediate success`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let characteristic = try link("FFF4")

    link.peripheral.setNotifyValue(true, for: characteristic)
    link.peripheral.setNotifyValue(true, for: characteristic)
    link.peripheral.setNotifyValue(false, for: characteristic)
    await lab.run(.seconds(1))

    #expect(
      lab.central.log.all == ["notify FFF4 on", "notify FFF4 on", "notify FFF4 off"])
    #expect(lab.device.log.all == ["subscribed FFF4", "unsubscribed FFF4"])
  }

  @Test func `rule 44: subscribing without the property is not supported`() async throws {
    let lab = Lab()
    let link = try await lab.open()

    link.peripheral.setNotifyValue(true, for: try link("FFF2"))
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["notify FFF2 off CBATTErrorDomain 6"])
  }

  @Test func `rule 44: subscriptions end with the link`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let old = try link("FFF4")
    link.peripheral.setNotifyValue(true, for: old)
    await lab.wait(for: "notify FFF4 on")
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))

    let again = try await lab.open()
    _ = lab.device.update("FFF4", [1])
    await lab.run(.seconds(1))

    #expect(!(try again("FFF4").isNotifying))
    #expect(try again("FFF4") !== old)
    #expect(lab.central.log.all == [])
  }

  @Test func `rule 45: writing the client configuration stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let lab = Lab()
      let link = try await lab.open()
      let characteristic = try link("FFF4")
      link.peripheral.discoverDescriptors(for: characteristic)
      await lab.run(.seconds(1))
      let configuration = try #require(characteristic.descriptors?.first)
      link.peripheral.writeValue(Data([1, 0]), for: configuration)
    }
  }

  @Test func `rule 46: subscribing does not refresh the configuration's value`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let characteristic = try link("FFF4")
    link.peripheral.discoverDescriptors(for: characteristic)
    await lab.run(.seconds(1))
    let configuration = try #require(characteristic.descriptors?.first)
    link.peripheral.readValue(for: configuration)
    await lab.run(.seconds(1))

    link.peripheral.setNotifyValue(true, for: characteristic)
    await lab.wait(for: "notify FFF4 on")

    #expect(configuration.value as? Int == 0)
  }

  @Test func `rule 47: application error codes keep their number`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let outOfRange = try #require(CBATTError.Code(rawValue: 0x80))
    lab.device.writeResult = outOfRange

    link.peripheral.writeValue(Data([1]), for: try link("FFF3"), type: .withResponse)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["wrote FFF3 CBATTErrorDomain 128"])
  }

  @Test func `rule 49: the signal strength of a link`() async throws {
    let lab = Lab()
    let link = try await lab.open()

    link.peripheral.readRSSI()
    await lab.run(.seconds(1))

    // -55 dBm at 1 m and 6 dB less at 2 m, give or take 2 dB of noise.
    let value = lab.central.log.all.first?.split(separator: " ").last.flatMap { Int($0) }
    #expect((-63 ... -59).contains(value ?? 0))
  }

  @Test func `rule 49: a delegate with the older method gets the older call`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let probe = OlderRSSI()
    link.peripheral.delegate = probe

    link.peripheral.readRSSI()
    await lab.run(.seconds(1))

    #expect(probe.log.all == ["older"])
  }

  @Test func `rule 50: a request without an answer ends the link after 30 seconds`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.device.isSilent = true

    link.peripheral.readValue(for: try link("FFF1"))
    await lab.run(.seconds(29))
    #expect(lab.central.log.all == [])
    await lab.run(.seconds(2))

    #expect(
      lab.central.log.all == [
        "value FFF1 - CBErrorDomain 0", "disconnected disconnected CBErrorDomain 6",
      ])
  }

  @Test func `descriptors are read as the type of their UUID`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let characteristic = try link("FFF1")
    link.peripheral.discoverDescriptors(for: characteristic)
    await lab.run(.seconds(1))
    let descriptors = try #require(characteristic.descriptors)

    for descriptor in descriptors { link.peripheral.readValue(for: descriptor) }
    await lab.run(.seconds(1))

    #expect(descriptors[0].value as? String == "Reading")
    #expect(descriptors[1].value as? Data == Data([1, 2, 3, 4, 5, 6, 7]))
    #expect(descriptors[0].characteristic === characteristic)
  }

  @Test func `reading and writing require the property`()
    async throws
  {
    let lab = Lab()
    let link = try await lab.open()

    link.peripheral.readValue(for: try link("FFF3"))
    link.peripheral.writeValue(Data([1]), for: try link("FFF2"), type: .withResponse)
    link.peripheral.writeValue(Data([1]), for: try link("FFF2"), type: .withoutResponse)
    await lab.run(.seconds(1))

    #expect(
      lab.central.log.all == [
        "value FFF3 - CBATTErrorDomain 2", "wrote FFF2 CBATTErrorDomain 3",
      ])
    #expect(lab.phone.misuseReports.count == 1)
    #expect(
      lab.phone.misuseReports.allSatisfy {
        $0.contains("does not specify the \"Write Without Response\" property")
      })
  }
}

private final class OlderRSSI: NSObject, CBPeripheralDelegate {
  let log = EventLog()

  func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?) {
    log.note("older")
  }
}
