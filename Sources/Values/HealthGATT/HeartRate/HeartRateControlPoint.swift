// SPDX-License-Identifier: Apache-2.0

/// Heart Rate Control Point (2A39): a command to a heart rate sensor.
///
/// A sensor without energy expended answers with ATT error 0x80 (Control Point Not Supported).
/// Values without a name are reserved and kept.
///
/// ```
/// // 01
/// // CM
/// ```
///
/// Source: GATT Specification Supplement, Heart Rate Control Point.
public struct HeartRateControlPoint: RawRepresentable, CharacteristicValue {
  /// The byte.
  public let rawValue: UInt8

  /// Takes any byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Reads the byte.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    rawValue = try reader.uint8(field: "Heart Rate Control Point")
  }

  /// Writes the byte.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(rawValue)
  }

  /// 0x01: count the energy expended from 0 again.
  public static let resetEnergyExpended = HeartRateControlPoint(rawValue: 1)
}
