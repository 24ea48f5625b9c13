// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `Nonin oximetry` {
  private let frame = "0A 14 1E 00FA 012C 61 0048"

  @Test func `is big endian`() throws {
    let value = try NoninOximetry(payload: try bytes(frame))

    #expect(value.status == [.smartPoint, .sensorIsCorrect])
    #expect(value.batteryVoltage == 3)
    #expect(value.pulseAmplitudeIndex == 2.5)
    #expect(value.counter == 300)
    #expect(value.sample == OximetrySample(saturation: 97, pulseRate: 72, perfusionIndex: 2.5))
  }

  @Test(arguments: ["0A 0C 1E 00FA 012C 61 0048", "0A 00 1E 00FA 012C 61 0048"])
  func `has no sample while it searches or the sensor is off`(frame: String) throws {
    #expect(try NoninOximetry(payload: try bytes(frame)).sample == nil)
  }

  @Test func `has no sample where saturation or pulse rate are missing`() throws {
    #expect(try NoninOximetry(payload: try bytes("0A 10 1E 00FA 012C 7F 0048")).sample == nil)
    #expect(try NoninOximetry(payload: try bytes("0A 10 1E 00FA 012C 61 01FF")).sample == nil)
  }

  @Test func `reads a pulse rate above 255`() throws {
    let value = try NoninOximetry(payload: try bytes("0A 10 1E 00FA 012C 61 0118"))

    #expect(value.pulseRate == 280)
  }

  @Test(arguments: ["0B", "09", "00", "FF"])
  func `is refused where its length is not its own`(length: String) throws {
    let error = try refusal(
      of: try bytes(length + "14 1E 00FA 012C 61 0048"), as: "nonin-oximetry")

    #expect(error.code == .outOfRange)
    #expect(error.field == "Length")
    #expect(error.offset == 0)
  }

  @Test func `keeps what follows`() throws {
    let long = try bytes("0C 14 1E 00FA 012C 61 0048 AB CD")
    let value = try NoninOximetry(payload: long)

    #expect(value.trailingBytes == [0xAB, 0xCD])
    #expect(value.payload == long)
  }

  @Test func `is written as the virtual oximeter sends it`() throws {
    let value = NoninOximetry(
      status: [.smartPoint, .sensorIsCorrect], pulseAmplitudeHundredths: 250, counter: 300,
      saturation: 97, pulseRate: 72)

    #expect(value.payload == (try bytes(frame)))
  }

  @Test func `is written with the codes for missing values`() throws {
    let value = NoninOximetry(status: [], counter: 1, saturation: nil, pulseRate: nil)

    #expect(value.payload == (try bytes("0A 00 1E 0000 0001 7F 01FF")))
  }
}

@Suite struct `Berry packet` {
  @Test func `takes the eighth bit of the pulse rate from the third byte`() throws {
    #expect(try BerryPacket(payload: try bytes("87 1D 46 56 5F")).pulseRate == 214)
    #expect(try BerryPacket(payload: try bytes("87 1D 06 56 5F")).pulseRate == 86)
  }

  @Test func `distinguishes a pulse rate of 127 from a missing one`() throws {
    #expect(try BerryPacket(payload: try bytes("87 1D 06 7F 5F")).pulseRate == 127)
    #expect(try BerryPacket(payload: try bytes("87 1D 46 7F 5F")).pulseRate == nil)
  }

  @Test(arguments: [
    "97 1D 06 56 5F", "A7 1D 06 56 5F", "87 1D 16 56 5F", "87 1D 26 56 5F", "87 1D 06 56 7F",
  ])
  func `has no sample without signal, probe, finger, lock or saturation`(frame: String) throws {
    #expect(try BerryPacket(payload: try bytes(frame)).sample == nil)
  }

  @Test(arguments: 0..<5)
  func `is refused at the byte whose bit 7 is wrong`(position: Int) throws {
    var packet = try bytes("87 1D 06 56 5F")
    packet[position] ^= 0x80

    let error = try refusal(of: packet, as: "berry-bci")

    #expect(error.code == .reservedValue)
    #expect(error.offset == position)
  }

  @Test(arguments: [UInt8(30), 127, 128, 214, 254])
  func `is written with the pulse rate in two bytes`(pulseRate: UInt8) throws {
    let packet = BerryPacket(saturation: 96, pulseRate: pulseRate)

    #expect(packet.sample == OximetrySample(saturation: 96, pulseRate: Int(pulseRate)))
    #expect(packet.payload.dropFirst().allSatisfy { $0 < 0x80 })
  }
}

@Suite struct `Jumper oximetry` {
  @Test func `has pulse rate, saturation and perfusion index in this order`() throws {
    let value = try JumperOximetry(payload: [0x81, 72, 97, 28])

    #expect(value.sample == OximetrySample(saturation: 97, pulseRate: 72, perfusionIndex: 2.8))
  }

  @Test func `has no sample without a finger`() throws {
    #expect(try JumperOximetry(payload: [0x81, 0xFF, 0x7F, 0]).sample == nil)
    #expect(JumperOximetry(saturation: nil, pulseRate: nil).payload == [0x81, 0xFF, 0x7F, 0])
  }

  @Test func `keeps a kind that it does not know`() throws {
    let value = try JumperOximetry(payload: [0x82, 1, 2])

    #expect(value.content == .other(kind: 0x82, [1, 2]))
    #expect(value.sample == nil)
    #expect(value.payload == [0x82, 1, 2])
  }

  @Test func `names the byte that is missing`() throws {
    let error = try refusal(of: [0x81, 72], as: "jumper-oximetry")

    #expect(error.code == .truncated)
    #expect(error.field == "SpO2")
    #expect(error.offset == 2)
  }
}

@Suite struct `JKS50F frame` {
  private func frame(_ start: String) throws -> [UInt8] {
    let bytes = try bytes(start)
    let body = bytes + [UInt8](repeating: 0, count: 68 - bytes.count)
    return body + [UInt8(truncatingIfNeeded: body.reduce(1) { $0 + Int($1) })]
  }

  @Test func `takes the perfusion index from seven and six bits`() throws {
    let value = try JKS50FFrame(payload: try frame("FF4401 00 64 50 26 04"))

    #expect(value.perfusionIndex == 5.5)
    #expect(value.sample == OximetrySample(saturation: 100, pulseRate: 80, perfusionIndex: 5.5))
  }

  @Test func `has no sample without a finger`() throws {
    let value = try JKS50FFrame(payload: try frame("FF4401 01 7F 7F 7F 7F"))

    #expect(value.saturation == nil)
    #expect(value.pulseRate == nil)
    #expect(value.perfusionIndex == nil)
    #expect(value.sample == nil)
  }

  @Test func `is refused with a wrong check`() throws {
    var bytes = try frame("FF4401 00 64 50 26 04")
    bytes[68] &+= 1

    let error = try refusal(of: bytes, as: "jks50f-frame")

    #expect(error.code == .checksumMismatch)
    #expect(error.offset == 68)
  }

  @Test func `is written with its check`() throws {
    let value = JKS50FFrame(saturation: 100, pulseRate: 80, perfusionHundredths: 550)

    #expect(value.payload == (try frame("FF4401 00 64 50 26 04")))
  }
}

@Suite struct `Beurer PO60 record` {
  private let record = "E9 43 1A05070C1E00 1A05070C1F05 00 0000 625F61 4E4448 00"

  @Test func `has the averages as its sample`() throws {
    let value = try PO60Record(payload: try bytes(record))

    #expect(value.sample == OximetrySample(saturation: 97, pulseRate: 72))
    #expect(
      value.endTime.dateTime
        == (try DateTime(year: 2026, month: 5, day: 7, hours: 12, minutes: 31, seconds: 5)))
    #expect(value.isLast)
    #expect(value.number == 3)
  }

  @Test func `has no pulse rate while its eighth bits are unknown`() throws {
    let value = try PO60Record(
      payload: try bytes("E9 43 1A05070C1E00 1A05070C1F05 04 0000 625F61 0E4408 00"))

    #expect(value.pulseRate == nil)
    #expect(value.sample == nil)
    #expect(value.saturation.average == 97)
  }

  @Test func `is refused where bit 7 starts another record inside it`() throws {
    let error = try refusal(
      of: try bytes("E9 43 1A05070C1E00 1AE9070C1F05 00 0000 625F61 4E4448 00"), as: "po60-record")

    #expect(error.code == .reservedValue)
    #expect(error.offset == 9)
  }

  @Test func `is written as the virtual oximeter sends it`() throws {
    let start = try DateTime(year: 2026, month: 5, day: 7, hours: 12, minutes: 30, seconds: 0)
    let end = try DateTime(year: 2026, month: 5, day: 7, hours: 12, minutes: 31, seconds: 5)
    let written = PO60Record(
      number: 3, isLast: true, start: Timestamp(start), end: Timestamp(end),
      saturation: .init(highest: 98, lowest: 95, average: 97),
      pulseRate: .init(highest: 78, lowest: 68, average: 72))

    #expect(written.payload.dropLast() == (try bytes(record)).dropLast())
    #expect(try PO60Record(payload: written.payload) == written)
  }

  @Test func `asks with the checks of the manufacturer's protocol`() {
    for request in [PO60Record.start, PO60Record.proceed] {
      #expect(request.last == Checksum.sum7.value(of: request.dropLast()))
    }
  }
}

@Suite struct `ChoiceMMed oximetry` {
  @Test func `is what the virtual oximeter sends`() throws {
    let value = ChoiceMMedOximetry(saturation: 97, pulseRate: 72)

    #expect(value.payload == (try bytes("AA55 03 61 48 AC")))
    #expect(value.sample == OximetrySample(saturation: 97, pulseRate: 72))
  }

  @Test func `has no sample without a finger`() throws {
    #expect(try ChoiceMMedOximetry(payload: try bytes("AA55 03 00 00 03")).sample == nil)
  }

  @Test func `is refused where it is longer`() throws {
    let error = try refusal(of: try bytes("AA55 03 61 48 AC 00"), as: "choicemmed-oximetry")

    #expect(error.code == .trailingBytes)
    #expect(error.offset == 6)
  }

  @Test func `greets with its own check`() {
    let greeting = ChoiceMMedOximetry.greeting

    #expect(greeting.last == Checksum.sum8.value(of: greeting.dropFirst(2).dropLast()))
  }
}

@Suite struct `FS20F oximetry` {
  @Test func `is big endian, with the perfusion index in thousandths`() throws {
    let value = try FS20FOximetry(
      payload: try bytes("0102030405060708090A0B 0118 61 04B0 00"))

    #expect(value.sample == OximetrySample(saturation: 97, pulseRate: 280, perfusionIndex: 1.2))
    #expect(value.payload.count == 17)
  }
}
