// SPDX-License-Identifier: Apache-2.0

/// A date and a time of day of the Gregorian calendar, without a zone, and its arithmetic.
package struct CivilTime: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  /// Takes components, which are not checked.
  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// What a clock shows some seconds after it showed the beginning of 1970.
  package init(secondsSince1970 seconds: Int) {
    let secondOfDay = (seconds % 86_400 + 86_400) % 86_400
    // Days from 1 March of the year 0, in cycles of 400 years.
    let days = (seconds - secondOfDay) / 86_400 + 719_468
    let cycle = (days >= 0 ? days : days - 146_096) / 146_097
    let day = days - cycle * 146_097
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    self.init(
      year: cycle * 400 + year + (month < 10 ? 0 : 1), month: month < 10 ? month + 3 : month - 9,
      day: dayOfYear - (153 * month + 2) / 5 + 1, hour: secondOfDay / 3600,
      minute: secondOfDay / 60 % 60, second: secondOfDay % 60)
  }

  /// Seconds from the beginning of 1970 to this time on the same clock; nil for an impossible date.
  package var secondsSince1970: Int? {
    guard isPossible else { return nil }
    // Years begin in March here, so that the leap day is the last of its year.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    return ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  /// Whether there is such a day, in the years 1...9999, and such a time of day.
  package var isPossible: Bool {
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    let days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...9999).contains(year) && (1...12).contains(month)
      && (1...days[month - 1]).contains(day) && (0...23).contains(hour)
      && (0...59).contains(minute) && (0...59).contains(second)
  }
}

extension DateTime {
  /// What a clock shows some seconds after it showed the beginning of 1970; nil outside
  /// 1582...9999.
  ///
  /// For devices that count the seconds of their local time; other epochs are added first.
  package init?(secondsSince1970 seconds: Int) {
    guard seconds.magnitude < 1 << 40 else { return nil }
    let time = CivilTime(secondsSince1970: seconds)
    try? self.init(
      year: time.year, month: time.month, day: time.day, hours: time.hour, minutes: time.minute,
      seconds: time.second)
  }

  /// Seconds from the beginning of 1970 to this time on the same clock; nil when a part of the date
  /// is unknown or there is no such day.
  package var secondsSince1970: Int? {
    guard let year, let month, let day else { return nil }
    return CivilTime(
      year: year, month: month, day: day, hour: hours, minute: minutes, second: seconds
    ).secondsSince1970
  }

  /// This time some minutes later; nil when the date is unknown or impossible.
  package func advanced(byMinutes minutes: Int) -> DateTime? {
    guard minutes.magnitude < 1 << 32 else { return nil }
    return secondsSince1970.flatMap { DateTime(secondsSince1970: $0 + minutes * 60) }
  }
}
