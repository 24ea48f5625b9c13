// SPDX-License-Identifier: Apache-2.0

/// A temperature with its unit.
///
/// Two temperatures are equal when value and unit are; compare `celsius` to compare across units.
public struct Temperature: Hashable, Sendable {
  /// The units in which temperatures are sent.
  public enum Unit: String, Hashable, Sendable {
    /// Degree Celsius.
    case celsius = "C"
    /// Degree Fahrenheit.
    case fahrenheit = "F"
  }

  /// The number, in `unit`.
  public let value: Double
  /// The unit of `value`.
  public let unit: Unit

  /// Creates a temperature.
  public init(_ value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  /// Creates a temperature in °C.
  public static func celsius(_ value: Double) -> Temperature {
    Temperature(value, .celsius)
  }

  /// Creates a temperature in °F.
  public static func fahrenheit(_ value: Double) -> Temperature {
    Temperature(value, .fahrenheit)
  }

  /// The temperature in °C, not rounded.
  public var celsius: Double {
    switch unit {
    case .celsius: value
    case .fahrenheit: (value - 32) * 5 / 9
    }
  }

  /// The temperature in °F, not rounded.
  public var fahrenheit: Double {
    switch unit {
    case .celsius: value * 9 / 5 + 32
    case .fahrenheit: value
    }
  }
}
