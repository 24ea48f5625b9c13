// SPDX-License-Identifier: Apache-2.0

/// CGM Session Start Time (2AAA): when the session of a continuous glucose monitor began.
///
/// A sensor has no clock of its own: it counts minutes. A collector writes the present time, and the
/// sensor makes of it when the session began; until then it reads all zeros. The time of a record
/// is this time plus its Time Offset.
///
/// ```
/// // E207 04 18 0D 08 18  08  04  E0C2
/// // YEAR MO DA HH MM SS  TZ  DS  E2ECRC
/// ```
///
/// Source: GATT Specification Supplement, CGM Session Start Time; Continuous Glucose Monitoring
/// Service 1.0.2. The E2E-CRC is there where CGM Feature announces it; a write without it is then
/// refused with ATT error 0x80, one with a wrong one with 0x81.
public struct CGMSessionStartTime: CharacteristicValue {
  /// Session Start Time: local time in `zone`.
  public var dateTime: DateTime
  /// Time Zone and DST-Offset.
  public var zone: LocalTimeInformation
  /// Whether the value carries an E2E-CRC.
  public var hasCRC: Bool

  /// Creates a start time, or the present time that is written to a sensor.
  public init(dateTime: DateTime, zone: LocalTimeInformation, hasCRC: Bool = false) {
    self.dateTime = dateTime
    self.zone = zone
    self.hasCRC = hasCRC
  }

  /// Reads nine bytes, and the E2E-CRC where it follows; an impossible time is refused.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    dateTime = try DateTime(from: &reader)
    zone = try LocalTimeInformation(from: &reader)
    hasCRC = try reader.endsWithE2ECRC()
  }

  /// Writes the fields, and the E2E-CRC of a value that has one.
  public func encode(to writer: inout PayloadWriter) {
    dateTime.encode(to: &writer)
    zone.encode(to: &writer)
    if hasCRC { writer.e2eCRC() }
  }

  /// The minutes that `dateTime` is ahead of universal time; nil where the zone is unknown.
  ///
  /// An unknown DST-Offset counts as none.
  package var utcOffsetMinutes: Int? {
    zone.timeZoneMinutes.map { $0 + (zone.daylightSavingTimeMinutes ?? 0) }
  }
}
