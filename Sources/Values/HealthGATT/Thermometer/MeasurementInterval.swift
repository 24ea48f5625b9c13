// SPDX-License-Identifier: Apache-2.0

/// Measurement Interval (2A21): how often a thermometer measures by itself.
///
/// ```
/// // 100E
/// // SECS
/// ```
///
/// Source: GATT Specification Supplement, Measurement Interval.
public struct MeasurementInterval: CharacteristicValue {
  /// The interval in seconds; 0 when the device measures on demand only.
  public var seconds: UInt16

  /// Creates an interval.
  public init(seconds: UInt16) {
    self.seconds = seconds
  }

  /// Reads the two bytes.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    seconds = try reader.uint16(field: "Measurement Interval")
  }

  /// Writes the two bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint16(seconds)
  }

  /// The interval; nil when the device measures on demand only.
  public var interval: Duration? { seconds == 0 ? nil : .seconds(Int(seconds)) }
}
