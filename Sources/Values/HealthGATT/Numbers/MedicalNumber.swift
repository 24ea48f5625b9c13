// SPDX-License-Identifier: Apache-2.0

/// What an SFLOAT or a FLOAT stands for: a decimal, or one of five special values.
///
/// NaN is ordinary in this domain: a failed blood pressure run and an oximeter without a finger
/// send it.
public enum MedicalNumber: Hashable, Sendable {
  /// A number.
  case decimal(MedicalDecimal)
  /// NaN: there is no number, or it is not valid.
  case notANumber
  /// NRes: the value cannot be represented at this resolution.
  case notAtThisResolution
  /// +INF: the value is above what the device can measure.
  case positiveInfinity
  /// -INF: the value is below what the device can measure.
  case negativeInfinity
  /// The word that IEEE 11073-20601 keeps for later use.
  case reserved

  /// The nearest `Double` of a decimal; nil for the special values.
  public var double: Double? {
    guard case .decimal(let decimal) = self else { return nil }
    return decimal.double
  }
}
