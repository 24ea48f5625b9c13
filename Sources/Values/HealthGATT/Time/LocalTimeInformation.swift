// SPDX-License-Identifier: Apache-2.0

/// Local Time Information (2A0F): the zone of a device's clock.
///
/// ```
/// // 08  04
/// // TZ  DS
/// ```
///
/// Source: GATT Specification Supplement, Local Time Information, Time Zone and DST Offset.
public struct LocalTimeInformation: CharacteristicValue {
  /// Time Zone as sent: quarters of an hour, -48...56, or -128 for unknown.
  public var timeZone: Int8
  /// DST Offset as sent: 0, 2, 4 or 8 quarters of an hour, or 255 for unknown.
  public var daylightSavingTimeOffset: UInt8

  /// Creates the information from its wire values.
  public init(timeZone: Int8, daylightSavingTimeOffset: UInt8) {
    self.timeZone = timeZone
    self.daylightSavingTimeOffset = daylightSavingTimeOffset
  }

  /// Reads the two bytes.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    timeZone = try reader.int8(field: "Time Zone")
    daylightSavingTimeOffset = try reader.uint8(field: "DST Offset")
  }

  /// Writes the two bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.int8(timeZone)
    writer.uint8(daylightSavingTimeOffset)
  }

  /// Standard time less UTC; nil when unknown or reserved.
  public var offsetFromUTC: Duration? { timeZoneMinutes.map { .seconds($0 * 60) } }

  /// What daylight saving time adds at present; nil when unknown or reserved.
  public var daylightSavingTime: Duration? {
    daylightSavingTimeMinutes.map { .seconds($0 * 60) }
  }

  package var timeZoneMinutes: Int? {
    (-48...56).contains(timeZone) ? Int(timeZone) * 15 : nil
  }

  package var daylightSavingTimeMinutes: Int? {
    [0, 2, 4, 8].contains(daylightSavingTimeOffset) ? Int(daylightSavingTimeOffset) * 15 : nil
  }
}
