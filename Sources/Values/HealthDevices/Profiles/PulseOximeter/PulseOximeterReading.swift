// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
package import HealthRecords

extension DeviceReading {
  /// A finished measurement.
  package init(_ measurement: PLXSpotCheckMeasurement) {
    let payload = measurement.payload
    if let (reason, message) = measurement.rejection {
      self.init(rejected: reason, message, payload: payload)
    } else {
      self.init(
        measurement.oximetry.values(measurement.pulseAmplitudeIndex), payload: payload)
      findings = measurement.circumstances.findings
    }
    clock = measurement.dateTime?.localDateTime.map { .local($0) }
  }

  /// The stable moment of a stream.
  package init(_ measurement: PLXContinuousMeasurement) {
    self.init(
      measurement.normal.values(measurement.pulseAmplitudeIndex), clock: .age(0),
      payload: measurement.payload)
    findings = measurement.circumstances.findings
  }
}

extension PulseOximetry {
  /// Oxygen saturation, pulse rate, and the perfusion where it is known.
  package func values(_ pulseAmplitudeIndex: MedicalFloat16? = nil) -> [Metric] {
    let all: [(MetricType, Double?)] = [
      (.oxygenSaturation, percent), (.pulse, beatsPerMinute),
      (.perfusionIndex, pulseAmplitudeIndex?.double.flatMap { $0 > 0 ? $0 : nil }),
    ]
    return all.compactMap { type, value in value.map { Metric(type, $0) } }
  }
}

extension PLXSpotCheckMeasurement {
  /// Why it is no reading; nil for a reading.
  fileprivate var rejection: (RejectedReading.Reason, String)? {
    let status = measurementStatus ?? []
    let sensor = deviceAndSensorStatus ?? []
    if !status.isDisjoint(with: [.dataForDemonstration, .dataForTesting]) {
      return (.control, "The oximeter demonstrates or tests itself. Switch it to normal use.")
    }
    if !sensor.isDisjoint(with: .unusable) || oximetry.isWithoutNumbers {
      return (.noSignal, "There was no finger in the sensor, or it sat badly. Measure again.")
    }
    if !status.isDisjoint(with: .unusable) {
      return (.failedMeasurement, "The oximeter takes the measurement back. Measure again.")
    }
    guard !oximetry.hasResult else { return nil }
    return (.outOfRange, "The oximeter gives no number that can be. Measure again.")
  }
}

extension PulseOximetry {
  fileprivate var isWithoutNumbers: Bool {
    [oxygenSaturation.number, pulseRate.number].contains(.notANumber)
  }
}

extension PLXCircumstances {
  /// What is worth knowing of a reading's signal.
  var findings: [DeviceReading.Finding] {
    let sensor = deviceAndSensorStatus ?? []
    let names: [(PLXDeviceAndSensorStatus, String)] = [
      (.signalProcessingIrregularityDetected, "signal_processing_irregularity"),
      (.inadequateSignalDetected, "inadequate_signal"), (.poorSignalDetected, "poor_signal"),
      (.lowPerfusionDetected, "low_perfusion"), (.erraticSignalDetected, "erratic_signal"),
      (.nonpulsatileSignalDetected, "nonpulsatile_signal"),
      (.questionablePulseDetected, "questionable_pulse"),
      (.sensorInterferenceDetected, "sensor_interference"),
    ]
    let estimate: [DeviceReading.Finding] =
      (measurementStatus ?? []).contains(.earlyEstimateData) ? [.init("early_estimate")] : []
    return estimate + names.filter { sensor.contains($0.0) }.map { .init($0.1) }
  }
}
