// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthGATT
import Testing

@Suite struct `Civil time` {
  private let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// What Foundation's calendar shows at an instant.
  private func shown(at seconds: Int) -> CivilTime? {
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second],
      from: Date(timeIntervalSince1970: Double(seconds)))
    guard let year = parts.year, let month = parts.month, let day = parts.day,
      let hour = parts.hour, let minute = parts.minute, let second = parts.second
    else { return nil }
    return CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }

  private static let firstDay = -12_219_292_800  // 1582-10-15
  private static let lastDay = 253_402_214_400  // 9999-12-31

  // Steps that are no whole number of days go through the times of day, too.
  @Test(arguments: [
    (-2_208_988_800, 4_133_980_800, 86_400 - 1),  // each day of 1900...2100
    (firstDay, lastDay, 97 * 86_400 + 3607),
  ])
  func `is that of Foundation's calendar, both ways`(first: Int, last: Int, step: Int) throws {
    var wrong: [Int] = []
    for seconds in stride(from: first, through: last, by: step) {
      let time = CivilTime(secondsSince1970: seconds)
      if time != shown(at: seconds) || time.secondsSince1970 != seconds { wrong.append(seconds) }
    }
    #expect(wrong == [])
  }

  @Test(arguments: [
    (0, CivilTime(year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0)),
    (-1, CivilTime(year: 1969, month: 12, day: 31, hour: 23, minute: 59, second: 59)),
    (951_868_799, CivilTime(year: 2000, month: 2, day: 29, hour: 23, minute: 59, second: 59)),
    (-62_135_596_800, CivilTime(year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0)),
    (253_402_300_799, CivilTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59)),
  ])
  func `is right at the edges`(seconds: Int, time: CivilTime) {
    #expect(CivilTime(secondsSince1970: seconds) == time)
    #expect(time.secondsSince1970 == seconds)
  }

  @Test(arguments: [
    CivilTime(year: 2023, month: 2, day: 29, hour: 0, minute: 0, second: 0),
    CivilTime(year: 1900, month: 2, day: 29, hour: 0, minute: 0, second: 0),
    CivilTime(year: 2024, month: 4, day: 31, hour: 0, minute: 0, second: 0),
    CivilTime(year: 2024, month: 0, day: 1, hour: 0, minute: 0, second: 0),
    CivilTime(year: 2024, month: 13, day: 1, hour: 0, minute: 0, second: 0),
    CivilTime(year: 2024, month: 1, day: 0, hour: 0, minute: 0, second: 0),
    CivilTime(year: 2024, month: 1, day: 1, hour: 24, minute: 0, second: 0),
    CivilTime(year: 2024, month: 1, day: 1, hour: 0, minute: 60, second: 0),
    CivilTime(year: 2024, month: 1, day: 1, hour: 0, minute: 0, second: 60),
    CivilTime(year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0),
    CivilTime(year: 10_000, month: 1, day: 1, hour: 0, minute: 0, second: 0),
    CivilTime(year: -5, month: 1, day: 1, hour: -1, minute: 0, second: 0),
  ])
  func `is nil for what no clock shows`(time: CivilTime) {
    #expect(!time.isPossible)
    #expect(time.secondsSince1970 == nil)
  }

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

  @Test func `is no device's time before 1582 and after 9999`() {
    #expect(DateTime(secondsSince1970: -12_219_292_801 - 366 * 86_400) == nil)
    #expect(DateTime(secondsSince1970: 253_402_300_800) == nil)
    #expect(DateTime(secondsSince1970: .max) == nil && DateTime(secondsSince1970: .min) == nil)
  }
}
