// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import SantorioHealthKit
import Testing

@Suite struct `Zone history` {
  private func history(_ first: String, _ stays: (String, String)...) throws -> ZoneHistory {
    ZoneHistory(
      try zone(first), try stays.map { .init(start: try instant($0.0), zone: try zone($0.1)) })
  }

  @Test(arguments: [
    ("2026-07-14", "2026-07-13T22:00:00", 24.0), ("2026-03-29", "2026-03-28T23:00:00", 23),
    ("2026-10-25", "2026-10-24T22:00:00", 25),
  ])
  func `has the hours of a day at one place`(text: String, start: String, hours: Double) throws {
    let history = try history("Europe/Rome")
    let interval = try #require(history.interval(of: try day(text)))
    #expect(try interval.start == instant(start))
    #expect(interval.duration == hours * 3600)
    #expect(try history.day(of: interval.start) == day(text))
    #expect(try history.day(of: interval.end - 1) == day(text))
    #expect(try history.day(of: interval.end) == day(text).advanced(by: 1))
  }

  @Test func `begins a day where the clocks were set forward over midnight`() throws {
    let history = try history("America/Sao_Paulo")
    let interval = try #require(history.interval(of: try day("2018-11-04")))
    #expect(try interval.start == instant("2018-11-04T03:00:00"))
    #expect(interval.duration == 23 * 3600)
  }

  @Test func `makes a day longer that is flown against the sun's course`() throws {
    // Rome until 14 July, 10:00; then New York, where it is 4:00.
    let history = try history("Europe/Rome", ("2026-07-14T08:00:00", "America/New_York"))
    let interval = try #require(history.interval(of: try day("2026-07-14")))
    #expect(try interval.start == instant("2026-07-13T22:00:00"))
    #expect(try interval.end == instant("2026-07-15T04:00:00"))
    #expect(try history.utcOffsetSeconds(at: instant("2026-07-14T07:59:59")) == 7200)
    #expect(try history.utcOffsetSeconds(at: instant("2026-07-14T08:00:00")) == -14_400)
  }

  @Test func `does not go back to a day when the date line is crossed`() throws {
    // Tokyo until 2 June, 9:00; then Los Angeles, where it is 1 June, 17:00.
    let history = try history("Asia/Tokyo", ("2026-06-02T00:00:00", "America/Los_Angeles"))
    #expect(try history.day(of: instant("2026-06-02T00:00:00")) == day("2026-06-02"))
    let interval = try #require(history.interval(of: try day("2026-06-02")))
    #expect(try interval.start == instant("2026-06-01T15:00:00"))
    #expect(try interval.end == instant("2026-06-03T07:00:00"))
  }

  @Test func `skips a day over the date line`() throws {
    // Honolulu until 1 June, 23:00; then Auckland, where it is 2 June, 21:00; Samoa skipped a day.
    let history = try history("Pacific/Pago_Pago", ("2026-06-02T10:59:00", "Pacific/Kiritimati"))
    #expect(try history.day(of: instant("2026-06-02T10:58:59")) == day("2026-06-01"))
    #expect(try history.day(of: instant("2026-06-02T10:59:00")) == day("2026-06-03"))
    #expect(try history.interval(of: day("2026-06-02")) == nil)
    #expect(
      try history.days(
        from: instant("2026-06-02T10:00:00"), through: instant("2026-06-02T11:00:00"))
        == [day("2026-06-01"), day("2026-06-02"), day("2026-06-03")])
  }

  @Test func `has days without gaps and overlaps on a long journey`() throws {
    let history = try history(
      "Europe/London", ("2026-03-20T10:30:15", "Asia/Tokyo"),
      ("2026-03-24T03:00:00", "America/Los_Angeles"), ("2026-03-27T23:59:00", "Pacific/Auckland"),
      ("2026-03-29T00:00:00", "Europe/London"))
    var (date, end) = (try day("2026-03-15"), Date?.none)
    while try date < day("2026-04-05") {
      if let interval = history.interval(of: date) {
        if let end { #expect(interval.start == end) }
        end = interval.end
        for part in [0, 0.25, 0.5, 0.75, 0.999] {
          #expect(history.day(of: interval.start + part * interval.duration) == date)
        }
      }
      date = date.advanced(by: 1)
    }
  }

  @Test func `keeps one stay a zone, in the order of time`() throws {
    var history = try history(
      "Europe/Rome", ("2026-05-02T00:00:00", "Asia/Tokyo"), ("2026-05-01T00:00:00", "Europe/Rome"))
    #expect(history.stays.map(\.zone.identifier) == ["Europe/Rome", "Asia/Tokyo"])
    history.arrive(in: try zone("Asia/Tokyo"), at: try instant("2026-05-03T00:00:00"))
    #expect(history.stays.count == 2)
    history.arrive(in: try zone("Europe/Rome"), at: try instant("2026-05-01T12:00:00"))
    #expect(history.stays.map(\.zone.identifier) == ["Europe/Rome"])
  }
}
