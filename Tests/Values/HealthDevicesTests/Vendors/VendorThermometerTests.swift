// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `Thermometers with protocols of their own` {
  @Test func `Kinsa: only a message of the result is one`() throws {
    #expect(try KinsaMessage(payload: bytes("42 00 0172")).kind == .update)
    #expect(try KinsaMessage(payload: bytes("46 00 0172")).celsius == 37.0)
    #expect(try KinsaMessage(payload: bytes("06 14 05 04 07 1E 00")).celsius == nil)
    #expect(KinsaMessage(.result, deciCelsius: 370).payload == (try bytes("46 00 0172")))
    #expect(KinsaMessage(.ready).payload == [0x0A, 0x00])
  }

  @Test func `Jumper: hundredths of a degree, and the site`() throws {
    let result = JumperTemperature(centiCelsius: 3650, site: .forehead)

    #expect(result.payload == (try bytes("00 21 0E42")))
    #expect(try JumperTemperature(payload: result.payload) == result)
    #expect(try JumperTemperature(payload: bytes("E0 21 0E42")).celsius == nil)
    #expect(
      JumperTemperature(centiCelsius: 3650, site: .ear).payload == (try bytes("00 22 0E42")))
  }

  @Test func `AOJ: rejects other messages; an object has no body temperature`() throws {
    let result = AOJTemperature(centiCelsius: 3650, mode: .ear)

    #expect(result.payload == (try bytes("AA 01 C1 05 0E42 03 00")))
    #expect(result.isBodyTemperature)
    #expect(try !AOJTemperature(payload: bytes("AA 01 C1 05 094A 04 00")).isBodyTemperature)
    #expect(try refusal(of: bytes("AA 01 C2 05 0E42 03 00"), as: "aoj-temp").field == "Message")
    #expect(try refusal(of: bytes("AB 01 C1 05 0E42 03 00"), as: "aoj-temp").offset == 0)
  }

  @Test func `AET: one digit is tenths, two digits are hundredths`() throws {
    #expect(AETTemperature(deciCelsius: 240).celsius == 24.0)
    #expect(AETTemperature(wholeDegrees: 36, fraction: 5).celsius == 36.5)
    #expect(AETTemperature(wholeDegrees: 36, fraction: 55).celsius == 36.55)
    #expect(AETTemperature(wholeDegrees: 0xF0, fraction: 0).celsius == nil)
  }

  @Test(arguments: [
    ("kinsa-message", "46000172", ["Message", "Unknown", "Temperature", "Temperature"]),
    ("jumper-temp", "00210E42", ["Status", "Site", "Temperature", "Temperature"]),
    (
      "aoj-temp", "AA01C1050E4203",
      ["Start", "Device", "Message", "Length", "Temperature", "Temperature", "Mode"]
    ),
    (
      "aet-temp", "0000000000000000002405",
      Array(repeating: "Header", count: 9) + ["Whole Degrees", "Fraction"]
    ),
  ])
  func `name the field that is cut`(characteristic: String, hex: String, fields: [String]) throws {
    let payload = try bytes(hex)
    try #require(payload.count == fields.count)

    for (length, field) in fields.enumerated() {
      let error = try refusal(of: Array(payload[..<length]), as: characteristic)
      #expect(error.code == .truncated)
      #expect(error.field == field)
    }
  }
}

@Suite struct `Bioland frame` {
  @Test func `asks with the time of the client`() throws {
    let time = try #require(LocalDateTime("2026-05-04T07:30:15"))
    let frame = try BiolandFrame.resultRequest(at: time)

    #expect(frame.payload == (try bytes("5A 0A 03 1A 05 04 07 1E 0F BE")))
  }

  @Test func `carries a result`() throws {
    let frame = try BiolandFrame(payload: bytes("55 0C 03 0E0101051800A800 39"))

    let result = try BiolandResult(payload: frame.body)

    #expect(frame.kind == .result)
    #expect(result.milligramsPerDeciliter == 168)
    #expect(result.dateTime == (try DateTime(payload: bytes("DE07 01 01 05 18 00"))))
    #expect(
      try BiolandFrame(.reply, .result, body: result.payload).payload == frame.payload)
  }

  @Test func `of an impossible time has a result without one`() throws {
    let result = try BiolandResult(payload: bytes("0E 0D 01 05 18 00 A800"))

    #expect(result.dateTime == nil)
    #expect(result.milligramsPerDeciliter == 168)
  }

  @Test(arguments: [
    ("54 05 05 00 5E", PayloadError.Code.reservedValue, "Start", 0),
    ("55 03 05 00 5D", .outOfRange, "Length", 1),
    ("55 06 05 00 60", .truncated, "Checksum", 5),
    ("55 05 05 00 5E", .checksumMismatch, "Checksum", 4),
    ("55 05 05 00 5F 00", .trailingBytes, "Value", 5),
  ])
  func `that is damaged is refused`(
    hex: String, code: PayloadError.Code, field: String, offset: Int
  ) throws {
    let error = try refusal(of: bytes(hex), as: "bioland-frame")

    #expect(error.code == code)
    #expect(error.field == field)
    #expect(error.offset == offset)
  }

  @Test func `with a sum that is 2 more is read, and written as it was`() throws {
    let frame = try BiolandFrame(payload: bytes("55 05 05 00 61"))

    #expect(frame.kind == .end)
    #expect(frame.payload == (try bytes("55 05 05 00 61")))
  }

  @Test(arguments: ["1999-12-31T23:59:59", "2026-02-29T00:00:00", "2256-01-01T00:00:00"])
  func `cannot be made for a time that does not fit`(text: String) throws {
    let time = try #require(LocalDateTime(text))

    #expect(throws: PayloadError.self) { _ = try BiolandFrame.resultRequest(at: time) }
    #expect(throws: PayloadError.self) { _ = try BiolandResult(time, milligramsPerDeciliter: 100) }
  }
}
