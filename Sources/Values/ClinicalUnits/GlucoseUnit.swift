// SPDX-License-Identifier: Apache-2.0

/// The units of glucose in blood.
///
/// 1 mmol/L is 18.0156 mg/dL: a mole of glucose (C₆H₁₂O₆) is 180.156 g by the abridged standard
/// atomic weights of IUPAC (2021).
public enum GlucoseUnit: String, ClinicalUnit {
  /// Milligrams per decilitre.
  case milligramsPerDeciliter = "mg/dL"
  /// Millimoles per litre.
  case millimolesPerLiter = "mmol/L"

  /// Converts a value of this unit to another; the value in the same unit is kept as it is.
  public func convert(_ value: Double, to unit: GlucoseUnit) -> Double {
    scale(value, to: unit) { $0 == .milligramsPerDeciliter ? 1 : 18.0156 }
  }
}

/// A concentration of glucose with the unit it was measured in.
public typealias GlucoseConcentration = Quantity<GlucoseUnit>

extension Quantity<GlucoseUnit> {
  /// Creates a concentration in mg/dL.
  public static func milligramsPerDeciliter(_ value: Double) -> Self {
    Self(value, .milligramsPerDeciliter)
  }
  /// The number in mg/dL, not rounded.
  public var milligramsPerDeciliter: Double { value(in: .milligramsPerDeciliter) }

  /// Creates a concentration in mmol/L.
  public static func millimolesPerLiter(_ value: Double) -> Self {
    Self(value, .millimolesPerLiter)
  }
  /// The number in mmol/L, not rounded.
  public var millimolesPerLiter: Double { value(in: .millimolesPerLiter) }
}
