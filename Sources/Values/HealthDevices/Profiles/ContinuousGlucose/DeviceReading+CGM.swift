// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
package import HealthGATT
import HealthRecords

extension DeviceReading {
  /// What a record of a continuous glucose monitor is for its user.
  package init(_ record: CGMRecord, in session: CGMSession, of sensor: CGMSensor) {
    self = Self.judged(record, sensor)
    payload = CGMMeasurement(record).payload
    clock = session.clock(at: record.timeOffset)
    identityTime = LocalDateTime(secondsSince1970: session.start)
    sequenceNumber = Int(record.timeOffset)
    isContinuousGlucose = true
    findings += record.findings + sensor.findings(at: record.timeOffset)
  }

  private static func judged(_ record: CGMRecord, _ sensor: CGMSensor) -> DeviceReading {
    if sensor.feature?.fluid == .controlSolution || sensor.feature?.location == .controlSolution {
      return DeviceReading(
        rejected: .control,
        "The sensor measures control solution, which is no reading of a person.", payload: [])
    }
    switch record.outcome {
    case .concentration(let value): return glucose(value.milligramsPerDeciliter, within: nil)
    case .aboveRange(let limit): return glucose(limit?.milligramsPerDeciliter, beyond: .above)
    case .belowRange(let limit): return glucose(limit?.milligramsPerDeciliter, beyond: .below)
    case .failed:
      return DeviceReading(
        rejected: .failedMeasurement,
        "The sensor reports a fault of its own or a wrong temperature. See its app or manual.",
        payload: [])
    case .absent:
      return DeviceReading(
        rejected: .failedMeasurement, "The record holds no result. Wait for the next one.",
        payload: [])
    }
  }
}

extension CGMRecord {
  fileprivate var findings: [DeviceReading.Finding] {
    let flags: [(CGMSensorStatus, String)] = [
      (.sessionStopped, "session_stopped"), (.deviceBatteryLow, "battery_low"),
      (.sensorTypeIncorrect, "sensor_type_incorrect"), (.sensorMalfunction, "sensor_malfunction"),
      (.deviceSpecificAlert, "device_specific_alert"),
      (.generalDeviceFault, "general_device_fault"),
      (.calibrationRecommended, "calibration_recommended"),
      (.calibrationRequired, "calibration_required"),
      (.temperatureTooHigh, "temperature_too_high"), (.temperatureTooLow, "temperature_too_low"),
      (.belowPatientLowLevel, "below_patient_low_level"),
      (.abovePatientHighLevel, "above_patient_high_level"),
      (.belowHypoLevel, "below_hypo_level"), (.aboveHyperLevel, "above_hyper_level"),
      (.rateOfDecreaseExceeded, "rate_of_decrease_exceeded"),
      (.rateOfIncreaseExceeded, "rate_of_increase_exceeded"),
    ]
    let numbers: [(String, Double?)] = [
      ("trend_mg_dl_per_minute", trend?.double), ("quality_percent", quality?.double),
    ]
    return flags.filter { sensorStatus.contains($0.0) }.map { .init($0.1) }
      + numbers.compactMap { name, value in value.map { .init(name, $0.shortest) } }
  }
}

extension CGMSensor {
  /// What is true of all records, and whether one was made after the time for which the sensor is
  /// made.
  fileprivate func findings(at timeOffset: UInt16) -> [DeviceReading.Finding] {
    let places = [
      ("sample_type", feature?.fluid.name), ("sample_location", feature?.location.name),
    ]
    let isOverdue = runTime.map { Int(timeOffset) > Int($0.hours) * 60 } ?? false
    return places.compactMap { name, value in value.map { .init(name, $0) } }
      + (isOverdue ? [.init("session_run_time_exceeded")] : [])
  }
}
