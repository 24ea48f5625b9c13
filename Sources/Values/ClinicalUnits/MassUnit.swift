// SPDX-License-Identifier: Apache-2.0

/// The units of body weight and of the masses that it consists of.
public enum MassUnit: String, ClinicalUnit {
  /// Kilograms.
  case kilograms = "kg"
  /// International avoirdupois pounds of exactly 0.45359237 kg.
  case pounds = "lb"
  /// Stones of exactly 14 pounds.
  case stones = "st"

  /// Converts a value of this unit to another; the value in the same unit is kept as it is.
  public func convert(_ value: Double, to unit: MassUnit) -> Double {
    scale(value, to: unit, \.kilogramsPerUnit)
  }

  private var kilogramsPerUnit: Double {
    switch self {
    case .kilograms: 1
    case .pounds: 0.453_592_37
    case .stones: 6.350_293_18
    }
  }
}

/// A mass with its unit.
public typealias Mass = Quantity<MassUnit>

extension Quantity<MassUnit> {
  /// Creates a mass in kilograms.
  public static func kilograms(_ value: Double) -> Self { Self(value, .kilograms) }
  /// The number in kilograms, not rounded.
  public var kilograms: Double { value(in: .kilograms) }

  /// Creates a mass in pounds.
  public static func pounds(_ value: Double) -> Self { Self(value, .pounds) }
  /// The number in pounds, not rounded.
  public var pounds: Double { value(in: .pounds) }

  /// Creates a mass in stones.
  public static func stones(_ value: Double) -> Self { Self(value, .stones) }
  /// The number in stones, not rounded.
  public var stones: Double { value(in: .stones) }
}
