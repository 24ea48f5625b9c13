// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import HealthRecords

extension DriverModel {
  /// The Blood Pressure Profile.
  public static let bloodPressureProfile = DriverModel(
    id: "blood-pressure-profile", name: "Blood Pressure Profile",
    required: [.bloodPressureMeasurement],
    optional: [.bloodPressureDateTime, .currentTime],
    confidence: .captured, sources: ["Bluetooth SIG, Blood Pressure Profile 1.1"],
    userNumbering: .notPublic
  ) { context in
    PushDriver(
      context, steps: .bloodPressureClocks + .bloodPressureMeasurements,
      measurements: [.bloodPressureMeasurement]
    ) { _, bytes, _ in DeviceReading(bloodPressureMeasurement: bytes) }
  }

}

extension [DriverSteps.Step] {
  /// The clock comes first: A&D's monitors want it within seconds of the encryption.
  static let bloodPressureClocks: Self = [
    .setClock(.bloodPressureDateTime, tolerance: 0),
    .setClock(.currentTime, tolerance: 30),
  ]

  /// The device's identity comes first, since a record's identifier is made of it.
  ///
  /// Measurements come last: many monitors delete one as soon as it was confirmed.
  static let bloodPressureMeasurements: Self = .facts + [.subscribe(.bloodPressureMeasurement)]
}

extension GATTAttribute {
  package static let bloodPressureMeasurement = GATTAttribute("1810", "2A35")
  /// The clock that A&D's monitors have within the Blood Pressure Service.
  package static let bloodPressureDateTime = GATTAttribute("1810", "2A08")
}

extension DeviceReading {
  /// A Blood Pressure Measurement (2A35); nil for an intermediate frame.
  package init?(bloodPressureMeasurement bytes: [UInt8]) {
    do throws(PayloadError) {
      self.init(try BloodPressureMeasurement(indicated: bytes))
      payload = bytes
    } catch {
      self.init(error, payload: bytes)
    }
  }

  /// A measurement; nil for an intermediate frame.
  package init?(_ measurement: BloodPressureMeasurement) {
    let payload = measurement.payload
    if measurement.isFailed {
      self.init(
        rejected: .failedMeasurement,
        "The device reports that the measurement failed. Measure again.", payload: payload)
    } else {
      guard measurement.hasResult else { return nil }
      self.init(measurement.values, payload: payload)
    }
    clock = measurement.timestamp?.localDateTime.map { .local($0) }
    note(measurement.userID)
    findings = measurement.measurementStatus?.findings ?? []
  }
}

extension BloodPressureMeasurement {
  /// Reads what 2A35 indicated, in the specified layout or in that of Beurer's BM85.
  init(indicated bytes: [UInt8]) throws(PayloadError) {
    self =
      BeurerMeasurement.matches(bytes)
      ? try BeurerMeasurement(payload: bytes).measurement : try Self(payload: bytes)
  }

  fileprivate var values: [Metric] {
    let pressures: [(MetricType, Pressure?, MedicalFloat16)] = [
      (.systolic, systolicPressure, systolic), (.diastolic, diastolicPressure, diastolic),
      (.meanArterialPressure, meanPressure, meanArterialPressure),
    ]
    let values = pressures.compactMap { type, pressure, sent in
      pressure.map {
        Metric(type, $0.millimetersOfMercury.roundedToHundredths)
          .showing(ShownValue(sent.number, unit: unit.rawValue))
      }
    }
    guard let pulse = pulseRate?.double, pulse > 0 else { return values }
    return values + [Metric(.pulse, pulse)]
  }
}

extension BloodPressureStatus {
  /// The findings that are true.
  package var findings: [DeviceReading.Finding] {
    var names: [String] = []
    if contains(.bodyMovement) { names.append("body_movement") }
    if contains(.cuffTooLoose) { names.append("cuff_too_loose") }
    if contains(.irregularPulse) { names.append("irregular_pulse") }
    if contains(.improperPosition) { names.append("improper_position") }
    switch pulseRateRange {
    case .exceedsUpperLimit: names.append("pulse_rate_exceeds_upper_limit")
    case .belowLowerLimit: names.append("pulse_rate_below_lower_limit")
    case .withinRange, .reserved: break
    }
    return names.map { .init($0) }
  }
}

extension Double {
  /// Two decimals are finer than any device shows, and keep conversions free of noise.
  package var roundedToHundredths: Double { (self * 100).rounded() / 100 }
}
