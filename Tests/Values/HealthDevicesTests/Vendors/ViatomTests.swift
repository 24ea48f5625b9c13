// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `Viatom frame` {
  @Test func `of a request for the values of the moment is the one every reader sends`() throws {
    #expect(ViatomFrame(.live).payload == (try bytes("AA 17 E8 0000 0000 1B")))
  }

  @Test func `of a reply has a status in place of the command`() throws {
    let reply = try ViatomFrame(
      payload: try bytes("5500FF00000D00000102030405060708090A0B0CE9"))

    #expect(reply.direction == .reply)
    #expect(reply.code == 0)
    #expect(reply.data == Array(0...12))
  }

  @Test func `is refused with a wrong complement, length or check`() throws {
    let complement = try refusal(of: try bytes("AA 17 E9 0000 0000 1B"), as: "viatom-frame")
    let short = try refusal(of: try bytes("AA 17 E8 0000 0100 1B"), as: "viatom-frame")
    let check = try refusal(of: try bytes("AA 17 E8 0000 0000 1C"), as: "viatom-frame")
    let long = try refusal(of: try bytes("AA 17 E8 0000 0000 1B 00"), as: "viatom-frame")
    let start = try refusal(of: try bytes("A5 17 E8 0000 0000 1B"), as: "viatom-frame")

    #expect(complement.code == .checksumMismatch)
    #expect(complement.offset == 2)
    #expect(short.code == .truncated)
    #expect(short.field == "Checksum")
    #expect(check.code == .checksumMismatch)
    #expect(check.offset == 7)
    #expect(long.code == .trailingBytes)
    #expect(start.code == .reservedValue)
  }

  @Test func `cuts off what its length cannot count`() throws {
    let frame = ViatomFrame(replyWithStatus: 0, data: [UInt8](repeating: 7, count: 70_000))

    #expect(frame.data.count == 65_535)
    #expect(try ViatomFrame(payload: frame.payload) == frame)
  }
}

@Suite struct `Viatom live reading` {
  @Test func `has no sample while the ring is not worn, or calibrates`() throws {
    #expect(ViatomLiveReading(saturation: 97, pulseRate: 60, isWorn: false).sample == nil)
    #expect(ViatomLiveReading(saturation: 0, pulseRate: 0, isWorn: true).sample == nil)
    #expect(
      ViatomLiveReading(saturation: 97, pulseRate: 60, perfusionTenths: 12, isWorn: true).sample
        == OximetrySample(saturation: 97, pulseRate: 60, perfusionIndex: 1.2))
  }

  @Test func `of command 17 has 12 bytes or more`() throws {
    let twelve = try bytes("61 48 0000000000 55 01 03 06 01")

    #expect(try ViatomLiveReading(payload: twelve).trailingBytes == [])
    #expect(try ViatomLiveReading(payload: twelve + [9]).trailingBytes == [9])
    let error = try refusal(of: twelve.dropLast(), as: "viatom-live17")
    #expect(error.field == "Worn")
    #expect(error.offset == 11)
  }

  @Test func `of command 1B has a pulse rate of two bytes`() throws {
    let value = try ViatomWaveReading(payload: try bytes("61 2C01 55 00 06 01 000000 0000"))

    #expect(value.pulseRate == 300)
    #expect(value.sample?.pulseRate == 300)
  }

  @Test func `of command 1B is worn at lead state 1 only`() throws {
    let value = try ViatomWaveReading(payload: try bytes("61 4800 55 00 06 02 000000 0000"))

    #expect(!value.isWorn)
    #expect(value.sample == nil)
  }

  @Test func `of command 1B takes a curve as far as it goes`() throws {
    let cut = try bytes("61 4800 55 00 06 01 000000 0500 0102")
    let value = try ViatomWaveReading(payload: cut)

    #expect(value.wave == [1, 2])
    #expect(value.waveLength == 5)
    #expect(value.payload == cut)
  }
}

@Suite struct `Viatom recording` {
  private let header =
    "0300 EA07011F162128 D2040000 1000 0000 5F5A0102 7800030F55E1100000 00000000000000000000"

  @Test func `has four samples of four seconds`() throws {
    let value = try ViatomRecording(
      payload: try bytes(header + "5865000000 5763000400 FFFFFF0000 5A2C010100"))

    #expect(value.step == 4)
    #expect(value.samples.map(\.saturation) == [88, 87, nil, 90])
    #expect(value.samples.map(\.pulseRate) == [101, 99, nil, 300])
    #expect(value.samples.map(\.movement) == [0, 4, 0, 1])
    #expect(value.summary.averageSaturation == 95)
  }

  @Test func `has eight samples of two seconds`() throws {
    let value = try ViatomRecording(
      payload: try bytes(header + String(repeating: "5865000000", count: 8)))

    #expect(value.step == 2)
  }

  @Test func `is refused where samples are missing`() throws {
    let error = try refusal(
      of: try bytes(header + "5865000000 5865000000 5865000000"), as: "viatom-vld3-file")

    #expect(error.code == .outOfRange)
    #expect(error.field == "Duration")
    #expect(error.offset == 13)
  }

  @Test func `is refused with a part of a sample`() throws {
    let error = try refusal(
      of: try bytes(header + "5865000000 586500"), as: "viatom-vld3-file")

    #expect(error.code == .truncated)
    #expect(error.field == "Movement")
    #expect(error.offset == 48)
  }

  @Test func `is refused where its version is not 3`() throws {
    let error = try refusal(of: try bytes("02" + header.dropFirst(2)), as: "viatom-vld3-file")

    #expect(error.code == .reservedValue)
    #expect(error.field == "Version")
  }

  @Test func `without samples has no step`() throws {
    #expect(try ViatomRecording(payload: try bytes(header)).step == 0)
  }

  @Test func `keeps a start that is not a time`() throws {
    let value = try ViatomRecording(
      payload: try bytes("0300 EA070D1F162128" + header.dropFirst(19)))

    #expect(value.start.dateTime == nil)
    #expect(value.start.bytes == (try bytes("EA070D1F162128")))
  }
}

@Suite struct `O2Ring-S` {
  @Test func `is calibrating while it is worn without values`() throws {
    let value = OxyIILiveReading(saturation: 0, pulseRate: 0, isWorn: true)

    #expect(value.isCalibrating)
    #expect(value.sample == nil)
  }

  @Test func `is worn whatever the contact byte is, but 0`() throws {
    let value = try OxyIILiveReading(
      payload: try bytes("0000000000 03 5F 05 46 00000000 50 00000000000000000000"))

    #expect(value.isWorn)
    #expect(value.sample == OximetrySample(saturation: 95, pulseRate: 70))
  }

  @Test func `writes 24 bytes and two more`() {
    #expect(OxyIILiveReading(saturation: 95, pulseRate: 70, isWorn: true).payload.count == 26)
  }
}

@Suite struct `O2Ring-S recording` {
  private let samples: [OxyIIRecording.Sample] = [
    .init(saturation: 97, pulseRate: 72), .init(saturation: 0, pulseRate: nil, flags: 1),
  ]

  @Test func `is complete with its trailer`() throws {
    let trailer = OxyIIRecording.Trailer(
      averageSaturation: 97, lowestSaturation: 91, averagePulseRate: 72, dropsOfThree: 2)
    let bytes = OxyIIRecording(samples: samples, trailer: trailer).payload

    let value = try OxyIIRecording(payload: bytes)

    #expect(bytes.count == 10 + 2 * 3 + 48)
    #expect(value.samples == samples)
    #expect(value.trailer?.averageSaturation == 97)
    #expect(value.trailer?.lowestSaturation == 91)
    #expect(value.trailer?.dropsOfThree == 2)
    #expect(value.trailer?.averagePulseRate == 72)
    #expect(value.trailer?.score == nil)
  }

  @Test func `is not complete at its full size without the trailer's magic bytes`() throws {
    let trailer = OxyIIRecording.Trailer(
      averageSaturation: 97, lowestSaturation: 91, averagePulseRate: 72)
    var bytes = OxyIIRecording(samples: samples, trailer: trailer).payload
    bytes[bytes.count - 44] = 0

    let value = try OxyIIRecording(payload: bytes)

    #expect(value.trailer == nil)
    #expect(value.samples.count == 18)
  }

  @Test func `is refused at the byte where its header differs`() throws {
    let error = try refusal(
      of: try bytes("01030000000000000500 614800"), as: "oxyii-file")

    #expect(error.code == .reservedValue)
    #expect(error.offset == 8)
  }

  @Test func `is refused where a sample is cut`() throws {
    let error = try refusal(
      of: try bytes("01030000000000000400 614800 6148"), as: "oxyii-file")

    #expect(error.code == .truncated)
    #expect(error.offset == 13)
  }

  @Test func `has a score in tenths`() throws {
    var trailer = OxyIIRecording.Trailer(
      averageSaturation: 97, lowestSaturation: 91, averagePulseRate: 72
    ).bytes
    trailer[39...42] = [0x2C, 0x01, 0x03, 0x55]

    let value = try OxyIIRecording(payload: OxyIIRecording.header + trailer)

    #expect(value.trailer?.secondsBelow90 == 300)
    #expect(value.trailer?.eventsBelow90 == 3)
    #expect(value.trailer?.score == 8.5)
  }
}

@Suite struct `PC-60FW frame` {
  private func frame(_ text: String) throws -> [UInt8] {
    let bytes = try bytes(text)
    return bytes + [Checksum.crc8Maxim.value(of: bytes)]
  }

  @Test func `has the values of the moment in function 1`() throws {
    let value = try PC60Frame(payload: try frame("AA55 0F 08 01 60 3E 00 50 00 C0"))

    #expect(value.values?.saturation == 96)
    #expect(value.values?.pulseRate == 62)
    #expect(value.sample == OximetrySample(saturation: 96, pulseRate: 62, perfusionIndex: 8))
  }

  @Test func `has a curve in function 2`() throws {
    let value = try PC60Frame(payload: try frame("AA55 0F 07 02 3B 38 35 32 2F"))

    #expect(value.wave == [0x3B, 0x38, 0x35, 0x32, 0x2F])
    #expect(value.sample == nil)
  }

  @Test func `has no values under another token`() throws {
    #expect(try PC60Frame(payload: try frame("AA55 F0 08 01 60 3E 00 50 00 C0")).values == nil)
  }

  @Test func `has no sample without a finger`() throws {
    let value = try PC60Frame(payload: try frame("AA55 0F 08 01 00 00 00 00 00 C0"))

    #expect(value.sample == nil)
  }

  @Test func `is refused where its length leaves no room for function and check`() throws {
    let error = try refusal(of: try bytes("AA55 0F 01 F3"), as: "pc60fw-frame")

    #expect(error.code == .outOfRange)
    #expect(error.offset == 3)
  }

  @Test func `is written as it was read`() throws {
    let bytes = try frame("AA55 0F 08 01 60 3E 00 50 00 C0")

    #expect(PC60Frame(function: 1, bytes: Array(bytes[5..<11])).payload == bytes)
  }
}
