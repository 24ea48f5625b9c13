// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import Testing

@Suite struct `Calendar day` {
  @Test(arguments: ["2026-07-14", "2024-02-29", "1900-02-28", "1999-12-31"])
  func `reads what it writes`(text: String) {
    #expect(CalendarDay(text)?.description == text)
  }

  @Test(arguments: ["2026-02-30", "2023-02-29", "2026-7-14", "2026-07-14T00:00:00", "", "today"])
  func `is none of what no calendar has`(text: String) {
    #expect(CalendarDay(text) == nil)
  }

  @Test func `has no thirteenth month`() {
    #expect(CalendarDay(year: 2026, month: 13, day: 1) == nil)
    #expect(CalendarDay(year: 2026, month: 12, day: 31)?.description == "2026-12-31")
  }

  @Test(arguments: [
    ("2026-12-31", 1, "2027-01-01"), ("2024-03-01", -1, "2024-02-29"),
    ("2026-07-14", 0, "2026-07-14"),
    ("2026-01-01", 365, "2027-01-01"),
  ])
  func `counts on over months and years`(start: String, days: Int, end: String) throws {
    let day = try #require(CalendarDay(start))
    #expect(day.advanced(by: days).description == end)
    #expect((day < day.advanced(by: days)) == (days > 0))
  }

  @Test(arguments: [
    ("Europe/Rome", "2026-07-14", "2026-07-13T22:00:00"),
    ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00"),
    ("Asia/Kolkata", "2026-07-14", "2026-07-13T18:30:00"),
    ("Pacific/Kiritimati", "2026-07-14", "2026-07-13T10:00:00"),
  ])
  func `begins at its first instant in a zone`(zone: String, text: String, start: String) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let day = try #require(CalendarDay(text))
    let expected = try #require(LocalDateTime(start)?.date(in: .gmt))
    #expect(day.start(in: zone) == expected)
    #expect(CalendarDay(expected, in: zone) == day)
    #expect(CalendarDay(expected.addingTimeInterval(-1), in: zone) == day.advanced(by: -1))
  }
}
