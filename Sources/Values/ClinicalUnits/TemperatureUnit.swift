// SPDX-License-Identifier: Apache-2.0

/// The units of body temperature.
public enum TemperatureUnit: String, ClinicalUnit {
  /// Degrees Celsius.
  case celsius = "°C"
  /// Degrees Fahrenheit.
  case fahrenheit = "°F"

  /// Converts a value of this unit to another; the value in the same unit is kept as it is.
  public func convert(_ value: Double, to unit: TemperatureUnit) -> Double {
    switch (self, unit) {
    case (.celsius, .fahrenheit): value * 9 / 5 + 32
    case (.fahrenheit, .celsius): (value - 32) * 5 / 9
    case (.celsius, .celsius), (.fahrenheit, .fahrenheit): value
    }
  }
}

/// A temperature with its unit.
public typealias Temperature = Quantity<TemperatureUnit>

extension Quantity<TemperatureUnit> {
  /// Creates a temperature in °C.
  public static func celsius(_ value: Double) -> Self { Self(value, .celsius) }
  /// The number in °C, not rounded.
  public var celsius: Double { value(in: .celsius) }

  /// Creates a temperature in °F.
  public static func fahrenheit(_ value: Double) -> Self { Self(value, .fahrenheit) }
  /// The number in °F, not rounded.
  public var fahrenheit: Double { value(in: .fahrenheit) }
}
