// SPDX-License-Identifier: Apache-2.0

/// Body Composition Feature (2A9B): what a body composition scale can measure.
///
/// ```
/// // 559D0100
/// // FEATURES
/// ```
///
/// Source: GATT Specification Supplement, Body Composition Feature.
public struct BodyCompositionFeature: CharacteristicValue {
  /// The bits of the feature field that stand alone; all 32 are kept.
  public struct Features: OptionSet, Hashable, Sendable {
    /// The 32 bits.
    public let rawValue: UInt32

    /// Takes any 32 bits.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Bit 0: sends time stamps.
    public static let timestamp = Features(rawValue: 1 << 0)
    /// Bit 1: knows several users.
    public static let multipleUsers = Features(rawValue: 1 << 1)
    /// Bit 2: sends the basal metabolism.
    public static let basalMetabolism = Features(rawValue: 1 << 2)
    /// Bit 3: sends the muscle percentage.
    public static let musclePercentage = Features(rawValue: 1 << 3)
    /// Bit 4: sends the muscle mass.
    public static let muscleMass = Features(rawValue: 1 << 4)
    /// Bit 5: sends the fat free mass.
    public static let fatFreeMass = Features(rawValue: 1 << 5)
    /// Bit 6: sends the soft lean mass.
    public static let softLeanMass = Features(rawValue: 1 << 6)
    /// Bit 7: sends the body water mass.
    public static let bodyWaterMass = Features(rawValue: 1 << 7)
    /// Bit 8: sends the impedance.
    public static let impedance = Features(rawValue: 1 << 8)
    /// Bit 9: sends the weight.
    public static let weight = Features(rawValue: 1 << 9)
    /// Bit 10: sends the height.
    public static let height = Features(rawValue: 1 << 10)
  }

  /// The whole field.
  public var features: Features

  /// Creates the value from the whole field.
  public init(features: Features) {
    self.features = features
  }

  /// Creates the value from features and resolutions.
  public init(
    features: Features, massResolution: MassResolution,
    heightResolution: HeightResolution = HeightResolution(rawValue: 0)
  ) {
    let resolutions =
      UInt32(massResolution.rawValue) << 11 | UInt32(heightResolution.rawValue) << 15
    self.features = Features(rawValue: features.rawValue & ~0x3F800 | resolutions)
  }

  /// Reads the four bytes.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    features = Features(rawValue: try reader.uint32(field: "Body Composition Feature"))
  }

  /// Writes the four bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint32(features.rawValue)
  }

  /// Bits 11...14: how finely the scale shows masses.
  public var massResolution: MassResolution {
    MassResolution(rawValue: UInt8(truncatingIfNeeded: features.rawValue >> 11))
  }

  /// Bits 15...17: how finely the scale shows heights.
  public var heightResolution: HeightResolution {
    HeightResolution(rawValue: UInt8(truncatingIfNeeded: features.rawValue >> 15))
  }
}
