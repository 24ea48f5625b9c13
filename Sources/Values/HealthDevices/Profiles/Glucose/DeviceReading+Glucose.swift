// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import HealthRecords

extension DeviceReading {
  /// What a glucose record is for its user.
  package init(_ record: GlucoseRecord, dialect: GlucoseDialect = GlucoseDialect()) {
    let measurement = record.measurement
    self = Self.judged(record, dialect)
    payload = measurement.payload + (record.context?.payload ?? [])
    clock = measurement.userFacingTime?.localDateTime.map { .local($0) }
    identityTime = measurement.baseTime.localDateTime
    sequenceNumber = Int(measurement.sequenceNumber)
    findings += measurement.findings + (record.context?.findings ?? [])
    mealRelationship = record.context?.meal?.relation
  }

  private static func judged(_ record: GlucoseRecord, _ dialect: GlucoseDialect) -> DeviceReading {
    if let refusal = refusal(of: record, dialect) { return refusal }
    if dialect.marksKetones, record.context?.meal == .ketone {
      return ketone(record.measurement)
    }
    return glucose(record.measurement, range: dialect.range)
  }

  private static func refusal(
    of record: GlucoseRecord, _ dialect: GlucoseDialect
  ) -> DeviceReading? {
    let measurement = record.measurement
    if measurement.isControlSolution {
      return refused(.control, "Control solution was measured, which is no reading of a person.")
    }
    if dialect.hidesVenousPlasma, measurement.sample?.fluid == .venousPlasma {
      return refused(
        .control, "The meter keeps this result out of its own list. Measure again if in doubt.")
    }
    if dialect.marksKetones, measurement.contextFollows, record.context == nil {
      return refused(
        .malformed, "The meter did not say whether this is glucose or ketone. See its memory.")
    }
    switch measurement.outcome {
    case .failed:
      return refused(
        .failedMeasurement,
        "The meter reports a fault of strip, sample, sensor or temperature. Measure again.")
    case .absent:
      return refused(.failedMeasurement, "The record holds no result. Measure again.")
    case .concentration, .aboveRange, .belowRange: return nil
    }
  }

  private static func glucose(
    _ measurement: GlucoseMeasurement, range: ClosedRange<Double>?
  ) -> DeviceReading {
    switch measurement.outcome {
    case .aboveRange(let limit):
      return glucose(limit?.milligramsPerDeciliter, beyond: .above, shown: measurement.shown)
    case .belowRange(let limit):
      return glucose(limit?.milligramsPerDeciliter, beyond: .below, shown: measurement.shown)
    case .concentration(let concentration):
      return glucose(
        concentration.milligramsPerDeciliter, within: range, shown: measurement.shown)
    case .failed, .absent: return DeviceReading([], payload: [])
    }
  }

  /// A concentration of glucose in mg/dL; one beyond the meter's range is a bound.
  static func glucose(
    _ milligramsPerDeciliter: Double, within range: ClosedRange<Double>?,
    shown: ShownValue? = nil
  ) -> DeviceReading {
    if let range, milligramsPerDeciliter > range.upperBound {
      return glucose(range.upperBound, beyond: .above)
    }
    if let range, milligramsPerDeciliter < range.lowerBound {
      return glucose(range.lowerBound, beyond: .below)
    }
    let metric = Metric(.bloodGlucose, milligramsPerDeciliter.roundedToHundredths)
    return DeviceReading([metric.showing(shown)], payload: [])
  }

  /// What a meter shows as HI or LO: a bound in mg/dL, or without a number.
  ///
  /// The bound is kept in the meter's unit as well: above 33.3 mmol/L, not above 599.92 mg/dL.
  static func glucose(
    _ milligramsPerDeciliter: Double?, beyond bound: Metric.Bound, shown: ShownValue? = nil
  ) -> DeviceReading {
    let metric =
      milligramsPerDeciliter.map {
        Metric(.bloodGlucose, $0.roundedToHundredths, bound: bound).showing(shown)
      } ?? Metric(.bloodGlucose, absent: bound == .above ? .aboveRange : .belowRange)
    return DeviceReading([metric], payload: [])
      .marked("out_of_bounds_blood_glucose", bound == .above ? "high" : "low")
  }

  /// A ketone test of a CareSens meter.
  ///
  /// A meter of mg/dL sends ten times the mmol/L. Above 8 mmol/L it is out of range. Source:
  /// tidepool-org/uploader.
  private static func ketone(_ measurement: GlucoseMeasurement) -> DeviceReading {
    func millimoles(_ sent: GlucoseConcentration) -> Double {
      (sent.unit == .milligramsPerDeciliter ? sent.value / 10 : sent.value).roundedToHundredths
    }
    func beyond(_ limit: GlucoseConcentration?, _ bound: Metric.Bound) -> DeviceReading {
      let metric =
        limit.map { Metric(.bloodKetone, min(millimoles($0), 8), bound: bound) }
        ?? Metric(.bloodKetone, absent: bound == .above ? .aboveRange : .belowRange)
      return DeviceReading([metric], payload: [])
        .marked("out_of_bounds_blood_ketone", bound == .above ? "high" : "low")
    }
    switch measurement.outcome {
    case .aboveRange(let limit): return beyond(limit, .above)
    case .belowRange(let limit): return beyond(limit, .below)
    case .concentration(let value) where millimoles(value) > 8: return beyond(value, .above)
    case .concentration(let value):
      let shown = value.unit == .millimolesPerLiter ? measurement.shown : nil
      return DeviceReading([Metric(.bloodKetone, millimoles(value)).showing(shown)], payload: [])
    case .failed, .absent: return DeviceReading([], payload: [])
    }
  }

  private static func refused(_ reason: RejectedReading.Reason, _ message: String) -> DeviceReading
  {
    DeviceReading(rejected: reason, message, payload: [])
  }

  private func marked(_ name: String, _ value: String) -> DeviceReading {
    var reading = self
    reading.findings.append(Finding(name, value))
    return reading
  }
}

extension GlucoseMeasurement {
  /// The meter sends the unit of its display, and the digits of it.
  fileprivate var shown: ShownValue? {
    ShownValue(sentDecimal.map(MedicalNumber.decimal), unit: clinicalUnit.rawValue)
  }

  fileprivate var findings: [DeviceReading.Finding] {
    let status = sensorStatus ?? []
    let flags: [(GlucoseSensorStatus, String)] = [
      (.deviceBatteryLow, "battery_low"), (.sensorMalfunction, "sensor_malfunction"),
      (.sampleSizeInsufficient, "sample_size_insufficient"),
      (.stripInsertionError, "strip_insertion_error"),
      (.stripTypeIncorrect, "strip_type_incorrect"), (.temperatureTooHigh, "temperature_too_high"),
      (.temperatureTooLow, "temperature_too_low"), (.readInterrupted, "read_interrupted"),
      (.generalDeviceFault, "general_device_fault"), (.timeFault, "time_fault"),
    ]
    let sampleType = sample?.fluid.name.map { DeviceReading.Finding("sample_type", $0) }
    let location = sample?.location.name.map { DeviceReading.Finding("sample_location", $0) }
    return flags.filter { status.contains($0.0) }.map { .init($0.1) }
      + [sampleType, location].compactMap { $0 }
  }
}

extension Double {
  /// Without a fraction where there is none: `60`, not `60.0`.
  var shortest: String {
    Int(exactly: self).map { String($0) } ?? String(self)
  }
}

extension GlucoseMeasurementContext {
  fileprivate var findings: [DeviceReading.Finding] {
    let carbohydrates = carbohydrate?.grams.map {
      DeviceReading.Finding("carbohydrate_grams", $0.shortest)
    }
    let exercise = exercise.map {
      DeviceReading.Finding("exercise_intensity_percent", String($0.intensityPercent))
    }
    let exerciseTime = self.exercise?.duration.map {
      DeviceReading.Finding("exercise_seconds", String($0.components.seconds))
    }
    // A note of the user's, not a measurement: as a value it would be part of the record's
    // identity.
    let hba1c = hba1c?.double.map { DeviceReading.Finding("hba1c_percent", $0.shortest) }
    let named: [(String, String?)] = [
      ("carbohydrate", carbohydrate?.occasion.name), ("meal", meal == .bedtime ? "bedtime" : nil),
      ("tester", testerHealth?.tester.name), ("health", testerHealth?.health.name),
      ("medication", medication?.kind.name),
    ]
    return named.compactMap { name, value in value.map { .init(name, $0) } }
      + [carbohydrates, exerciseTime, exercise, hba1c].compactMap { $0 }
  }
}
