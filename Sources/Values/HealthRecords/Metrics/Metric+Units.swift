// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

extension Metric {
  /// Makes a glucose metric from a value in any unit; it is kept in mg/dL.
  ///
  /// A metric of another type keeps the value and the unit as they are.
  ///
  /// - Parameters:
  ///   - type: What was measured.
  ///   - value: The value.
  ///   - unit: The unit of the value.
  ///   - origin: Who made the value.
  public init(
    _ type: MetricType, _ value: Double, in unit: GlucoseUnit, origin: Origin = .device
  ) {
    self.init(converting: type, value, unit, origin)
  }

  /// Makes a temperature metric from a value in any unit; it is kept in degrees Celsius.
  ///
  /// A metric of another type keeps the value and the unit as they are.
  ///
  /// - Parameters:
  ///   - type: What was measured.
  ///   - value: The value.
  ///   - unit: The unit of the value.
  ///   - origin: Who made the value.
  public init(
    _ type: MetricType, _ value: Double, in unit: TemperatureUnit, origin: Origin = .device
  ) {
    self.init(converting: type, value, unit, origin)
  }

  /// Makes a weight metric from a value in any unit; it is kept in kilograms.
  ///
  /// A metric of another type keeps the value and the unit as they are.
  ///
  /// - Parameters:
  ///   - type: What was measured.
  ///   - value: The value.
  ///   - unit: The unit of the value.
  ///   - origin: Who made the value.
  public init(
    _ type: MetricType, _ value: Double, in unit: MassUnit, origin: Origin = .device
  ) {
    self.init(converting: type, value, unit, origin)
  }

  /// The value in a unit of glucose.
  ///
  /// - Parameter unit: The unit wanted.
  /// - Returns: The value, or nil when this is no glucose metric in a known unit.
  public func value(in unit: GlucoseUnit) -> Double? { converted(to: unit) }

  /// The value in a unit of temperature.
  ///
  /// - Parameter unit: The unit wanted.
  /// - Returns: The value, or nil when this is no temperature metric in a known unit.
  public func value(in unit: TemperatureUnit) -> Double? { converted(to: unit) }

  /// The value in a unit of weight.
  ///
  /// - Parameter unit: The unit wanted.
  /// - Returns: The value, or nil when this is no weight metric in a known unit.
  public func value(in unit: MassUnit) -> Double? { converted(to: unit) }

  /// The value in the unit of the table of metrics; nil where it cannot be converted to it.
  package var standardValue: Double? {
    guard let standard = type.definition?.unit else { return nil }
    if unit == standard { return value }
    return converted(to: GlucoseUnit.stored) ?? converted(to: TemperatureUnit.stored)
      ?? converted(to: MassUnit.stored) ?? converted(to: PressureUnit.stored)
  }

  /// The same with what the device showed.
  ///
  /// Nothing is kept that only repeats value and unit as they are written anyway, nor what is not
  /// the value.
  ///
  /// - Parameter shown: What the device showed; nil where that is not known.
  /// - Returns: The metric.
  package func showing(_ shown: ShownValue?) -> Metric {
    guard let shown, let value, value.isFinite else { return self }
    let isRepeated = shown.unit == unit && shown.text == JSONWriter.text(value)
    var metric = self
    metric.shown = isRepeated ? nil : shown
    return metric.agreesWithShown ? metric : self
  }

  /// What was shown, in a unit in which it can be compared with the value.
  var comparableShown: ShownValue? {
    guard let shown, standardValue != nil,
      Metric(type, shown.number, unit: shown.unit).standardValue != nil
    else { return nil }
    return shown
  }

  /// Whether what was shown is the value: both may be one quantity, each rounded to its last digit.
  ///
  /// True in a unit that cannot be converted. A number that was cut off instead of rounded is another
  /// one. Room is left for another factor: some take 18 or 18.02 for the molar mass of glucose.
  var agreesWithShown: Bool {
    guard let shown, let value, let standardValue,
      let other = Metric(type, shown.number, unit: shown.unit).standardValue,
      let half = halfStep(from: shown.number, shown.step, unit: shown.unit)
    else { return true }
    let isGlucose = GlucoseUnit(rawValue: shown.unit) != nil
    let noise = abs(standardValue) * (isGlucose ? 0.001 : 0.0001)
    let rounding = halfStep(from: value, writtenStep, unit: unit) ?? 0
    return abs(other - standardValue) <= half + rounding + noise
  }

  /// What one more in the last digit of the value is worth, in its unit.
  ///
  /// A number does not say how many zeros it was written with, so it is at most the step in which
  /// values of the unit are usually written.
  private var writtenStep: Double {
    let isWhole = unit == PressureUnit.stored.rawValue || unit == GlucoseUnit.stored.rawValue
    let written = value.flatMap { ShownValue(JSONWriter.text($0), unit: unit)?.step } ?? 0
    return min(written, isWhole ? 1 : 0.1)
  }

  /// Half of a step from a number, in the unit of the table.
  private func halfStep(from number: Double, _ step: Double, unit: String) -> Double? {
    guard let low = Metric(type, number, unit: unit).standardValue,
      let high = Metric(type, number + step, unit: unit).standardValue
    else { return nil }
    return abs(high - low) / 2
  }

  private init<Unit: MetricUnit>(
    converting type: MetricType, _ value: Double, _ unit: Unit, _ origin: Origin
  ) {
    guard Unit.measures(type) else {
      self.init(type, value, unit: unit.rawValue, origin: origin)
      return
    }
    self.init(type, unit.convert(value, to: .stored), origin: origin)
  }

  private func converted<Unit: MetricUnit>(to wanted: Unit) -> Double? {
    guard let value, Unit.measures(type), let known = Unit(rawValue: unit) else { return nil }
    return known.convert(value, to: wanted)
  }
}

extension HealthRecord {
  /// The value of the first metric of a type in a unit of glucose.
  ///
  /// - Parameters:
  ///   - type: The metric wanted.
  ///   - unit: The unit wanted.
  /// - Returns: The value, or nil when the record has no such metric in a known unit.
  public func value(_ type: MetricType, in unit: GlucoseUnit) -> Double? {
    metric(type)?.value(in: unit)
  }

  /// The value of the first metric of a type in a unit of temperature.
  ///
  /// - Parameters:
  ///   - type: The metric wanted.
  ///   - unit: The unit wanted.
  /// - Returns: The value, or nil when the record has no such metric in a known unit.
  public func value(_ type: MetricType, in unit: TemperatureUnit) -> Double? {
    metric(type)?.value(in: unit)
  }

  /// The value of the first metric of a type in a unit of weight.
  ///
  /// - Parameters:
  ///   - type: The metric wanted.
  ///   - unit: The unit wanted.
  /// - Returns: The value, or nil when the record has no such metric in a known unit.
  public func value(_ type: MetricType, in unit: MassUnit) -> Double? {
    metric(type)?.value(in: unit)
  }

  private func metric(_ type: MetricType) -> Metric? { metrics.first { $0.type == type } }
}
