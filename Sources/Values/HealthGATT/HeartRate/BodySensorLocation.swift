// SPDX-License-Identifier: Apache-2.0

/// Body Sensor Location (2A38): where a heart rate sensor is worn.
///
/// Values without a name are reserved and kept.
///
/// ```
/// // 01
/// // LO
/// ```
///
/// Source: GATT Specification Supplement, Body Sensor Location.
public struct BodySensorLocation: RawRepresentable, CharacteristicValue {
  /// The byte.
  public let rawValue: UInt8

  /// Takes any byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Reads the byte.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    rawValue = try reader.uint8(field: "Body Sensor Location")
  }

  /// Writes the byte.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(rawValue)
  }

  /// Another place.
  public static let other = BodySensorLocation(rawValue: 0)
  /// The chest.
  public static let chest = BodySensorLocation(rawValue: 1)
  /// The wrist.
  public static let wrist = BodySensorLocation(rawValue: 2)
  /// A finger.
  public static let finger = BodySensorLocation(rawValue: 3)
  /// The hand.
  public static let hand = BodySensorLocation(rawValue: 4)
  /// The lobe of an ear.
  public static let earLobe = BodySensorLocation(rawValue: 5)
  /// The foot.
  public static let foot = BodySensorLocation(rawValue: 6)
}
