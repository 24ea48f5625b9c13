// SPDX-License-Identifier: Apache-2.0

/// Flags of Body Composition Measurement; reserved ones are kept.
///
/// Source: GATT Specification Supplement, Body Composition Measurement, Flags.
public struct BodyCompositionFlags: OptionSet, Hashable, Sendable {
  /// The 16 bits.
  public let rawValue: UInt16

  /// Takes any 16 bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Bit 0: masses and height are in pounds and inches.
  public static let imperial = BodyCompositionFlags(rawValue: 1 << 0)
  /// Bit 1: there is a time stamp.
  public static let timestampPresent = BodyCompositionFlags(rawValue: 1 << 1)
  /// Bit 2: there is a user ID.
  public static let userIDPresent = BodyCompositionFlags(rawValue: 1 << 2)
  /// Bit 3: there is a basal metabolism.
  public static let basalMetabolismPresent = BodyCompositionFlags(rawValue: 1 << 3)
  /// Bit 4: there is a muscle percentage.
  public static let musclePercentagePresent = BodyCompositionFlags(rawValue: 1 << 4)
  /// Bit 5: there is a muscle mass.
  public static let muscleMassPresent = BodyCompositionFlags(rawValue: 1 << 5)
  /// Bit 6: there is a fat free mass.
  public static let fatFreeMassPresent = BodyCompositionFlags(rawValue: 1 << 6)
  /// Bit 7: there is a soft lean mass.
  public static let softLeanMassPresent = BodyCompositionFlags(rawValue: 1 << 7)
  /// Bit 8: there is a body water mass.
  public static let bodyWaterMassPresent = BodyCompositionFlags(rawValue: 1 << 8)
  /// Bit 9: there is an impedance.
  public static let impedancePresent = BodyCompositionFlags(rawValue: 1 << 9)
  /// Bit 10: there is a weight.
  public static let weightPresent = BodyCompositionFlags(rawValue: 1 << 10)
  /// Bit 11: there is a height.
  public static let heightPresent = BodyCompositionFlags(rawValue: 1 << 11)
  /// Bit 12: the measurement is cut into two packets; the first one has this bit, too.
  public static let multiplePacketMeasurement = BodyCompositionFlags(rawValue: 1 << 12)

  static let reserved = BodyCompositionFlags(rawValue: 0xE000)
}
