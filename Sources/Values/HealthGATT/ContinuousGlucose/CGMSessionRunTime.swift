// SPDX-License-Identifier: Apache-2.0

/// CGM Session Run Time (2AAB): how long a session is expected to last.
///
/// ```
/// // 0200  08C3
/// // HOUR  E2ECRC
/// ```
///
/// Source: GATT Specification Supplement, CGM Session Run Time. The E2E-CRC is there where CGM
/// Feature announces it.
public struct CGMSessionRunTime: CharacteristicValue {
  /// Hours from the start of the session.
  public var hours: UInt16
  /// Whether the value carries an E2E-CRC.
  public var hasCRC: Bool

  /// Creates a run time.
  public init(hours: UInt16, hasCRC: Bool = false) {
    self.hours = hours
    self.hasCRC = hasCRC
  }

  /// Reads two bytes, and the E2E-CRC where it follows.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    hours = try reader.uint16(field: "CGM Session Run Time")
    hasCRC = try reader.endsWithE2ECRC()
  }

  /// Writes the hours, and the E2E-CRC of a value that has one.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint16(hours)
    if hasCRC { writer.e2eCRC() }
  }
}
