// SPDX-License-Identifier: Apache-2.0

/// Units in which the values of some metrics may be given in place of the table's.
protocol MetricUnit: ClinicalUnit {
  /// The unit that records are stored in.
  static var stored: Self { get }
  /// Whether these are the units of a metric.
  static func measures(_ type: MetricType) -> Bool
}

extension GlucoseUnit: MetricUnit {
  static var stored: GlucoseUnit { .milligramsPerDeciliter }

  static func measures(_ type: MetricType) -> Bool {
    [
      .bloodGlucose, .averageBloodGlucose, .fastingPlasmaGlucose, .randomPlasmaGlucose,
      .oralGlucoseTolerance,
    ].contains(type)
  }
}

extension TemperatureUnit: MetricUnit {
  static var stored: TemperatureUnit { .celsius }

  // A deviation of temperature is a difference, which the zero of °F must not shift.
  static func measures(_ type: MetricType) -> Bool {
    type == .bodyTemperature || type == .basalBodyTemperature
  }
}

extension MassUnit: MetricUnit {
  static var stored: MassUnit { .kilograms }

  static func measures(_ type: MetricType) -> Bool { type.definition?.unit == stored.rawValue }
}

extension PressureUnit: MetricUnit {
  static var stored: PressureUnit { .millimetersOfMercury }

  static func measures(_ type: MetricType) -> Bool { type.definition?.unit == stored.rawValue }
}
