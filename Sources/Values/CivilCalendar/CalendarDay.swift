// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A day of the Gregorian calendar without a zone.
public struct CalendarDay: Hashable, Sendable {
  /// The year, 1582...9999.
  public let year: Int
  /// The month, 1...12.
  public let month: Int
  /// The day of the month, 1...31.
  public let day: Int

  /// Makes a day; nil where the calendar has none such, as 30 February.
  ///
  /// - Parameters:
  ///   - year: The year.
  ///   - month: The month.
  ///   - day: The day of the month.
  public init?(year: Int, month: Int, day: Int) {
    let midnight = LocalDateTime(
      year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
    guard midnight.isPossible else { return nil }
    self.init(midnight)
  }

  /// Reads a day in its ISO 8601 form, `2026-07-14`; nil for anything else.
  ///
  /// - Parameter text: The form.
  public init?(_ text: String) {
    guard let midnight = LocalDateTime(text + "T00:00:00"), midnight.isPossible else { return nil }
    self.init(midnight)
  }

  /// The day that a clock in a zone shows at an instant.
  ///
  /// - Parameters:
  ///   - date: The instant.
  ///   - zone: The zone.
  public init(_ date: Date, in zone: TimeZone) {
    self.init(LocalDateTime(date, utcOffsetSeconds: zone.secondsFromGMT(for: date)))
  }

  private init(_ time: LocalDateTime) { (year, month, day) = (time.year, time.month, time.day) }

  /// The day that is some days later, or earlier where the number is negative.
  ///
  /// - Parameter days: How many days later.
  /// - Returns: The day.
  public func advanced(by days: Int) -> CalendarDay {
    CalendarDay(LocalDateTime(secondsSince1970: secondsSince1970 + days * 86_400))
  }

  /// When the day begins in a zone: at midnight, or when the clocks were set forward over it.
  ///
  /// - Parameter zone: The zone.
  /// - Returns: The first instant of the day.
  public func start(in zone: TimeZone) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    // At noon no clocks are changed.
    let noon = LocalDateTime(
      year: year, month: month, day: day, hour: 12, minute: 0, second: 0
    ).date(in: zone)
    return calendar.startOfDay(
      for: noon ?? Date(timeIntervalSince1970: Double(secondsSince1970 + 43_200)))
  }

  private var secondsSince1970: Int {
    LocalDateTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
      .secondsSince1970 ?? 0
  }
}

extension CalendarDay: Comparable, CustomStringConvertible {
  /// Whether the first day is before the second one.
  public static func < (first: CalendarDay, second: CalendarDay) -> Bool {
    (first.year, first.month, first.day) < (second.year, second.month, second.day)
  }

  /// The ISO 8601 form, `2026-07-14`.
  public var description: String {
    String(
      LocalDateTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
        .description.prefix(10))
  }
}
