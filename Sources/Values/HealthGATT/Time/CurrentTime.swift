// SPDX-License-Identifier: Apache-2.0

/// Current Time (2A2B): the clock of a device, read, notified, or written to set it.
///
/// A device may answer a write with ATT error 0x80 (Data Field Ignored): it then took the fields
/// that it keeps, which is no failure.
///
/// ```
/// // E807021D173B3B  04  FF  03
/// // DATE TIME       DW  FR  AR
/// ```
///
/// Source: GATT Specification Supplement, Current Time.
public struct CurrentTime: CharacteristicValue {
  /// Adjust Reason: why the clock was last moved.
  public struct AdjustReason: OptionSet, Hashable, Sendable {
    /// The byte, reserved bits included.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bit 0: set by hand.
    public static let manualTimeUpdate = AdjustReason(rawValue: 1 << 0)
    /// Bit 1: set from a reference.
    public static let externalReferenceTimeUpdate = AdjustReason(rawValue: 1 << 1)
    /// Bit 2: the time zone changed.
    public static let changeOfTimeZone = AdjustReason(rawValue: 1 << 2)
    /// Bit 3: daylight saving time began or ended.
    public static let changeOfDaylightSavingTime = AdjustReason(rawValue: 1 << 3)
  }

  /// The time, to the second.
  public var dateTime: DateTime
  /// The day of the week.
  public var dayOfWeek: DayOfWeek
  /// Fractions256: the part of the second that has passed, in 1/256 s.
  public var fractions256: UInt8
  /// Why the clock was last moved.
  public var adjustReason: AdjustReason

  /// Creates a clock reading.
  public init(
    dateTime: DateTime, dayOfWeek: DayOfWeek = .unknown, fractions256: UInt8 = 0,
    adjustReason: AdjustReason = []
  ) {
    self.dateTime = dateTime
    self.dayOfWeek = dayOfWeek
    self.fractions256 = fractions256
    self.adjustReason = adjustReason
  }

  /// Reads the ten bytes; an impossible time is refused.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    dateTime = try DateTime(from: &reader)
    dayOfWeek = DayOfWeek(rawValue: try reader.uint8(field: "Day of Week"))
    fractions256 = try reader.uint8(field: "Fractions256")
    adjustReason = AdjustReason(rawValue: try reader.uint8(field: "Adjust Reason"))
  }

  /// Writes the ten bytes.
  public func encode(to writer: inout PayloadWriter) {
    dateTime.encode(to: &writer)
    writer.uint8(dayOfWeek.rawValue)
    writer.uint8(fractions256)
    writer.uint8(adjustReason.rawValue)
  }
}
