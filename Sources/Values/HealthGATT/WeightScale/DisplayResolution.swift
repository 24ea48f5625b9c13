// SPDX-License-Identifier: Apache-2.0

/// Weight Measurement Resolution and Mass Measurement Resolution: how finely a scale shows masses.
///
/// It is not a multiplier: masses on the wire always have steps of 0.005 kg or 0.01 lb.
///
/// Source: GATT Specification Supplement, Weight Scale Feature and Body Composition Feature.
public struct MassResolution: RawRepresentable, Hashable, Sendable {
  /// The code, 0...15: 0 is not specified, 1...7 are defined.
  public let rawValue: UInt8

  /// Takes the low four bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue & 0b1111
  }

  /// The resolution in kilograms; nil when not specified or reserved.
  public var kilograms: Double? { Self.value([0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005], rawValue) }

  /// The resolution in pounds; nil when not specified or reserved.
  public var pounds: Double? { Self.value([1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01], rawValue) }

  fileprivate static func value(_ values: [Double], _ code: UInt8) -> Double? {
    values.indices.contains(Int(code) - 1) ? values[Int(code) - 1] : nil
  }
}

/// Height Measurement Resolution: how finely a scale shows heights; not a multiplier either.
///
/// Source: GATT Specification Supplement, Weight Scale Feature and Body Composition Feature.
public struct HeightResolution: RawRepresentable, Hashable, Sendable {
  /// The code, 0...7: 0 is not specified, 1...3 are defined.
  public let rawValue: UInt8

  /// Takes the low three bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue & 0b111
  }

  /// The resolution in metres; nil when not specified or reserved.
  public var meters: Double? { MassResolution.value([0.01, 0.005, 0.001], rawValue) }

  /// The resolution in inches; nil when not specified or reserved.
  public var inches: Double? { MassResolution.value([1, 0.5, 0.1], rawValue) }
}
