// SPDX-License-Identifier: Apache-2.0

/// A concentration of glucose with the unit it was measured in.
///
/// Two concentrations are equal when value and unit are; compare `milligramsPerDeciliter` to
/// compare across units.
public struct GlucoseConcentration: Hashable, Sendable {
  /// The units in which people read blood glucose.
  public enum Unit: String, Hashable, Sendable {
    /// Milligram in a decilitre.
    case milligramPerDeciliter = "mg/dL"
    /// Millimole in a litre.
    case millimolePerLiter = "mmol/L"
  }

  /// The mg/dL in one mmol/L: a tenth of the molar mass of glucose, 180.156 g/mol.
  public static let milligramsPerDeciliterPerMillimolePerLiter = 18.0156

  /// The number, in `unit`.
  public let value: Double
  /// The unit of `value`.
  public let unit: Unit

  /// Creates a concentration.
  public init(_ value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  /// Creates a concentration in mg/dL.
  public static func milligramsPerDeciliter(_ value: Double) -> GlucoseConcentration {
    GlucoseConcentration(value, .milligramPerDeciliter)
  }

  /// Creates a concentration in mmol/L.
  public static func millimolesPerLiter(_ value: Double) -> GlucoseConcentration {
    GlucoseConcentration(value, .millimolePerLiter)
  }

  /// The concentration in mg/dL, not rounded.
  public var milligramsPerDeciliter: Double {
    switch unit {
    case .milligramPerDeciliter: value
    case .millimolePerLiter: value * Self.milligramsPerDeciliterPerMillimolePerLiter
    }
  }

  /// The concentration in mmol/L, not rounded.
  public var millimolesPerLiter: Double {
    switch unit {
    case .milligramPerDeciliter: value / Self.milligramsPerDeciliterPerMillimolePerLiter
    case .millimolePerLiter: value
    }
  }
}
