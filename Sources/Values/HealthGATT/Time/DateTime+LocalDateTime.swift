// SPDX-License-Identifier: Apache-2.0

package import CivilCalendar

extension DateTime {
  /// What the clock shows, where year, month and day are known.
  package var localDateTime: LocalDateTime? {
    guard let year, let month, let day else { return nil }
    return LocalDateTime(
      year: year, month: month, day: day, hour: hours, minute: minutes, second: seconds)
  }

  /// What a clock shows some seconds after it showed the beginning of 1970; nil outside
  /// 1582...9999.
  ///
  /// For devices that count the seconds of their local time; other epochs are added first.
  package init?(secondsSince1970 seconds: Int) {
    guard seconds.magnitude < 1 << 40 else { return nil }
    let time = LocalDateTime(secondsInUTC: seconds)
    try? self.init(
      year: time.year, month: time.month, day: time.day, hours: time.hour, minutes: time.minute,
      seconds: time.second)
  }

  /// Seconds from the beginning of 1970 to this time on the same clock; nil when a part of the date
  /// is unknown or there is no such day.
  package var secondsSince1970: Int? { localDateTime?.secondsInUTC }

  /// This time some minutes later; nil when the date is unknown or impossible.
  package func advanced(byMinutes minutes: Int) -> DateTime? {
    guard minutes.magnitude < 1 << 32 else { return nil }
    return secondsSince1970.flatMap { DateTime(secondsSince1970: $0 + minutes * 60) }
  }
}
