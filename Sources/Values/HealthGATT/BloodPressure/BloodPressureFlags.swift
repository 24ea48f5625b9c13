// SPDX-License-Identifier: Apache-2.0

/// Flags of Blood Pressure Measurement and Intermediate Cuff Pressure.
///
/// Manufacturers use the reserved bits, so they are kept (the Beurer BM85 sends 0x56).
///
/// Source: GATT Specification Supplement §3.31, Flags.
public struct BloodPressureFlags: OptionSet, Hashable, Sendable {
  /// The byte.
  public let rawValue: UInt8

  /// Takes any byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Bit 0: pressures are in kPa, not in mmHg.
  public static let kilopascal = BloodPressureFlags(rawValue: 1 << 0)
  /// Bit 1: there is a time stamp.
  public static let timestampPresent = BloodPressureFlags(rawValue: 1 << 1)
  /// Bit 2: there is a pulse rate.
  public static let pulseRatePresent = BloodPressureFlags(rawValue: 1 << 2)
  /// Bit 3: there is a user ID.
  public static let userIDPresent = BloodPressureFlags(rawValue: 1 << 3)
  /// Bit 4: there is a measurement status.
  public static let measurementStatusPresent = BloodPressureFlags(rawValue: 1 << 4)

  package static let reserved = BloodPressureFlags(rawValue: 0xE0)

  package var unit: PressureUnit { contains(.kilopascal) ? .kilopascals : .millimetersOfMercury }
}
