// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import HealthGATT
import SantorioJSON

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
  ///   - date: The instant, in the years 1 to 9999; another becomes the nearest of these.
  ///   - utcOffsetSeconds: Local time minus UTC, in seconds.
  public init(_ date: Date, utcOffsetSeconds: Int) {
    let seconds = date.timeIntervalSince1970 + Double(utcOffsetSeconds)
    let bounded = min(max(seconds, -62_135_596_800), 253_402_300_799)
    self.init(secondsInUTC: bounded.isNaN ? 0 : Int(bounded.rounded(.down)))
  }

  /// The time that a clock of UTC shows some seconds after 1970 began; the inverse of
  /// ``secondsInUTC``.
  package init(secondsInUTC seconds: Int) {
    let time = CivilTime(secondsSince1970: seconds)
    self.init(
      year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
      second: time.second)
  }

  /// The instant at which a clock in a time zone shows this time.
  ///
  /// In the hour that a change to daylight saving time skips or repeats, the calendar's own choice
  /// is taken (the first of two).
  ///
  /// - Parameter zone: The clock's time zone.
  /// - Returns: The instant, or nil for a date that no calendar has, such as 30 February.
  public func date(in zone: TimeZone) -> Date? {
    guard civil.isPossible else { return nil }
    var calendar = Self.calendar
    calendar.timeZone = zone
    return calendar.date(
      from: DateComponents(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second))
  }

  /// Seconds from 1970 to this time on a clock that shows UTC, or nil for an impossible date.
  package var secondsInUTC: Int? { civil.secondsSince1970 }

  /// Whether the ISO 8601 form has room for all components, possible or not: a device whose clock
  /// was never set may show the month 0.
  var isWritable: Bool {
    (0...9999).contains(year)
      && [month, day, hour, minute, second].allSatisfy { (0...99).contains($0) }
  }

  private var civil: CivilTime {
    CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
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
    var bytes = ByteBuffer(capacity: 19)
    write(to: &bytes)
    return bytes.text
  }

  /// Writes the bytes of ``description``.
  func write(to bytes: inout ByteBuffer) {
    bytes.append(year, width: 4)
    bytes.append(twoDigits: month, after: "-")
    bytes.append(twoDigits: day, after: "-")
    bytes.append(twoDigits: hour, after: "T")
    bytes.append(twoDigits: minute, after: ":")
    bytes.append(twoDigits: second, after: ":")
  }
}
