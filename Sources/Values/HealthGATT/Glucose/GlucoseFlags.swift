// SPDX-License-Identifier: Apache-2.0

/// Flags of Glucose Measurement; reserved bits are kept.
///
/// Source: GATT Specification Supplement, Glucose Measurement, Flags.
public struct GlucoseFlags: OptionSet, Hashable, Sendable {
  /// The byte.
  public let rawValue: UInt8

  /// Takes any byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Bit 0: there is a time offset.
  public static let timeOffsetPresent = GlucoseFlags(rawValue: 1 << 0)
  /// Bit 1: there are a concentration, a type and a sample location.
  public static let samplePresent = GlucoseFlags(rawValue: 1 << 1)
  /// Bit 2: the concentration is in mol/L, not in kg/L.
  public static let molesPerLiter = GlucoseFlags(rawValue: 1 << 2)
  /// Bit 3: there is a sensor status annunciation.
  public static let sensorStatusPresent = GlucoseFlags(rawValue: 1 << 3)
  /// Bit 4: the device says that a context of the same sequence number follows.
  public static let contextFollows = GlucoseFlags(rawValue: 1 << 4)

  static let reserved = GlucoseFlags(rawValue: 0xE0)
}
