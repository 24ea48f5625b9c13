// SPDX-License-Identifier: Apache-2.0

import CivilCalendar

/// Date Time (2A08): what a device's clock shows, without a time zone.
///
/// Year, month and day may each be unknown on their own. The components are in range, but need not
/// be a day of the calendar: 31 February is kept as sent (see `isOnCalendar`). The zone
/// is not sent, and this type does not guess one.
///
/// ```
/// // E207  04  11  0F  33  00
/// // YEAR  MO  DA  HH  MM  SS
/// ```
///
/// Source: GATT Specification Supplement, Date Time. Zero is unknown for year, month and day; the
/// year is 1582...9999.
public struct DateTime: Hashable, Sendable {
  package let timestamp: Timestamp

  /// Creates a time on a device's clock.
  ///
  /// - Parameters:
  ///   - year: 1582...9999, nil or 0 when unknown.
  ///   - month: 1...12, nil or 0 when unknown.
  ///   - day: 1...31, nil or 0 when unknown.
  ///   - hours: 0...23.
  ///   - minutes: 0...59.
  ///   - seconds: 0...59.
  /// - Throws: `outOfRange`, naming the first component that is.
  public init(
    year: Int?, month: Int?, day: Int?, hours: Int, minutes: Int, seconds: Int
  ) throws(PayloadError) {
    try self.init(
      year: year ?? 0, month: month ?? 0, day: day ?? 0, hours: hours, minutes: minutes,
      seconds: seconds, at: nil)
  }

  /// Takes the bytes of a time stamp that starts at an offset of the payload.
  init(_ timestamp: Timestamp, at offset: Int?) throws(PayloadError) {
    try self.init(
      year: Int(timestamp.year), month: Int(timestamp.month), day: Int(timestamp.day),
      hours: Int(timestamp.hours), minutes: Int(timestamp.minutes),
      seconds: Int(timestamp.seconds), at: offset)
  }

  private init(
    year: Int, month: Int, day: Int, hours: Int, minutes: Int, seconds: Int, at offset: Int?
  ) throws(PayloadError) {
    if year != 0 { try Self.check(year, "Year", 1582...9999, at: offset) }
    if month != 0 { try Self.check(month, "Month", 1...12, at: offset.map { $0 + 2 }) }
    if day != 0 { try Self.check(day, "Day", 1...31, at: offset.map { $0 + 3 }) }
    try Self.check(hours, "Hours", 0...23, at: offset.map { $0 + 4 })
    try Self.check(minutes, "Minutes", 0...59, at: offset.map { $0 + 5 })
    try Self.check(seconds, "Seconds", 0...59, at: offset.map { $0 + 6 })
    timestamp = Timestamp(
      year: UInt16(year), month: UInt8(month), day: UInt8(day), hours: UInt8(hours),
      minutes: UInt8(minutes), seconds: UInt8(seconds))
  }

  private static func check(
    _ value: Int, _ field: String, _ range: ClosedRange<Int>, at offset: Int?
  ) throws(PayloadError) {
    guard !range.contains(value) else { return }
    throw PayloadError(
      .outOfRange, field: field, offset: offset,
      message: "It is \(range.lowerBound)...\(range.upperBound). Refuse the time.")
  }

  /// The year, 1582...9999; nil when unknown.
  public var year: Int? { timestamp.year == 0 ? nil : Int(timestamp.year) }
  /// The month, 1...12; nil when unknown.
  public var month: Int? { timestamp.month == 0 ? nil : Int(timestamp.month) }
  /// The day of the month, 1...31; nil when unknown.
  public var day: Int? { timestamp.day == 0 ? nil : Int(timestamp.day) }
  /// The hours since midnight, 0...23.
  public var hours: Int { Int(timestamp.hours) }
  /// The minutes, 0...59.
  public var minutes: Int { Int(timestamp.minutes) }
  /// The seconds, 0...59.
  public var seconds: Int { Int(timestamp.seconds) }

  /// Whether year, month and day are known and such a day exists.
  public var isOnCalendar: Bool {
    guard let year, let month, let day else { return false }
    return day <= LocalDateTime.days(ofMonth: month, in: year)
  }
}

extension DateTime: CharacteristicValue {
  /// Reads the seven bytes.
  ///
  /// - Throws: `outOfRange` with the offset of the first component that is; `truncated`.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let offset = reader.offset
    try self.init(try reader.timestamp(field: "Date Time"), at: offset)
  }

  /// Writes the seven bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.timestamp(timestamp)
  }
}
