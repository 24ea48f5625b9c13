// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A date and a time of day without a zone, as a device's clock shows them.
public struct LocalDateTime: Hashable, Sendable {
  /// The year, 1582...9999.
  public var year: Int
  /// The month, 1...12.
  public var month: Int
  /// The day of the month, 1...31.
  public var day: Int
  /// The hour, 0...23.
  public var hour: Int
  /// The minute, 0...59.
  public var minute: Int
  /// The second, 0...59.
  public var second: Int

  /// Makes a local time from its components, which are not checked against a calendar.
  ///
  /// - Parameters:
  ///   - year: The year.
  ///   - month: The month.
  ///   - day: The day of the month.
  ///   - hour: The hour.
  ///   - minute: The minute.
  ///   - second: The second.
  public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Makes a local time from its ISO 8601 form.
  ///
  /// - Parameter text: The form without zone, `2018-04-17T15:51:00`.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    let separators: [(Int, UInt8)] = [(4, 45), (7, 45), (10, 84), (13, 58), (16, 58)]
    guard digits.count == 19, separators.allSatisfy({ digits[$0.0] == $0.1 }) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      digits[range].reduce(0) { total, byte in
        guard let total, (48...57).contains(byte) else { return nil }
        return total * 10 + Int(byte - 48)
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
    else { return nil }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }

  /// The local time of an instant in a time zone of constant offset.
  ///
  /// - Parameters:
  ///   - date: The instant, clamped to the years 1...9999.
  ///   - utcOffsetSeconds: Local time minus UTC, in seconds.
  public init(_ date: Date, utcOffsetSeconds: Int) {
    let seconds = date.timeIntervalSince1970 + Double(utcOffsetSeconds)
    let bounded = min(max(seconds, -62_135_596_800), 253_402_300_799)
    self.init(secondsSince1970: bounded.isNaN ? 0 : Int(bounded.rounded(.down)))
  }

  /// The time of a clock that counts the seconds of its local time since 1970 began; the inverse
  /// of ``secondsSince1970``.
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

  /// The instant at which a clock in a time zone shows this time.
  ///
  /// In the hour that a change to daylight saving time skips or repeats, the calendar's own choice
  /// is taken (the first of two).
  ///
  /// - Parameter zone: The clock's time zone.
  /// - Returns: The instant, or nil for a date that no calendar has, such as 30 February.
  public func date(in zone: TimeZone) -> Date? {
    guard isPossible else { return nil }
    var calendar = Self.calendar
    calendar.timeZone = zone
    return calendar.date(
      from: DateComponents(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second))
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
    (1...9999).contains(year) && (1...12).contains(month)
      && (1...Self.days(ofMonth: month, in: year)).contains(day) && (0...23).contains(hour)
      && (0...59).contains(minute) && (0...59).contains(second)
  }

  /// How many days a month of the Gregorian calendar has; `month` is 1...12.
  package static func days(ofMonth month: Int, in year: Int) -> Int {
    let leap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
    return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}

extension LocalDateTime: CustomStringConvertible {
  /// The ISO 8601 form without zone, `2018-04-17T15:51:00`.
  public var description: String {
    func digits(_ number: Int, _ width: Int) -> String {
      let text = String(max(0, number))
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
      + "T\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2))"
  }
}
