// SPDX-License-Identifier: Apache-2.0

import Foundation
import CivilCalendar
import Testing

@Suite struct `Local date and time` {
  private let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// What Foundation's calendar shows at an instant.
  private func shown(at seconds: Int) -> LocalDateTime? {
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second],
      from: Date(timeIntervalSince1970: Double(seconds)))
    guard let year = parts.year, let month = parts.month, let day = parts.day,
      let hour = parts.hour, let minute = parts.minute, let second = parts.second
    else { return nil }
    return LocalDateTime(
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
      let time = LocalDateTime(secondsSince1970: seconds)
      if time != shown(at: seconds) || time.secondsSince1970 != seconds { wrong.append(seconds) }
    }
    #expect(wrong == [])
  }

  @Test(arguments: [
    (0, LocalDateTime(year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0)),
    (-1, LocalDateTime(year: 1969, month: 12, day: 31, hour: 23, minute: 59, second: 59)),
    (951_868_799, LocalDateTime(year: 2000, month: 2, day: 29, hour: 23, minute: 59, second: 59)),
    (-62_135_596_800, LocalDateTime(year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0)),
    (
      253_402_300_799,
      LocalDateTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59)
    ),
  ])
  func `is right at the edges`(seconds: Int, time: LocalDateTime) {
    #expect(LocalDateTime(secondsSince1970: seconds) == time)
    #expect(time.secondsSince1970 == seconds)
  }

  @Test(arguments: [
    LocalDateTime(year: 2023, month: 2, day: 29, hour: 0, minute: 0, second: 0),
    LocalDateTime(year: 1900, month: 2, day: 29, hour: 0, minute: 0, second: 0),
    LocalDateTime(year: 2024, month: 4, day: 31, hour: 0, minute: 0, second: 0),
    LocalDateTime(year: 2024, month: 0, day: 1, hour: 0, minute: 0, second: 0),
    LocalDateTime(year: 2024, month: 13, day: 1, hour: 0, minute: 0, second: 0),
    LocalDateTime(year: 2024, month: 1, day: 0, hour: 0, minute: 0, second: 0),
    LocalDateTime(year: 2024, month: 1, day: 1, hour: 24, minute: 0, second: 0),
    LocalDateTime(year: 2024, month: 1, day: 1, hour: 0, minute: 60, second: 0),
    LocalDateTime(year: 2024, month: 1, day: 1, hour: 0, minute: 0, second: 60),
    LocalDateTime(year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0),
    LocalDateTime(year: 10_000, month: 1, day: 1, hour: 0, minute: 0, second: 0),
    LocalDateTime(year: -5, month: 1, day: 1, hour: -1, minute: 0, second: 0),
  ])
  func `is nil for what no clock shows`(time: LocalDateTime) {
    #expect(!time.isPossible)
    #expect(time.secondsSince1970 == nil)
  }
}
