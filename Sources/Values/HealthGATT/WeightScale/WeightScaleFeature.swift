// SPDX-License-Identifier: Apache-2.0

/// Weight Scale Feature (2A9E): what a scale can measure.
///
/// ```
/// // B7000000
/// // FEATURES
/// ```
///
/// Source: GATT Specification Supplement, Weight Scale Feature.
public struct WeightScaleFeature: CharacteristicValue {
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
    /// Bit 2: sends the body mass index.
    public static let bmi = Features(rawValue: 1 << 2)
  }

  /// The whole field.
  public var features: Features

  /// Creates the value from the whole field.
  public init(features: Features) {
    self.features = features
  }

  /// Creates the value from features and resolutions.
  public init(
    features: Features, weightResolution: MassResolution,
    heightResolution: HeightResolution = HeightResolution(rawValue: 0)
  ) {
    let resolutions =
      UInt32(weightResolution.rawValue) << 3 | UInt32(heightResolution.rawValue) << 7
    self.features = Features(rawValue: features.rawValue & ~0x3F8 | resolutions)
  }

  /// Reads the four bytes.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    features = Features(rawValue: try reader.uint32(field: "Weight Scale Feature"))
  }

  /// Writes the four bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint32(features.rawValue)
  }

  /// Bits 3...6: how finely the scale shows weights.
  public var weightResolution: MassResolution {
    MassResolution(rawValue: UInt8(truncatingIfNeeded: features.rawValue >> 3))
  }

  /// Bits 7...9: how finely the scale shows heights.
  public var heightResolution: HeightResolution {
    HeightResolution(rawValue: UInt8(truncatingIfNeeded: features.rawValue >> 7))
  }
}
