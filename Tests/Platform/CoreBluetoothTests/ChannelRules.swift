// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Publishing channels` {
  @Test func `channel: each publication has its own number`() async throws {
    let lab = Lab()
    await lab.powerUp()

    let numbers = [
      try await lab.publishChannel(), try await lab.publishChannel(encrypted: true),
      try await lab.publishChannel(),
    ]

    #expect(numbers == [0x80, 0x81, 0x82])
    #expect(lab.device.log.count("published channel") == 3)
  }

  @Test func `channel: numbers run out and are reused`() async {
    let lab = Lab()
    await lab.powerUp()
    for _ in 0..<128 { lab.device.manager.publishL2CAPChannel(withEncryption: false) }
    await lab.run(.milliseconds(1))
    #expect(lab.device.publishedNumbers == Array(0x80...0xFF))
    lab.device.log.clear()

    lab.device.manager.publishL2CAPChannel(withEncryption: false)
    lab.device.manager.unpublishL2CAPChannel(0x93)
    lab.device.manager.publishL2CAPChannel(withEncryption: false)
    await lab.run(.milliseconds(1))

    #expect(
      lab.device.log.all == [
        "published channel CBErrorDomain 4", "unpublished channel", "published channel",
      ])
    #expect(lab.device.publishedNumbers.last == 0x93)
  }

  @Test func `channel: only the publisher can end a publication`() async throws {
    let lab = Lab()
    await lab.powerUp()
    let other = DeviceProbe(lab.meter, name: "Other")
    await lab.powerUp()
    let psm = try await lab.publishChannel()
    lab.device.log.clear()

    other.manager.unpublishL2CAPChannel(psm)
    lab.device.manager.unpublishL2CAPChannel(0x99)
    lab.device.manager.unpublishL2CAPChannel(psm)
    lab.device.manager.unpublishL2CAPChannel(psm)
    await lab.run(.milliseconds(1))

    #expect(other.log.all.last == "unpublished channel CBErrorDomain 1")
    #expect(
      lab.device.log.all == [
        "unpublished channel CBErrorDomain 1", "unpublished channel",
        "unpublished channel CBErrorDomain 1",
      ])
  }

  @Test func `channel: commands below powered on are misuse`() async {
    let lab = Lab()
    await lab.powerUp()
    lab.meter.state = .poweredOff
    await lab.run(.milliseconds(1))
    lab.device.log.clear()

    lab.device.manager.publishL2CAPChannel(withEncryption: false)
    lab.device.manager.unpublishL2CAPChannel(0x80)
    await lab.run(.seconds(1))

    #expect(lab.device.log.all == [])
    #expect(lab.meter.misuseReports.count == 2)
  }

  @Test func `channel: a publication survives powering off but not a reset`() async throws {
    let lab = Lab()
    await lab.powerUp()
    let psm = try await lab.publishChannel()
    lab.meter.state = .poweredOff
    await lab.run(.seconds(1))
    lab.meter.state = .poweredOn
    await lab.run(.seconds(1))
    let link = try await lab.open()
    link.peripheral.openL2CAPChannel(psm)
    await lab.wait(for: "channel")

    lab.meter.state = .resetting
    await lab.run(.seconds(10))
    lab.meter.state = .poweredOn
    await lab.run(.milliseconds(1))
    lab.device.log.clear()
    lab.device.manager.unpublishL2CAPChannel(psm)
    await lab.run(.milliseconds(1))

    #expect(lab.device.log.all == ["unpublished channel CBErrorDomain 1"])
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Opening channels` {
  @Test func `channel: both sides get their end`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let psm = try await lab.publishChannel()
    lab.device.log.clear()

    link.peripheral.openL2CAPChannel(psm)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["channel"])
    #expect(lab.device.log.all == ["channel"])
    let near = try #require(lab.central.channels.first)
    let far = try #require(lab.device.channels.first)
    #expect(near.psm == 0x80)
    #expect(far.psm == 0x80)
    #expect(near.peer === link.peripheral)
    #expect(far.peer is CBCentral)
    #expect(far.peer.identifier == lab.meter.identifier(of: lab.phone))
    for channel in [near, far] {
      #expect(channel.inputStream.streamStatus == .notOpen)
      #expect(channel.outputStream.streamStatus == .notOpen)
    }
  }

  @Test func `channel: an unpublished number fails with connectionFailed`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let psm = try await lab.publishChannel()
    lab.device.manager.unpublishL2CAPChannel(psm)

    link.peripheral.openL2CAPChannel(psm)
    link.peripheral.openL2CAPChannel(0x25)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["channel CBErrorDomain 10", "channel CBErrorDomain 10"])
    #expect(lab.central.channels.isEmpty)
    #expect(link.peripheral.state == .connected)
  }

  @Test(arguments: [0, 0x100, 0x2349, 0xFFFF] as [CBL2CAPPSM])
  func `channel: an impossible number is an invalid parameter`(psm: CBL2CAPPSM) async throws {
    let lab = Lab()
    let link = try await lab.open()

    link.peripheral.openL2CAPChannel(psm)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["channel CBErrorDomain 1"])
  }

  @Test func `channel: opening waits for its turn`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let psm = try await lab.publishChannel()

    link.peripheral.readValue(for: try link("FFF2"))
    link.peripheral.openL2CAPChannel(psm)
    link.peripheral.readRSSI()
    await lab.run(.seconds(2))

    #expect(lab.central.log.all.prefix(2) == ["value FFF2 68656c6c6f", "channel"])
    #expect(lab.central.log.count("rssi") == 1)
  }

  @Test func `channel: opening needs a connection`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    lab.central.log.clear()

    peripheral.openL2CAPChannel(0x80)
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == [])
    #expect(lab.phone.misuseReports.last?.contains("in the connected state") == true)
  }

  @Test func `channel: required encryption makes the hosts pair first`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let psm = try await lab.publishChannel(encrypted: true)

    link.peripheral.openL2CAPChannel(psm)
    await lab.run(.milliseconds(400))
    #expect(lab.central.log.all == [])
    await lab.run(.seconds(2))

    #expect(lab.central.log.all == ["channel"])
    #expect(lab.phone.isBonded(with: lab.meter))
    #expect(lab.meter.isBonded(with: lab.phone))
  }

  @Test func `channel: without encryption the hosts do not pair`() async throws {
    let lab = Lab()
    _ = try await lab.openChannel()

    #expect(!lab.phone.isBonded(with: lab.meter))
  }

  @Test func `channel: refused pairing is insufficient authentication`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let psm = try await lab.publishChannel(encrypted: true)
    lab.phone.pairing = .reject

    link.peripheral.openL2CAPChannel(psm)
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["channel CBATTErrorDomain 5"])
    #expect(lab.device.channels.isEmpty)
  }

  @Test func `channel: an unanswered request to open fails after 30 seconds`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let psm = try await lab.publishChannel()
    lab.meter.ignoreRequests()

    link.peripheral.openL2CAPChannel(psm)
    await lab.run(.seconds(29))
    #expect(lab.central.log.all == [])
    await lab.run(.seconds(2))
    #expect(lab.central.log.all == ["channel CBErrorDomain 6"])

    _ = try await lab.openChannel(psm, to: link.peripheral)
    #expect(lab.central.log.all.last == "channel")
  }

  @Test func `channel: a link has at most 64 channels`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let psm = try await lab.publishChannel()

    for _ in 0..<65 { link.peripheral.openL2CAPChannel(psm) }
    await lab.run(.seconds(30))

    #expect(lab.central.log.count("channel") == 65)
    #expect(lab.central.log.all.last == "channel CBErrorDomain 4")
    #expect(lab.central.channels.count == 64)
  }

  @Test func `channel: the number comes from a characteristic`() async throws {
    let lab = Lab()
    await lab.powerUp()
    let psm = try await lab.publishChannel()
    let service = CBMutableService(type: CBUUID(string: "AAA1"), primary: true)
    service.characteristics = [
      CBMutableCharacteristic(
        type: CBUUID(string: CBUUIDL2CAPPSMCharacteristicString), properties: .read,
        value: withUnsafeBytes(of: psm.littleEndian) { Data($0) }, permissions: .readable)
    ]
    lab.device.manager.add(service)
    let peripheral = try await lab.connect()
    peripheral.discoverServices([CBUUID(string: "AAA1")])
    await lab.wait(for: "services")
    peripheral.discoverCharacteristics(
      [CBUUID(string: CBUUIDL2CAPPSMCharacteristicString)],
      for: try #require(peripheral.services?.first))
    await lab.wait(for: "characteristics")
    let characteristic = try #require(peripheral.services?.first?.characteristics?.first)
    peripheral.readValue(for: characteristic)
    await lab.wait(for: "value \(CBUUIDL2CAPPSMCharacteristicString) 8000")

    let value = try #require(characteristic.value)
    let pair = try await lab.openChannel(
      CBL2CAPPSM(value[0]) | CBL2CAPPSM(value[1]) << 8, to: peripheral)

    #expect(pair.far.psm == psm)
  }
}
