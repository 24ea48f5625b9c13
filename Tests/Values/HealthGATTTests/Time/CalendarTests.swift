// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing

@Suite struct `Days of the calendar` {
  @Test(
    arguments: [
      (1970, 1, 1, 0), (2000, 3, 1, 951_868_800), (2024, 2, 29, 1_709_164_800),
      (1969, 12, 31, -86_400), (1900, 3, 1, -2_203_891_200), (1582, 1, 1, -12_244_089_600),
      (9999, 12, 31, 253_402_214_400), (2100, 3, 1, 4_107_542_400),
    ])
  func `are counted from 1970`(year: Int, month: Int, day: Int, seconds: Int) throws {
    let midnight = try DateTime(
      year: year, month: month, day: day, hours: 0, minutes: 0, seconds: 0)

    #expect(midnight.secondsSince1970 == seconds)
    #expect(DateTime(secondsSince1970: seconds) == midnight)
  }

  /// 1600 to 2400 is twice the cycle of 400 years.
  @Test func `come one after the other without a gap`() throws {
    var expected = try #require(
      try DateTime(year: 1600, month: 1, day: 1, hours: 6, minutes: 0, seconds: 0)
        .secondsSince1970)
    for year in 1600...2400 {
      for month in 1...12 {
        for day in 1...31 {
          let time = try DateTime(
            year: year, month: month, day: day, hours: 6, minutes: 0, seconds: 0)
          guard time.isOnCalendar else { continue }
          if time.secondsSince1970 != expected || DateTime(secondsSince1970: expected) != time {
            Issue.record("\(year)-\(month)-\(day)")
          }
          expected += 86_400
        }
      }
    }
    #expect(expected == 13_601_109_600)
  }

  @Test(
    arguments: [
      (1970, 1, 1, .thursday), (2024, 2, 29, .thursday), (2026, 5, 4, .monday),
      (2000, 1, 1, .saturday), (1900, 1, 1, .monday), (1582, 10, 15, .friday),
      (2026, 11, 22, .sunday),
    ] as [(Int, Int, Int, DayOfWeek)])
  func `have a name, which is written to a clock`(
    year: Int, month: Int, day: Int, name: DayOfWeek
  ) throws {
    let shown = try DateTime(
      year: year, month: month, day: day, hours: 23, minutes: 59, seconds: 59)
    let time = DriverTime(
      elapsed: .zero, secondsSince1970: Double(try #require(shown.secondsSince1970)),
      utcOffsetSeconds: 0)

    let bytes = try #require(DeviceClock.bytes(for: .currentTime, at: time))
    let written = try CurrentTime(payload: bytes)
    #expect(written.dayOfWeek == name)
    #expect(written.dateTime == shown)
  }

  @Test func `do not exist for incomplete and impossible dates`() throws {
    let incomplete = try DateTime(
      year: nil, month: 2, day: 3, hours: 0, minutes: 0, seconds: 0)
    let impossible = try DateTime(
      year: 2025, month: 2, day: 29, hours: 0, minutes: 0, seconds: 0)

    for time in [incomplete, impossible] {
      #expect(time.secondsSince1970 == nil)
      #expect(time.advanced(byMinutes: 0) == nil)
    }
  }

  @Test(arguments: [-12_244_089_601, 253_402_300_800, .min, .max])
  func `end where the years do`(seconds: Int) {
    #expect(DateTime(secondsSince1970: seconds) == nil)
  }
}

@Suite struct `Date Time arithmetic` {
  @Test(
    arguments: [
      (0, 2024, 2, 28, 23, 50), (10, 2024, 2, 29, 0, 0), (1450, 2024, 3, 1, 0, 0),
      (-1430, 2024, 2, 28, 0, 0), (525_600, 2025, 2, 27, 23, 50),
    ])
  func `adds minutes`(
    minutes: Int, year: Int, month: Int, day: Int, hours: Int, minute: Int
  ) throws {
    let start = try DateTime(
      year: 2024, month: 2, day: 28, hours: 23, minutes: 50, seconds: 7)

    #expect(
      start.advanced(byMinutes: minutes)
        == (try DateTime(
          year: year, month: month, day: day, hours: hours, minutes: minute, seconds: 7)))
  }

  @Test(arguments: [10, .max, 1 << 40])
  func `has no result beyond the last year`(minutes: Int) throws {
    let end = try DateTime(
      year: 9999, month: 12, day: 31, hours: 23, minutes: 55, seconds: 0)

    #expect(end.advanced(byMinutes: minutes) == nil)
  }

  @Test(arguments: [-1, .min])
  func `has no result before the first year`(minutes: Int) throws {
    let start = try DateTime(year: 1582, month: 1, day: 1, hours: 0, minutes: 0, seconds: 0)

    #expect(start.advanced(byMinutes: minutes) == nil)
  }
}
