// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import PayloadTesting
import TestSupport
import Testing

/// A value, the fields that it is made of with their starts, and whether it is whole without its
/// last one.
private struct Written: CustomTestStringConvertible {
  let characteristic: String
  let hexadecimal: String
  let fields: [(name: String, start: Int)]
  var mayEndAt: Int?

  var testDescription: String { "\(characteristic) \(hexadecimal)" }
}

private let values = [
  Written(
    characteristic: "2AA8", hexadecimal: "6E9E01 16 8AC1",
    fields: [("CGM Feature", 0), ("Type-Sample Location", 3), ("E2E-CRC", 4)]),
  Written(
    characteristic: "2AA8", hexadecimal: "6E8E01 16 FFFF",
    fields: [("CGM Feature", 0), ("Type-Sample Location", 3), ("E2E-CRC", 4)]),
  Written(
    characteristic: "2AA9", hexadecimal: "0500 3F3FFF A7E0",
    fields: [("Time Offset", 0), ("CGM Status", 2), ("E2E-CRC", 5)], mayEndAt: 5),
  Written(
    characteristic: "2AAA", hexadecimal: "E2070418 0D0818 08 04 E0C2",
    fields: [("Date Time", 0), ("Time Zone", 7), ("DST Offset", 8), ("E2E-CRC", 9)], mayEndAt: 9),
  Written(
    characteristic: "2AAB", hexadecimal: "0200 08C3",
    fields: [("CGM Session Run Time", 0), ("E2E-CRC", 2)], mayEndAt: 2),
]

@Suite struct `Values of a CGM session` {
  @Test(arguments: values)
  private func `name the field that is cut`(value: Written) throws {
    let payload = try bytes(value.hexadecimal)
    for length in 0..<payload.count where length != value.mayEndAt {
      let error = try refusal(of: Array(payload[..<length]), as: value.characteristic)
      let cut = try #require(value.fields.last { $0.start <= length })

      #expect(error.code == .truncated, "\(length) bytes")
      #expect(error.field == cut.name, "\(length) bytes")
      #expect(error.offset == cut.start, "\(length) bytes")
    }
  }

  @Test(arguments: values)
  private func `are refused with bytes after the check`(value: Written) throws {
    let payload = try bytes(value.hexadecimal)

    let error = try refusal(of: payload + [0x00], as: value.characteristic)

    #expect(error.code == .trailingBytes)
    #expect(error.offset == payload.count)
  }

  @Test(arguments: values)
  private func `are refused when a bit of them has changed`(value: Written) throws {
    let payload = try bytes(value.hexadecimal)
    // Without support of the check, nothing protects the feature.
    let isProtected = value.hexadecimal.suffix(4) != "FFFF"
    for bit in 0..<payload.count * 8 where isProtected || bit >= 32 {
      var damaged = payload
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try refusal(of: damaged, as: value.characteristic)
    }
  }

  @Test func `say what a sensor can do, what it measures, and where`() throws {
    let feature = try CGMFeature(payload: try bytes("001000 59 F049"))

    #expect(feature.features == .e2eCRC)
    #expect(feature.fluid == .interstitialFluid)
    #expect(feature.location == .subcutaneousTissue)
    #expect(CGMFeature(features: .e2eCRC).payload == (try bytes("001000 59 F049")))
    #expect(CGMFeature(features: [.calibration]).payload == (try bytes("010000 59 FFFF")))
    #expect(try CGMFeature(payload: try bytes("0000FE 7F FFFF")).features.rawValue == 0xFE0000)
    #expect(try CGMFeature(payload: try bytes("0000FE 7F FFFF")).location.rawValue == 7)
  }

  @Test func `refuse another check than 0xFFFF where none is supported`() throws {
    let error = try refusal(of: try bytes("010000 59 FEFF"), as: "2AA8")

    #expect(error.code == .reservedValue)
    #expect(error.offset == 4)
  }

  @Test func `are written with a check or without`() throws {
    let start = try DateTime(payload: try bytes("EA07031D0B0000"))
    let zone = LocalTimeInformation(timeZone: 0, daylightSavingTimeOffset: 0)

    #expect(CGMStatus(timeOffset: 60).payload == (try bytes("3C00 000000")))
    #expect(CGMStatus(timeOffset: 60, hasCRC: true).payload == (try bytes("3C00 000000 6993")))
    #expect(
      CGMSessionStartTime(dateTime: start, zone: zone, hasCRC: true).payload
        == (try bytes("EA07031D0B0000 00 00 467B")))
    #expect(
      CGMSessionStartTime(dateTime: start, zone: zone).payload
        == (try bytes("EA07031D0B0000 00 00")))
    #expect(CGMSessionRunTime(hours: 336, hasCRC: true).payload == (try bytes("5001 C632")))
  }

  @Test func `refuse a start that is no time`() throws {
    let error = try refusal(of: try bytes("EA070D1D0B0000 00 00"), as: "2AAA")

    #expect(error.code == .outOfRange)
    #expect(error.field == "Month")
  }

  @Test func `know by how much a start is ahead of universal time`() throws {
    func minutes(_ zone: String) throws -> Int? {
      try CGMSessionStartTime(payload: try bytes("EA07031D0B0000 \(zone)")).utcOffsetMinutes
    }

    #expect(try minutes("04 04") == 120)
    #expect(try minutes("EC 00") == -300)
    #expect(try minutes("04 FF") == 60)
    #expect(try minutes("80 00") == nil)
    #expect(
      try CGMSessionStartTime(payload: try bytes("00000000000000 00 00")).dateTime.year == nil)
  }
}
