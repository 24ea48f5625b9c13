// SPDX-License-Identifier: Apache-2.0

import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `Date Time` {
  @Test func `has six components`() throws {
    let dateTime = try DateTime(payload: try bytes("E207 04 11 0F 33 05"))

    #expect(dateTime.year == 2018)
    #expect(dateTime.month == 4)
    #expect(dateTime.day == 17)
    #expect(dateTime.hours == 15)
    #expect(dateTime.minutes == 51)
    #expect(dateTime.seconds == 5)
  }

  @Test(
    arguments: [
      ("0000 04 11 0F 33 00", nil, 4, 17), ("E207 00 11 0F 33 00", 2018, nil, 17),
      ("E207 04 00 0F 33 00", 2018, 4, nil), ("0000 00 00 0F 33 00", nil, nil, nil),
    ] as [(String, Int?, Int?, Int?)])
  func `may lack year, month and day independently`(
    hexadecimal: String, year: Int?, month: Int?, day: Int?
  ) throws {
    let dateTime = try DateTime(payload: try bytes(hexadecimal))

    #expect(dateTime.year == year)
    #expect(dateTime.month == month)
    #expect(dateTime.day == day)
    #expect(dateTime.hours == 15)
    #expect(!dateTime.isOnCalendar)
    #expect(dateTime.payload == (try bytes(hexadecimal)))
  }

  @Test(arguments: [
    ("2D06 01 01 00 00 00", "Year", 0), ("1027 01 01 00 00 00", "Year", 0),
    ("E207 0D 01 00 00 00", "Month", 2), ("E207 01 20 00 00 00", "Day", 3),
    ("E207 01 01 18 00 00", "Hours", 4), ("E207 01 01 00 3C 00", "Minutes", 5),
    ("E207 01 01 00 00 3C", "Seconds", 6), ("FFFF FF FF FF FF FF", "Year", 0),
  ])
  func `refuses a component that is out of range`(
    hexadecimal: String, field: String, offset: Int
  ) throws {
    let error = try refusal(of: try bytes(hexadecimal), as: "2A08")

    #expect(error.code == .outOfRange)
    #expect(error.field == field)
    #expect(error.offset == offset)
  }

  @Test(arguments: ["2E06 01 01 00 00 00", "0F27 0C 1F 17 3B 3B"])
  func `takes the first and the last time`(hexadecimal: String) throws {
    let payload = try bytes(hexadecimal)

    #expect(try DateTime(payload: payload).payload == payload)
  }

  @Test func `encodes to seven bytes`() throws {
    let known = try DateTime(
      year: 2024, month: 2, day: 29, hours: 23, minutes: 59, seconds: 58)
    let unknown = try DateTime(
      year: nil, month: nil, day: nil, hours: 0, minutes: 1, seconds: 2)

    #expect(known.payload == [0xE8, 0x07, 0x02, 0x1D, 0x17, 0x3B, 0x3A])
    #expect(unknown.payload == [0, 0, 0, 0, 0, 1, 2])
  }

  @Test(arguments: [
    (-1, 1, 1, 0, "Year"), (70_000, 1, 1, 0, "Year"), (1581, 1, 1, 0, "Year"),
    (2024, 13, 1, 0, "Month"), (2024, 269, 1, 0, "Month"), (2024, 1, -1, 0, "Day"),
    (2024, 1, 1, 24, "Hours"),
  ])
  func `cannot be made of components out of range`(
    year: Int, month: Int, day: Int, hours: Int, field: String
  ) throws {
    let error = try #require(throws: PayloadError.self) {
      try DateTime(year: year, month: month, day: day, hours: hours, minutes: 0, seconds: 0)
    }
    #expect(error.code == .outOfRange)
    #expect(error.field == field)
    #expect(error.offset == nil)
  }

  @Test(arguments: [
    (2024, 2, 29, true), (2023, 2, 29, false), (1900, 2, 29, false), (2000, 2, 29, true),
    (2024, 4, 31, false), (2024, 12, 31, true), (2024, 2, 31, false),
  ])
  func `keeps days that do not exist and knows them`(
    year: Int, month: Int, day: Int, exists: Bool
  ) throws {
    let dateTime = try DateTime(
      year: year, month: month, day: day, hours: 0, minutes: 0, seconds: 0)

    #expect(dateTime.isOnCalendar == exists)
    #expect(dateTime.day == day)
  }
}

@Suite struct `Current Time` {
  @Test func `has day of week, fractions and reason`() throws {
    let time = try CurrentTime(payload: try bytes("E807021D173B3B 04 FF 03"))

    #expect(time.dateTime.year == 2024)
    #expect(time.dayOfWeek == .thursday)
    #expect(time.fractions256 == 255)
    #expect(time.adjustReason == [.manualTimeUpdate, .externalReferenceTimeUpdate])
  }

  @Test func `encodes the ten bytes of a clock write`() throws {
    let dateTime = try DateTime(
      year: 2026, month: 5, day: 4, hours: 7, minutes: 30, seconds: 15)
    let time = CurrentTime(
      dateTime: dateTime, dayOfWeek: .monday, adjustReason: .externalReferenceTimeUpdate)

    #expect(time.payload == [0xEA, 0x07, 0x05, 0x04, 0x07, 0x1E, 0x0F, 0x01, 0x00, 0x02])
  }

  @Test func `keeps a reserved day of week and reserved reasons`() throws {
    let payload = try bytes("E807021D173B3B 08 00 F0")
    let time = try CurrentTime(payload: payload)

    #expect(time.dayOfWeek.rawValue == 8)
    #expect(time.adjustReason.rawValue == 0xF0)
    #expect(time.payload == payload)
  }

  @Test func `refuses an impossible time at its component`() throws {
    let error = try refusal(of: try bytes("E8070D1D173B3B 04 FF 03"), as: "2A2B")

    #expect(error.code == .outOfRange)
    #expect(error.field == "Month")
    #expect(error.offset == 2)
  }
}

@Suite struct `Local Time Information` {
  @Test(
    arguments: [
      ("D0 00", -720, 0), ("38 08", 840, 120), ("17 02", 345, 30), ("80 FF", nil, nil),
      ("CF 01", nil, nil), ("39 03", nil, nil),
    ] as [(String, Int?, Int?)])
  func `counts in quarters of an hour`(hexadecimal: String, zone: Int?, saving: Int?) throws {
    let payload = try bytes(hexadecimal)
    let information = try LocalTimeInformation(payload: payload)

    #expect(information.offsetFromUTC == zone.map { .seconds($0 * 60) })
    #expect(information.daylightSavingTime == saving.map { .seconds($0 * 60) })
    #expect(information.payload == payload)
  }
}

@Suite struct `Reference Time Information` {
  @Test func `has source, accuracy and age`() throws {
    let information = try ReferenceTimeInformation(payload: try bytes("02 0C 01 17"))

    #expect(information.source == .gps)
    #expect(information.accuracy == .milliseconds(1500))
    #expect(information.timeSinceUpdate == .seconds(47 * 3600))
  }

  @Test func `knows what is unknown`() throws {
    let information = try ReferenceTimeInformation(payload: try bytes("00 FE FF FF"))

    #expect(information.source == .unknown)
    #expect(information.accuracy == nil)
    #expect(information.timeSinceUpdate == nil)
  }

  @Test(arguments: ["02 08 01 18", "02 08 FF 17", "02 08 FE FF", "02 08 01 FE"])
  func `refuses reserved hours`(hexadecimal: String) throws {
    let error = try refusal(of: try bytes(hexadecimal), as: "2A14")

    #expect(error.code == .reservedValue)
    #expect(error.field == "Hours Since Update")
    #expect(error.offset == 3)
  }

  @Test func `encodes to four bytes`() throws {
    let information = try ReferenceTimeInformation(
      source: .networkTimeProtocol, timeAccuracy: 255, daysSinceUpdate: 3, hoursSinceUpdate: 4)

    #expect(information.payload == [0x01, 0xFF, 0x03, 0x04])
    #expect(throws: PayloadError.self) {
      try ReferenceTimeInformation(
        source: .gps, timeAccuracy: 0, daysSinceUpdate: 3, hoursSinceUpdate: 24)
    }
  }
}

@Suite struct `Date Time in seconds` {
  @Test func `moves a device's time over the end of a day`() throws {
    let eve = try DateTime(year: 2023, month: 12, day: 31, hours: 23, minutes: 50, seconds: 7)
    #expect(
      eve.advanced(byMinutes: 20)
        == (try DateTime(year: 2024, month: 1, day: 1, hours: 0, minutes: 10, seconds: 7)))
    #expect(
      eve.advanced(byMinutes: -1440)
        == (try DateTime(year: 2023, month: 12, day: 30, hours: 23, minutes: 50, seconds: 7)))
    let unknown = try DateTime(year: nil, month: 12, day: 31, hours: 1, minutes: 2, seconds: 3)
    #expect(unknown.secondsSince1970 == nil && unknown.advanced(byMinutes: 1) == nil)
  }

  @Test func `is not a time before 1582 and after 9999`() {
    #expect(DateTime(secondsSince1970: -12_219_292_801 - 366 * 86_400) == nil)
    #expect(DateTime(secondsSince1970: 253_402_300_800) == nil)
    #expect(DateTime(secondsSince1970: .max) == nil && DateTime(secondsSince1970: .min) == nil)
  }
}
