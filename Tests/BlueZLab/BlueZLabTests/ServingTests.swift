// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Foundation
import Testing

extension LabPeer {
  /// A phone of another stack; each has an address, for bluetoothd remembers bonds.
  fileprivate init(phone number: String) async throws {
    name = "phone\(number)"
    address = "F0:00:00:00:00:\(number)"
    try await LabGuest.run(["lab", "central", name, "--address", address])
  }

  /// Finds the device, connects and learns its services.
  fileprivate func findDevice() async throws {
    try await ask("scan", LabDevice.Attribute.service.uuidString)
    try await ask("connect")
    try await ask("services")
  }

  /// The number of the error that a request is refused with.
  fileprivate func error(of words: String...) async -> Int? {
    do {
      try await ask(words.joined(separator: " "))
      return nil
    } catch {
      let fields = "\(error)".split(separator: "\"att\": ").last.map(String.init) ?? ""
      return Int(fields.prefix { $0.isNumber })
    }
  }
}

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Serving through bluetoothd` {
  private typealias Attribute = LabDevice.Attribute

  private func id(_ uuid: CBUUID) -> String { uuid.uuidString }

  @Test func `a phone finds the device and its attributes`() async throws {
    let device = LabDevice()
    await device.appear()
    let phone = try await LabPeer(phone: "01")

    let sight = try await phone.ask("scan", id(Attribute.service))
    #expect(sight["name"] as? String == "Lab device")
    let data = sight["data"] as? [String: String]
    // The flags: general discoverable, no BR/EDR.
    #expect(data?["01"] == "06")
    #expect(data?["07"] == "fc349b5f80000080001000000000def0")
    try await phone.ask("connect")
    let services = try #require(try await phone.ask("services")["services"] as? [[String: Any]])

    let service = try #require(services.first { $0["uuid"] as? String == id(Attribute.service) })
    let found = try #require(service["characteristics"] as? [[String: Any]])
    #expect(
      found.compactMap { $0["uuid"] as? String }
        == [
          Attribute.fixed, Attribute.asked, Attribute.written, Attribute.commanded,
          Attribute.notified, Attribute.indicated, Attribute.secret, Attribute.secretlyNotified,
        ].map(id))
    #expect(
      found.compactMap { $0["properties"] as? [String] }.map { Set($0) } == [
        ["READ"], ["READ"], ["WRITE"], ["WRITE", "WRITE_WITHOUT_RESPONSE"], ["READ", "NOTIFY"],
        ["INDICATE"], ["READ"], ["NOTIFY"],
      ])
    #expect(
      try await phone.ask("describe", id(Attribute.fixed), "2901")["value"] as? String
        == "4669786564")
    try await phone.stop()
    device.vanish()
  }

  @Test func `reads and writes are answered`() async throws {
    let device = LabDevice()
    await device.appear()
    let phone = try await LabPeer(phone: "02")
    try await phone.findDevice()
    let hex = LabDevice.long.map { String(format: "%02x", $0) }.joined()

    #expect(try await phone.ask("read", id(Attribute.fixed))["value"] as? String == hex)
    device.answer(Attribute.asked, LabDevice.long)
    #expect(try await phone.ask("read", id(Attribute.asked))["value"] as? String == hex)
    try await phone.ask("write", id(Attribute.written), "0102")
    try await phone.ask("write", id(Attribute.written), hex)
    for number in 10..<30 { try await phone.ask("command", id(Attribute.commanded), "\(number)") }
    await device.until("write \(Attribute.commanded) 29")

    let writes = device.log.filter { $0.hasPrefix("write") }
    #expect(
      writes == ["write \(Attribute.written) 0102", "write \(Attribute.written) \(hex)"]
        + (10..<30).map { "write \(Attribute.commanded) \($0)" })
    try await phone.stop()
    device.vanish()
  }

  @Test func `errors that bluetoothd can express reach the phone`() async throws {
    let device = LabDevice()
    await device.appear()
    let phone = try await LabPeer(phone: "03")
    try await phone.findDevice()

    for (code, expected) in [
      (0x80, 0x80), (0x9F, 0x9F), (0x06, 0x06), (0x07, 0x07), (0x08, 0x08), (0x0D, 0x0D),
      (0x11, 0x0E), (0xA0, 0x0E),
    ] {
      let code = try #require(CBATTError.Code(rawValue: code))
      device.refuse(Attribute.asked, code)
      #expect(await phone.error(of: "read", id(Attribute.asked)) == expected)
      device.refuse(Attribute.written, code)
      #expect(await phone.error(of: "write", id(Attribute.written), "01") == expected)
    }
    #expect(await phone.error(of: "read", id(Attribute.written)) == 0x02)
    // bluetoothd lets anybody read what has no other flag; the session does not.
    #expect(await phone.error(of: "read", id(Attribute.indicated)) == 0x02)
    #expect(await phone.error(of: "write", id(Attribute.fixed), "01") == 0x03)
    #expect(!device.log.contains { $0.contains("\(Attribute.indicated)") })
    try await phone.stop()
    device.vanish()
  }

  @Test(arguments: [(LabDevice.Attribute.notified, "notify"), (Attribute.indicated, "indicate")])
  func `updates arrive in order while the phone is subscribed`(
    attribute: CBUUID, kind: String
  ) async throws {
    let device = LabDevice()
    await device.appear()
    let phone = try await LabPeer(phone: kind == "notify" ? "04" : "05")
    try await phone.findDevice()
    let values = (0..<100).map { Data([0xAB, UInt8($0)]) }

    device.push([Data([1])], of: attribute)
    try await phone.ask("subscribe", id(attribute), kind)
    await device.until("subscribed \(attribute)")
    // The phone asks for an MTU of 247, bluetoothd for the longest there is.
    #expect(device.maximumUpdateLengths.allSatisfy { [244, 512].contains($0) })
    device.push(values, of: attribute)
    let arrived = try await phone.ask("values", id(attribute), "100")["values"] as? [String]
    #expect(arrived == (0..<100).map { String(format: "ab%02x", $0) })
    #expect(device.log.contains("ready"))

    try await phone.ask("unsubscribe", id(attribute))
    await device.until("unsubscribed \(attribute)")
    device.push([Data([2])], of: attribute)
    try await phone.ask("subscribe", id(attribute), kind)
    await device.until("subscribed \(attribute)", count: 2)
    try await phone.ask("disconnect")
    await device.until("unsubscribed \(attribute)", count: 2)
    try await phone.stop()
    device.vanish()
  }

  @Test func `two phones are two subscribers`() async throws {
    let device = LabDevice()
    await device.appear()
    let phones = [try await LabPeer(phone: "06"), try await LabPeer(phone: "07")]
    for phone in phones {
      try await phone.findDevice()
      try await phone.ask("subscribe", id(Attribute.notified))
    }
    await device.until("subscribed \(Attribute.notified)", count: 2)

    device.push([Data([7])], of: Attribute.notified)
    for phone in phones {
      let values = try await phone.ask("values", id(Attribute.notified), "1")["values"]
      #expect(values as? [String] == ["07"])
    }
    try await phones[0].ask("disconnect")
    await device.until("unsubscribed \(Attribute.notified)")
    device.push([Data([8])], of: Attribute.notified)
    let values = try await phones[1].ask("values", id(Attribute.notified), "2")["values"]
    #expect(values as? [String] == ["07", "08"])
    #expect(device.count("unsubscribed \(Attribute.notified)") == 1)
    for phone in phones { try await phone.stop() }
    device.vanish()
  }

  @Test func `a protected value requires a bond, which keeps subscriptions`()
    async throws
  {
    let device = LabDevice()
    await device.appear()
    device.answer(Attribute.secret, Data([0x42]))
    let phone = try await LabPeer(phone: "08")
    try await phone.findDevice()

    #expect([0x05, 0x0F].contains(await phone.error(of: "read", id(Attribute.secret))))
    #expect(
      [0x05, 0x0F].contains(await phone.error(of: "subscribe", id(Attribute.secretlyNotified))))
    try await phone.ask("pair")
    #expect(try await phone.ask("read", id(Attribute.secret))["value"] as? String == "42")
    try await phone.ask("subscribe", id(Attribute.secretlyNotified))
    await device.until("subscribed \(Attribute.secretlyNotified)")

    try await phone.ask("disconnect")
    await device.until("unsubscribed \(Attribute.secretlyNotified)")
    try await phone.ask("scan", id(Attribute.service))
    try await phone.ask("connect")
    await device.until("subscribed \(Attribute.secretlyNotified)", count: 2)
    try await phone.stop()
    device.vanish()
  }

  @Test func `services are added and removed while a phone is connected`() async throws {
    let device = LabDevice()
    await device.appear()
    let phone = try await LabPeer(phone: "09")
    try await phone.findDevice()

    let other = CBMutableService(type: Attribute.other, primary: true)
    other.characteristics = [
      LabDevice.characteristic(Attribute.other, .read, .readable, value: Data([1]))
    ]
    device.publish(other)
    await device.until("added \(Attribute.other)")
    try await phone.ask("wait", "services-changed", "1")
    try await phone.ask("services")
    #expect(try await phone.ask("read", id(Attribute.other))["value"] as? String == "01")
    device.withdraw(Attribute.other)
    try await phone.ask("wait", "services-changed", "2")
    #expect(await phone.error(of: "read", id(Attribute.other)) == 0x01)
    try await phone.stop()
    device.vanish()
  }

  @Test func `nothing is advertised after advertising ends`() async throws {
    let device = LabDevice()
    await device.appear()
    let phone = try await LabPeer(phone: "0A")

    device.advertise()
    await device.until("does not advertise")
    device.vanish()
    await #expect(throws: LabGuest.Failure.self) {
      try await phone.ask("scan", id(Attribute.service), "2")
    }
    device.advertise()
    await device.until("advertises", count: 2)
    try await phone.ask("scan", id(Attribute.service))
    try await phone.stop()
    device.vanish()
  }

  @Test func `advertising and services survive powering off`() async throws {
    let device = LabDevice()
    await device.appear()
    let phone = try await LabPeer(phone: "0B")
    try await phone.findDevice()
    try await phone.ask("subscribe", id(Attribute.notified))

    try await setPower(false)
    await device.until("state 4")
    try await setPower(true)
    await device.until("state 5", count: 2)
    try await phone.ask("wait", "disconnected")
    try await phone.findDevice()
    #expect(try await phone.ask("read", id(Attribute.fixed))["value"] as? String != nil)
    try await phone.ask("subscribe", id(Attribute.notified))
    await device.until("subscribed \(Attribute.notified)", count: 2)
    try await phone.stop()
    device.vanish()
  }

  private func setPower(_ isOn: Bool) async throws {
    try await LabGuest.run([
      "busctl", "--system", "set-property", "org.bluez", "/org/bluez/hci0", "org.bluez.Adapter1",
      "Powered", "b", "\(isOn)",
    ])
  }

  @Test func `a device comes back after bluetoothd was killed`() async throws {
    let device = LabDevice()
    await device.appear()
    let phone = try await LabPeer(phone: "0C")
    try await phone.findDevice()
    try await phone.ask("subscribe", id(Attribute.notified))
    await device.until("subscribed \(Attribute.notified)")

    try await LabGuest.lab("bluetoothd", "restart")
    await device.until("state 1")
    await device.until("state 5", count: 2)
    device.publish(LabDevice.service())
    await device.until("added \(Attribute.service)", count: 2)
    device.advertise()
    await device.until("advertises", count: 2)
    try await phone.ask("wait", "disconnected")
    try await phone.findDevice()
    device.answer(Attribute.asked, Data([3]))
    #expect(try await phone.ask("read", id(Attribute.asked))["value"] as? String == "03")
    try await phone.stop()
    device.vanish()
  }

  @Test func `a device continues in the next process`() async throws {
    await #expect(processExitsWith: .success) {
      let device = LabDevice(restoring: "lab device")
      await device.appear()
      exit(EXIT_SUCCESS)
    }
    let device = LabDevice(restoring: "lab device")
    await device.until("restored 1, advertises")
    let phone = try await LabPeer(phone: "0E")
    try await phone.findDevice()
    device.answer(Attribute.asked, Data([4]))
    #expect(try await phone.ask("read", id(Attribute.asked))["value"] as? String == "04")
    try await phone.ask("subscribe", id(Attribute.notified))
    await device.until("subscribed \(Attribute.notified)")
    device.push([Data([5])], of: Attribute.notified)
    let values = try await phone.ask("values", id(Attribute.notified), "1")["values"]
    #expect(values as? [String] == ["05"])

    #expect(!device.log.contains("added \(Attribute.service)"))
    try await phone.stop()
    device.vanish()
  }

  @Test func `a channel carries bytes both ways`() async throws {
    let device = LabDevice()
    await device.appear()
    let phone = try await LabPeer(phone: "0D")
    try await phone.ask("scan", id(Attribute.service))
    try await phone.ask("connect")

    device.publishChannel()
    await device.until("published 128")
    let echo = try await phone.ask("channel", "128", "900", "50")
    #expect(echo["bytes"] as? Int == 45_000)
    #expect(echo["equal"] as? Bool == true)
    await device.until("closed 128")
    try await phone.stop()
    device.vanish()
  }
}
