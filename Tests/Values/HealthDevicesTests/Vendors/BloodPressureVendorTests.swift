// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `Measurement of a Beurer BM85` {
  private let captured = "56 8100 6200 0000 DE07 02 02 0D 0F 00 0046 01 0040"

  @Test func `has pulse and status with the higher byte first, and a user`() throws {
    let measurement = try BeurerMeasurement(payload: bytes(captured)).measurement

    #expect(measurement.systolicPressure == .millimetersOfMercury(129))
    #expect(measurement.meanPressure == nil)
    #expect(measurement.pulseRate?.double == 70)
    #expect(measurement.userID == UserID(rawValue: 1))
    #expect(measurement.measurementStatus == .beurerResting)
  }

  @Test func `is recognised by its flags, its length and an impossible pulse`() throws {
    #expect(BeurerMeasurement.matches(try bytes(captured)))
    // A failed measurement: pulse 07FF.
    #expect(
      BeurerMeasurement.matches(
        try bytes("56 FF07 FF07 FF07 DE07 02 02 0D 0F 00 07FF 01 0000")))
  }

  @Test(arguments: [
    "56 8100 6200 0000 DE07 02 02 0D 0F 00 4600 4000",  // as long as announced
    "56 8100 6200 0000 DE07 02 02 0D 0F 00 4600 0000 01",  // the pulse of a plain frame
    "5E 8100 6200 0000 DE07 02 02 0D 0F 00 0046 01 0040",  // other flags
    "56 8100", "",
  ])
  func `is not seen where the frame is a plain one`(hex: String) throws {
    #expect(!BeurerMeasurement.matches(try bytes(hex)))
  }

  @Test func `with a user announced is a plain frame`() throws {
    let error = try refusal(
      of: try bytes("5E 8100 6200 0000 DE07 02 02 0D 0F 00 0046 01 0040"), as: "beurer-bm85-2a35")

    #expect(error.code == .reservedValue)
    #expect(error.offset == 0)
  }

  @Test(arguments: [(6, "Mean Arterial Pressure", 5), (15, "Pulse Rate", 14), (16, "User ID", 16)])
  func `names the field that is cut`(length: Int, field: String, offset: Int) throws {
    let error = try refusal(
      of: Array(try bytes(captured).prefix(length)), as: "beurer-bm85-2a35")

    #expect(error.code == .truncated)
    #expect(error.field == field)
    #expect(error.offset == offset)
  }
}

@Suite struct `Viatom A5 frame` {
  @Test func `is written as a published one`() throws {
    #expect(try LepuFrame(command: 0xE1).payload == bytes("A5 E1 1E 00 00 0000 69"))
  }

  @Test(arguments: [
    ("A6E11E0000000069", PayloadError.Code.reservedValue, "Start", 0),
    ("A5E11F0000000069", .reservedValue, "Command Complement", 2),
    ("A5E11E0000010069", .truncated, "CRC", 8),
    ("A5E11E0000FFFF69", .truncated, "Payload", 7),
    ("A5E11E0000000068", .checksumMismatch, "CRC", 7),
    ("A5E11E000000006900", .trailingBytes, "Value", 8),
  ])
  func `is refused where it is broken`(
    hex: String, code: PayloadError.Code, field: String, offset: Int
  ) throws {
    let error = try refusal(of: try bytes(hex), as: "lepu-frame")

    #expect(error.code == code)
    #expect(error.field == field)
    #expect(error.offset == offset)
  }
}

@Suite struct `File of a Viatom BP2` {
  private let record =
    "10a19e69 07000000 01 00000000 8f00 5b00 6c00 4d00" + String(repeating: "00", count: 16)

  @Test func `has the mean pressure before the pulse, and local time`() throws {
    let file = try BP2File(payload: bytes("01010000000000000000" + record))

    let first = try #require(file.records.first)
    #expect(first.meanArterialPressure == 108)
    #expect(first.pulseRate == 77)
    #expect(
      first.time
        == LocalDateTime(year: 2026, month: 2, day: 25, hour: 7, minute: 13, second: 20))
  }

  @Test func `keeps the bytes of a place that is cut`() throws {
    let file = try BP2File(payload: bytes("01010000000000000000" + record + "10A1"))

    #expect(file.records.count == 1)
    #expect(file.trailingBytes == [0x10, 0xA1])
  }

  @Test func `without a whole header is refused`() throws {
    #expect(try refusal(of: [1, 1, 0], as: "viatom-bp2-file").field == "Header")
  }
}

@Suite struct `Microlife frame` {
  @Test func `commands are as published`() throws {
    #expect(MicrolifeFrame.readAll.payload == [77, 255, 0, 9, 0, 0, 0, 0, 0, 0, 0, 253, 82])
    let time = LocalDateTime(year: 2024, month: 6, day: 15, hour: 14, minute: 30, second: 45)
    #expect(
      MicrolifeFrame.setTime(time).payload == [77, 255, 0, 8, 13, 24, 6, 15, 14, 30, 45, 231])
    #expect(MicrolifeFrame.disconnect.payload == [77, 255, 0, 2, 4, 82])
  }

  @Test(arguments: ["4D3A0002810A", "4D3100028101"])
  func `of either monitor is a reply`(hex: String) throws {
    let frame = try MicrolifeFrame(payload: bytes(hex))

    #expect(frame.sender != .host)
    #expect(frame.content == MicrolifeFrame.done)
  }

  @Test(arguments: [
    ("4C3A0002810A", PayloadError.Code.reservedValue, "Start", 0),
    ("4D3B0002810B", .reservedValue, "Direction", 1),
    ("4D3A000087", .outOfRange, "Length", 2),
    ("4D3A000188", .outOfRange, "Length", 2),
    ("4D3A0005810A", .truncated, "Payload", 4),
    ("4D3A0002810B", .checksumMismatch, "Checksum", 5),
  ])
  func `is refused where it is broken`(
    hex: String, code: PayloadError.Code, field: String, offset: Int
  ) throws {
    let error = try refusal(of: try bytes(hex), as: "microlife-frame")

    #expect(error.code == code)
    #expect(error.field == field)
    #expect(error.offset == offset)
  }
}

@Suite struct `Memory of a Microlife monitor` {
  private let header = [UInt8](repeating: 0, count: 38)

  @Test func `skips empty slots and counts those without a time`() throws {
    let memory = try MicrolifeMemory(
      payload: header
        + bytes("78503C18060F0E1E0000 00000000000000000000 6E464118000F0E1E0000 825546190102"))

    #expect(memory.records.map(\.systolic) == [120])
    #expect(memory.damagedSlots == [try bytes("6E464118000F0E1E0000")])
  }

  @Test func `takes a last slot that lacks what is not understood`() throws {
    let memory = try MicrolifeMemory(payload: header + bytes("8255461901020304"))

    let record = try #require(memory.records.first)
    #expect(record.time.year == 2025)
    #expect(record.slot == (try bytes("82554619010203040000")))
  }
}

@Suite struct `Transtek monitor` {
  @Test func `counts the seconds since 2010`() throws {
    let time = TranstekTime(seconds: 487_033_839)
    let shown = LocalDateTime(year: 2025, month: 6, day: 7, hour: 23, minute: 10, second: 39)

    #expect(time.dateTime == shown)
    #expect(try TranstekTime(shown) == time)
    #expect(throws: PayloadError.self) {
      try TranstekTime(
        LocalDateTime(year: 2009, month: 12, day: 31, hour: 23, minute: 59, second: 59))
    }
  }

  @Test func `is answered with its password and the challenge`() throws {
    let password = try TranstekWord(payload: bytes("CFD81631"))
    guard case .challenge(let challenge) = try TranstekMessage(payload: bytes("A15E186CA4")) else {
      Issue.record("no challenge")
      return
    }

    let answer = TranstekCommand.response(password.response(to: challenge))

    #expect(answer.payload == (try bytes("2091C07A95")))
  }

  @Test(arguments: ["A0CFD81631", "A15E186CA4", "22", "2201", "8100FF"])
  func `says the same again`(hex: String) throws {
    let payload = try bytes(hex)

    #expect(try TranstekMessage(payload: payload).payload == payload)
  }

  @Test(arguments: ["2091C07A95", "2101020304", "02EF8B071D", "22"])
  func `understands what a host says`(hex: String) throws {
    let payload = try bytes(hex)

    #expect(try TranstekCommand(payload: payload).payload == payload)
  }

  @Test func `refuses a command that it does not know`() {
    #expect(throws: PayloadError.self) { try TranstekCommand(payload: [0x23]) }
  }

  @Test func `names the field of a measurement that is cut`() throws {
    let payload = try bytes("34ff00fe000000ffffff00fd0000000001")
    let expected = [
      (0, "Header", 0), (2, "Systolic", 1), (4, "Diastolic", 3), (6, "Reserved", 5),
      (10, "Time", 7), (12, "Pulse Rate", 11), (14, "Flags", 14), (16, "Device Flags", 16),
    ]

    for (length, field, offset) in expected {
      let error = try refusal(of: Array(payload.prefix(length)), as: "transtek-bp-8a91")
      #expect(error.field == field)
      #expect(error.offset == offset)
    }
  }
}

@Suite struct `Other monitors` {
  @Test func `Yonker keeps a measurement whose time cannot be`() throws {
    let payload = try bytes("81836751 0000 1F 0D 18 1A 12 00000000")

    let measurement = try YonkerMeasurement(payload: payload)

    #expect(measurement.systolic == 131)
    #expect(measurement.timestamp.dateTime == nil)
    #expect(measurement.payload == payload)
  }

  @Test func `Wellue sets the clock with the check over all but the first byte`() throws {
    let time = LocalDateTime(year: 2026, month: 5, day: 4, hour: 7, minute: 30, second: 0)

    let payload = WellueFrame.setTime(time).payload

    #expect(payload == (try bytes("0240DC07B01A0504071E0029")))
    #expect(try WellueFrame(payload: payload).sender == .host)
  }

  @Test func `Wellue sends no result while the cuff is inflated`() throws {
    let frame = try WellueFrame(.monitor, content: [0x00, 0x64])

    #expect(try WellueMeasurement(frame) == nil)
  }

  @Test func `Jumper names the pulse that is cut`() throws {
    let error = try refusal(of: try bytes("FDFDFC7850"), as: "jumper-bp")

    #expect(error.code == .truncated)
    #expect(error.field == "Pulse Rate")
    #expect(error.offset == 5)
  }

  @Test func `AndesFit has numbers with the higher byte first`() throws {
    let payload = AndesFitMeasurement(systolic: 120, diastolic: 80, pulseRate: 72).payload

    #expect(payload == (try bytes("1E 0078 0050 0000 0048 000000000000000000")))
    #expect(try refusal(of: payload + [0], as: "andesfit-bp").code == .trailingBytes)
  }
}
