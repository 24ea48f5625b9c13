// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import PayloadTesting
import TestSupport
import Testing

private func record(_ hexadecimal: String) throws -> CGMRecord {
  try #require(try CGMMeasurement(payload: try bytes(hexadecimal)).records.first)
}

/// Every combination of the bits that announce a field.
private let allFlags = (0..<32).map { $0 & 3 | ($0 >> 2) << 5 }

@Suite struct `E2E-CRC` {
  /// The check value that catalogues of CRCs list for CRC-16/MCRF4XX, over "123456789".
  @Test func `is CRC-16/MCRF4XX`() {
    #expect(E2ECRC.value(of: Array("123456789".utf8)) == 0x6F91)
    #expect(E2ECRC.value(of: [UInt8]()) == 0xFFFF)
  }

  /// A changed flag may make a trend of the check; the record then has none, which a reader of a
  /// sensor with checks refuses.
  @Test func `lets no record pass of which a bit has changed`() throws {
    let sound = try bytes("08 00 7800 1E00 3499")
    #expect(try CGMMeasurement(payload: sound).records.map(\.hasCRC) == [true])
    for bit in 0..<sound.count * 8 {
      var damaged = sound
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let records = (try? CGMMeasurement(payload: damaged))?.records ?? []
      #expect(!records.contains { $0.hasCRC }, "bit \(bit)")
    }
  }
}

@Suite struct `CGM measurement` {
  @Test func `has a glucose and its minute`() throws {
    let record = try record("06 00 7800 1E00")

    #expect(record.concentration.double == 120)
    #expect(record.timeOffset == 30)
    #expect(record.sensorStatus == [])
    #expect(record.trend == nil)
    #expect(record.quality == nil)
    #expect(!record.hasCRC)
    #expect(record.outcome == .concentration(.milligramsPerDeciliter(120)))
  }

  @Test func `has several records, each with its own check`() throws {
    let payload = try bytes("08 00 7800 1E00 3499  06 00 7600 1C00  08 00 7700 1D00 A501")
    let measurement = try CGMMeasurement(payload: payload)

    #expect(measurement.records.map(\.timeOffset) == [30, 28, 29])
    #expect(measurement.records.map(\.concentration.double) == [120, 118, 119])
    #expect(measurement.records.map(\.hasCRC) == [true, false, true])
    #expect(measurement.payload == payload)
  }

  @Test func `keeps the status bytes apart that are announced`() throws {
    let status = try record("07 80 7800 1E00 02").sensorStatus
    let calibration = try record("07 40 7800 1E00 02").sensorStatus
    let warning = try record("07 20 7800 1E00 02").sensorStatus

    #expect(status == .deviceBatteryLow)
    #expect(calibration == .calibrationNotAllowed)
    #expect(warning == .abovePatientHighLevel)
  }

  @Test func `keeps status bytes that are 0, and reserved flags`() throws {
    for hexadecimal in ["0F E3 9600 3C00 00 00 01 0100 6200 704F", "06 1C 7800 1E00"] {
      let payload = try bytes(hexadecimal)
      #expect(try CGMMeasurement(payload: payload).payload == payload)
    }
    #expect(try record("06 1C 7800 1E00").reservedFlags.rawValue == 0x1C)
    #expect(try record("09 E0 7800 1E00 00 00 00").flags.rawValue == 0xE0)
    #expect(try record("09 E0 7800 1E00 00 00 00").sensorStatus == [])
  }

  @Test func `keeps reserved bits of the status`() throws {
    let record = try record("09 E0 7800 1E00 C0 C0 00")

    #expect(record.sensorStatus.rawValue == 0x00C0C0)
    #expect(record.outcome == .concentration(.milligramsPerDeciliter(120)))
  }

  @Test func `keeps what a later version adds before the check`() throws {
    let protected = try bytes("0B 1C 7800 1E00 AB CD EF CDDE")
    let open = try bytes("07 04 7800 1E00 AB")

    #expect(try CGMMeasurement(payload: protected).records[0].trailingBytes == [0xAB, 0xCD, 0xEF])
    #expect(try CGMMeasurement(payload: protected).records[0].hasCRC)
    #expect(try CGMMeasurement(payload: protected).payload == protected)
    #expect(try CGMMeasurement(payload: open).records[0].trailingBytes == [0xAB])
    #expect(try CGMMeasurement(payload: open).payload == open)
  }

  @Test func `is written as it is made`() throws {
    let plain = CGMRecord(concentration: MedicalFloat16(rawValue: 0x0078), timeOffset: 30)
    var full = CGMRecord(
      concentration: try MedicalFloat16(12.34, exponent: -2), timeOffset: 5,
      sensorStatus: CGMSensorStatus(rawValue: 0xFF1402),
      trend: try MedicalFloat16(0.2, exponent: -1), quality: try MedicalFloat16(99.7, exponent: -1))
    full.hasCRC = true

    #expect(
      try CGMMeasurement([plain, full]).payload
        == (try bytes("06 00 7800 1E00  0F E3 D2E4 0500 02 14 FF 02F0 E5F3 8E3F")))
    #expect(throws: PayloadError.self) { try CGMMeasurement([]) }
  }

  @Test(arguments: allFlags)
  func `names the field that is cut`(flags: Int) throws {
    for hasCRC in [false, true] {
      try WrittenFrame.cgmMeasurement(flags: flags, hasCRC: hasCRC).expectTruncation(as: "2AA7")
    }
  }

  @Test(arguments: allFlags)
  func `returns to its bytes`(flags: Int) throws {
    let payload = try WrittenFrame.cgmMeasurement(flags: flags, hasCRC: false).bytes

    let measurement = try CGMMeasurement(payload: payload)

    #expect(measurement.payload == payload)
    #expect(Int(measurement.records[0].flags.rawValue) == flags)
  }

  @Test func `names the field that is cut in a second record`() throws {
    let payload = try bytes("06 00 7800 1E00  08 00 7800 1E00 3499")
    let fields = ["Size", "Flags", "CGM Glucose Concentration", "Time Offset", "E2E-CRC"]
    let starts = [6, 7, 8, 10, 12]
    for length in 7..<payload.count {
      let error = try refusal(of: Array(payload[..<length]), as: "2AA7")
      let cut = try #require(starts.lastIndex { $0 <= length })

      #expect(error.code == .truncated, "\(length) bytes")
      #expect(error.field == fields[cut], "\(length) bytes")
      #expect(error.offset == starts[cut], "\(length) bytes")
    }
  }

  @Test(arguments: ["05 00 7800 1E00", "06 01 7800 1E00", "08 E0 7800 1E00 00 00 00", "00 00"])
  func `is refused where its size has no room for its fields`(hexadecimal: String) throws {
    let error = try refusal(of: try bytes(hexadecimal), as: "2AA7")

    #expect(error.code == .outOfRange)
    #expect(error.field == "Size")
    #expect(error.offset == 0)
  }

  @Test func `is refused as a whole when a check is wrong`() throws {
    let error = try refusal(
      of: try bytes("06 00 7800 1E00  08 00 7800 1E00 3599"), as: "2AA7")

    #expect(error.code == .checksumMismatch)
    #expect(error.field == "E2E-CRC")
    #expect(error.offset == 12)
  }

  @Test(
    arguments: [
      ("06 00 FF07 1E00", .absent), ("06 00 0008 1E00", .absent), ("06 00 0108 1E00", .absent),
      ("06 00 0000 1E00", .absent), ("06 00 FF0F 1E00", .absent),
      ("06 00 FE07 1E00", .aboveRange(limit: nil)), ("06 00 0208 1E00", .belowRange(limit: nil)),
      ("07 20 9001 1E00 80", .aboveRange(limit: .milligramsPerDeciliter(400))),
      ("07 20 2800 1E00 40", .belowRange(limit: .milligramsPerDeciliter(40))),
      ("07 20 2800 1E00 C0", .absent), ("07 20 FF07 1E00 80", .aboveRange(limit: nil)),
      ("07 20 7800 1E00 3F", .concentration(.milligramsPerDeciliter(120))),
      ("07 80 7800 1E00 01", .concentration(.milligramsPerDeciliter(120))),
      ("07 80 7800 1E00 02", .concentration(.milligramsPerDeciliter(120))),
      ("07 80 7800 1E00 04", .failed), ("07 80 7800 1E00 08", .failed),
      ("07 80 7800 1E00 10", .concentration(.milligramsPerDeciliter(120))),
      ("07 80 7800 1E00 20", .failed),
      ("07 40 7800 1E00 0F", .concentration(.milligramsPerDeciliter(120))),
      ("07 40 7800 1E00 10", .failed), ("07 40 7800 1E00 20", .failed),
      ("08 A0 9001 1E00 08 80", .failed),
    ] as [(String, CGMRecord.Outcome)])
  func `says HI, LO, a fault, or nothing`(hexadecimal: String, outcome: CGMRecord.Outcome) throws {
    #expect(try record(hexadecimal).outcome == outcome)
  }
}
