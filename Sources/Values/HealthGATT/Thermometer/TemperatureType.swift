// SPDX-License-Identifier: Apache-2.0

/// Temperature Type (2A1D): where on the body a temperature is taken.
///
/// A thermometer that always measures at one place has this characteristic, others send the type
/// with each measurement. Values without a name are reserved and kept.
///
/// ```
/// // 06
/// // TY
/// ```
///
/// Source: GATT Specification Supplement, Temperature Type.
public struct TemperatureType: RawRepresentable, CharacteristicValue {
  /// The byte.
  public let rawValue: UInt8

  /// Takes any byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Reads the byte.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    rawValue = try reader.uint8(field: "Temperature Type")
  }

  /// Writes the byte.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(rawValue)
  }

  /// The armpit.
  public static let armpit = TemperatureType(rawValue: 1)
  /// The body, in general.
  public static let body = TemperatureType(rawValue: 2)
  /// The ear, usually its lobe.
  public static let ear = TemperatureType(rawValue: 3)
  /// A finger.
  public static let finger = TemperatureType(rawValue: 4)
  /// The gastro-intestinal tract.
  public static let gastroIntestinalTract = TemperatureType(rawValue: 5)
  /// The mouth.
  public static let mouth = TemperatureType(rawValue: 6)
  /// The rectum.
  public static let rectum = TemperatureType(rawValue: 7)
  /// A toe.
  public static let toe = TemperatureType(rawValue: 8)
  /// The ear drum.
  public static let tympanum = TemperatureType(rawValue: 9)
}
