// SPDX-License-Identifier: Apache-2.0

/// A pressure with its unit.
///
/// Two pressures are equal when value and unit are; compare `millimetersOfMercury` to compare
/// across units.
public struct Pressure: Hashable, Sendable {
  /// The units in which blood pressure is sent.
  public enum Unit: String, Hashable, Sendable {
    /// Millimetre of mercury.
    case millimeterOfMercury = "mmHg"
    /// Kilopascal.
    case kilopascal = "kPa"
  }

  /// The number of millimetres of mercury in a kilopascal, as the blood pressure profile rounds it.
  public static let millimetersOfMercuryPerKilopascal = 7.50062

  /// The number, in `unit`.
  public let value: Double
  /// The unit of `value`.
  public let unit: Unit

  /// Creates a pressure.
  public init(_ value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  /// Creates a pressure in mmHg.
  public static func millimetersOfMercury(_ value: Double) -> Pressure {
    Pressure(value, .millimeterOfMercury)
  }

  /// Creates a pressure in kPa.
  public static func kilopascals(_ value: Double) -> Pressure {
    Pressure(value, .kilopascal)
  }

  /// The pressure in mmHg, not rounded.
  public var millimetersOfMercury: Double {
    switch unit {
    case .millimeterOfMercury: value
    case .kilopascal: value * Self.millimetersOfMercuryPerKilopascal
    }
  }

  /// The pressure in kPa, not rounded.
  public var kilopascals: Double {
    switch unit {
    case .millimeterOfMercury: value / Self.millimetersOfMercuryPerKilopascal
    case .kilopascal: value
    }
  }
}
