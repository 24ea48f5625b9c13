// SPDX-License-Identifier: Apache-2.0

/// A unit in which some metrics may be told in place of the table's.
protocol MetricUnit: RawRepresentable<String>, CaseIterable, Sendable {
  /// Whether values of a metric can be converted by this kind of unit.
  static func measures(_ type: MetricType) -> Bool
  /// A value of this unit in the table's unit.
  func standard(_ value: Double) -> Double
  /// A value of the table's unit in this unit.
  func value(ofStandard standard: Double) -> Double
}

extension MetricUnit {
  // Not by way of the standard, so that a value in the unit wanted stays bit by bit what it is.
  func converted(_ value: Double, to unit: Self) -> Double {
    rawValue == unit.rawValue ? value : unit.value(ofStandard: standard(value))
  }
}

/// The units of blood glucose.
public enum GlucoseUnit: String, MetricUnit, Hashable {
  /// Milligrams per decilitre, the unit that records are stored in.
  case milligramsPerDeciliter = "mg/dL"
  /// Millimoles per litre.
  case millimolesPerLiter = "mmol/L"

  /// The mass of a mole of glucose (C₆H₁₂O₆) in grams, by the standard atomic weights.
  public static let molarMass = 180.1559

  /// Converts a value of this unit to another.
  ///
  /// - Parameters:
  ///   - value: The value in this unit.
  ///   - unit: The unit wanted.
  /// - Returns: The value in the unit wanted.
  public func convert(_ value: Double, to unit: GlucoseUnit) -> Double {
    converted(value, to: unit)
  }

  static func measures(_ type: MetricType) -> Bool {
    [
      .bloodGlucose, .averageBloodGlucose, .fastingPlasmaGlucose, .randomPlasmaGlucose,
      .oralGlucoseTolerance,
    ].contains(type)
  }

  func standard(_ value: Double) -> Double {
    self == .milligramsPerDeciliter ? value : value * Self.molarMass / 10
  }

  func value(ofStandard standard: Double) -> Double {
    self == .milligramsPerDeciliter ? standard : standard * 10 / Self.molarMass
  }
}

/// The units of body temperature.
public enum TemperatureUnit: String, MetricUnit, Hashable {
  /// Degrees Celsius, the unit that records are stored in.
  case celsius = "°C"
  /// Degrees Fahrenheit.
  case fahrenheit = "°F"

  /// Converts a value of this unit to another.
  ///
  /// - Parameters:
  ///   - value: The value in this unit.
  ///   - unit: The unit wanted.
  /// - Returns: The value in the unit wanted.
  public func convert(_ value: Double, to unit: TemperatureUnit) -> Double {
    converted(value, to: unit)
  }

  // A deviation of temperature has no zero of its own and is not converted.
  static func measures(_ type: MetricType) -> Bool { type == .bodyTemperature }

  func standard(_ value: Double) -> Double {
    self == .celsius ? value : (value - 32) * 5 / 9
  }

  func value(ofStandard standard: Double) -> Double {
    self == .celsius ? standard : standard * 9 / 5 + 32
  }
}

/// The units of weight and of the masses that make it up.
public enum WeightUnit: String, MetricUnit, Hashable {
  /// Kilograms, the unit that records are stored in.
  case kilograms = "kg"
  /// International avoirdupois pounds of exactly 0.45359237 kg.
  case pounds = "lb"
  /// Stones of 14 pounds.
  case stones = "st"

  private var kilograms: Double {
    switch self {
    case .kilograms: 1
    case .pounds: 0.45359237
    case .stones: 6.35029318
    }
  }

  /// Converts a value of this unit to another.
  ///
  /// - Parameters:
  ///   - value: The value in this unit.
  ///   - unit: The unit wanted.
  /// - Returns: The value in the unit wanted.
  public func convert(_ value: Double, to unit: WeightUnit) -> Double { converted(value, to: unit) }

  static func measures(_ type: MetricType) -> Bool {
    type.definition?.unit == WeightUnit.kilograms.rawValue
  }

  func standard(_ value: Double) -> Double { value * kilograms }

  func value(ofStandard standard: Double) -> Double { standard / kilograms }
}
