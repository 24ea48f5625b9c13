// SPDX-License-Identifier: Apache-2.0

/// A mass with its unit.
///
/// Two masses are equal when value and unit are; compare `kilograms` to compare across units.
public struct Mass: Hashable, Sendable {
  /// The units in which masses are sent.
  public enum Unit: String, Hashable, Sendable {
    /// Kilogram.
    case kilogram = "kg"
    /// Pound (avoirdupois).
    case pound = "lb"
  }

  /// The number of kilograms in a pound, by definition.
  public static let kilogramsPerPound = 0.453_592_37

  /// The number, in `unit`.
  public let value: Double
  /// The unit of `value`.
  public let unit: Unit

  /// Creates a mass.
  public init(_ value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  /// Creates a mass in kilograms.
  public static func kilograms(_ value: Double) -> Mass {
    Mass(value, .kilogram)
  }

  /// Creates a mass in pounds.
  public static func pounds(_ value: Double) -> Mass {
    Mass(value, .pound)
  }

  /// The mass in kilograms, not rounded.
  public var kilograms: Double {
    switch unit {
    case .kilogram: value
    case .pound: value * Self.kilogramsPerPound
    }
  }

  /// The mass in pounds, not rounded.
  public var pounds: Double {
    switch unit {
    case .kilogram: value / Self.kilogramsPerPound
    case .pound: value
    }
  }
}
