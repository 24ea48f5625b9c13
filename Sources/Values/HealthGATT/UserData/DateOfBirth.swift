// SPDX-License-Identifier: Apache-2.0

/// Date of Birth (2A85) of a user; each component may be unknown.
///
/// ```
/// // C307  07  04
/// // YEAR  MO  DA
/// ```
///
/// Source: GATT Specification Supplement, Date of Birth. Zero is unknown; the year is 1582...9999.
public struct DateOfBirth: CharacteristicValue {
  private let date: DateTime

  /// Creates a date.
  ///
  /// - Parameters:
  ///   - year: 1582...9999, nil or 0 when unknown.
  ///   - month: 1...12, nil or 0 when unknown.
  ///   - day: 1...31, nil or 0 when unknown.
  /// - Throws: `outOfRange`, naming the first component that is.
  public init(year: Int?, month: Int?, day: Int?) throws(PayloadError) {
    date = try DateTime(year: year, month: month, day: day, hours: 0, minutes: 0, seconds: 0)
  }

  /// Reads the four bytes; a component out of range is refused.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let offset = reader.offset
    let bytes = Timestamp(
      year: try reader.uint16(field: "Year"), month: try reader.uint8(field: "Month"),
      day: try reader.uint8(field: "Day"), hours: 0, minutes: 0, seconds: 0)
    date = try DateTime(bytes, at: offset)
  }

  /// Writes the four bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.append(Timestamp(date).bytes.prefix(4))
  }

  /// The year, 1582...9999; nil when unknown.
  public var year: Int? { date.year }
  /// The month, 1...12; nil when unknown.
  public var month: Int? { date.month }
  /// The day of the month, 1...31; nil when unknown.
  public var day: Int? { date.day }
}
