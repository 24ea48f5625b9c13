// SPDX-License-Identifier: Apache-2.0

/// The units of body height.
public enum LengthUnit: String, ClinicalUnit {
  /// Metres.
  case meters = "m"
  /// Inches of exactly 0.0254 m.
  case inches = "in"

  /// Converts a value of this unit to another; the value in the same unit is kept as it is.
  public func convert(_ value: Double, to unit: LengthUnit) -> Double {
    scale(value, to: unit) { $0 == .meters ? 1 : 0.0254 }
  }
}

/// A length with its unit.
public typealias Length = Quantity<LengthUnit>

extension Quantity<LengthUnit> {
  /// Creates a length in metres.
  public static func meters(_ value: Double) -> Self { Self(value, .meters) }
  /// The number in metres, not rounded.
  public var meters: Double { value(in: .meters) }

  /// Creates a length in inches.
  public static func inches(_ value: Double) -> Self { Self(value, .inches) }
  /// The number in inches, not rounded.
  public var inches: Double { value(in: .inches) }
}
