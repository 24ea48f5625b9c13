// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthGATT
import HealthRecords

/// What has become of one frame of a device.
enum ReadingResult: Hashable, Sendable {
  /// A reading.
  case record(HealthRecord)
  /// No reading, and why.
  case refused(RefusedReading)
  /// A frame on the way to a reading, such as the pressure of a cuff being inflated.
  case interim
}

/// Makes a record of a Blood Pressure Measurement (2A35).
struct BloodPressureReading: Sendable {
  let peripheral: BluetoothPeripheral
  let facts: DeviceFacts
  let zone: TimeZone

  /// What has become of a frame received at `date`.
  func result(of frame: [UInt8], at date: Date) -> ReadingResult {
    do throws(PayloadError) {
      return result(of: try BloodPressureMeasurement(payload: frame), at: date)
    } catch {
      return .refused(
        RefusedReading(reason: .malformed, message: error.description, frame: frame))
    }
  }

  private func result(of measurement: BloodPressureMeasurement, at date: Date) -> ReadingResult {
    guard !measurement.isFailed else {
      return .refused(
        RefusedReading(
          reason: .failedMeasurement,
          message: "The device reports that the measurement failed. Measure again.",
          frame: measurement.payload))
    }
    guard let systolic = measurement.systolicPressure, let diastolic = measurement.diastolicPressure
    else { return .interim }
    let metrics = metrics(of: measurement, systolic: systolic, diastolic: diastolic)
    guard metrics.allSatisfy(\.isPlausible) else {
      return .refused(
        RefusedReading(
          reason: .implausible,
          message: "A value is one that no living person has. Measure again.",
          frame: measurement.payload))
    }
    return .record(record(of: measurement, metrics: metrics, at: date))
  }

  private func metrics(
    of measurement: BloodPressureMeasurement, systolic: Pressure, diastolic: Pressure
  ) -> [Metric] {
    var metrics = [
      Metric(.systolic, systolic.millimetersOfMercury.roundedToHundredths),
      Metric(.diastolic, diastolic.millimetersOfMercury.roundedToHundredths),
    ]
    if let mean = measurement.meanPressure {
      metrics.append(
        Metric(.meanArterialPressure, mean.millimetersOfMercury.roundedToHundredths))
    }
    if let pulse = measurement.pulseRate?.double, pulse > 0 {
      metrics.append(Metric(.pulse, pulse))
    }
    return metrics
  }

  private func record(
    of measurement: BloodPressureMeasurement, metrics: [Metric], at date: Date
  ) -> HealthRecord {
    let deviceTime = measurement.timeStamp?.dateTime.flatMap(LocalDateTime.init)
    let clock = ReadingClock(zone: zone, driftSeconds: facts.clockDriftSeconds)
    let slot = measurement.userID.flatMap { $0 == .unknown ? nil : Int($0.rawValue) }
    let identity = RecordIdentity(
      device: facts.identity, userSlot: slot, deviceTime: deviceTime, metrics: metrics)
    // Without a time, two equal measurements could not be told apart: rather twice than lost.
    let logID = identity.isDistinguishing ? identity.logID : UUID().uuidString
    return HealthRecord(
      logID: logID, time: clock.time(deviceTime, received: date),
      source: RecordSource(
        type: .bluetooth, device: facts.device(peripheral, userSlot: slot)),
      metrics: metrics, tags: measurement.measurementStatus?.tags ?? [])
  }
}

extension BloodPressureStatus {
  /// The findings that are true, as a record names them.
  fileprivate var tags: [Tag] {
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
    return names.map { Tag(name: $0, value: "true") }
  }
}

extension Double {
  /// Two decimals are finer than any monitor and keep the conversion from kPa free of noise.
  fileprivate var roundedToHundredths: Double { (self * 100).rounded() / 100 }
}
