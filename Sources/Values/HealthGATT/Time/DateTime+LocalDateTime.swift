// SPDX-License-Identifier: Apache-2.0

public import CivilCalendar

extension DateTime {
  /// The time with a known date.
  ///
  /// - Parameter local: A time of the years 1582...9999.
  /// - Throws: `outOfRange`, naming the first component that is.
  public init(_ local: LocalDateTime) throws(PayloadError) {
    try self.init(
      year: local.year, month: local.month, day: local.day, hours: local.hour,
      minutes: local.minute, seconds: local.second)
  }

  /// What the clock shows; nil where the year, the month or the day is unknown.
  public var localDateTime: LocalDateTime? {
    guard let year, let month, let day else { return nil }
    return LocalDateTime(
      year: year, month: month, day: day, hour: hours, minute: minutes, second: seconds)
  }

  /// The time of a clock that counts the seconds of its local time since 1970 began; nil outside
  /// the years 1582...9999.
  package init?(secondsSince1970 seconds: Int) {
    guard seconds.magnitude < 1 << 40 else { return nil }
    try? self.init(LocalDateTime(secondsSince1970: seconds))
  }

  /// Seconds from the beginning of 1970 to this time on the same clock; nil when a part of the date
  /// is unknown or there is no such day.
  package var secondsSince1970: Int? { localDateTime?.secondsSince1970 }

  /// This time some minutes later; nil when the date is unknown or impossible.
  package func advanced(byMinutes minutes: Int) -> DateTime? {
    guard minutes.magnitude < 1 << 32 else { return nil }
    return secondsSince1970.flatMap { DateTime(secondsSince1970: $0 + minutes * 60) }
  }
}
