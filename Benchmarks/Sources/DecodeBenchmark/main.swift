// SPDX-License-Identifier: Apache-2.0

import DecodeComparison
import HealthGATT

try runDecoders(of: [.heartRate, .bloodPressure, .temperature, .glucose, .weight]) {
  characteristic, payload, take in
  switch characteristic {
  case .heartRate:
    let measurement = try HeartRateMeasurement(payload: payload)
    take("rate", Double(measurement.beatsPerMinute))
    if let energy = measurement.energyExpended { take("energy", Double(energy)) }
    for interval in measurement.rrIntervals ?? [] { take("interval", interval.milliseconds) }
  case .bloodPressure:
    let measurement = try BloodPressureMeasurement(payload: payload)
    take("systolic", measurement.systolic.double ?? .nan)
    take("diastolic", measurement.diastolic.double ?? .nan)
    take("mean", measurement.meanArterialPressure.double ?? .nan)
    if let time = measurement.timestamp?.dateTime { take("minute", Double(time.minutes)) }
    if let pulse = measurement.pulseRate { take("pulse", pulse.double ?? .nan) }
    if let user = measurement.userID { take("user", Double(user.rawValue)) }
    if let status = measurement.measurementStatus { take("status", Double(status.rawValue)) }
  case .temperature:
    let measurement = try TemperatureMeasurement(payload: payload)
    take("temperature", measurement.value.double ?? .nan)
    if let time = measurement.timestamp?.dateTime { take("minute", Double(time.minutes)) }
    if let type = measurement.temperatureType { take("type", Double(type.rawValue)) }
  case .glucose:
    let measurement = try GlucoseMeasurement(payload: payload)
    take("sequence", Double(measurement.sequenceNumber))
    if let time = measurement.baseTime.dateTime { take("minute", Double(time.minutes)) }
    if let offset = measurement.timeOffset { take("offset", Double(offset)) }
    if let glucose = measurement.concentration { take("mg/dL", glucose.milligramsPerDeciliter) }
    if let sample = measurement.sample { take("fluid", Double(sample.fluid.rawValue)) }
    if let status = measurement.sensorStatus { take("status", Double(status.rawValue)) }
  case .weight:
    let measurement = try WeightMeasurement(payload: payload)
    if let weight = measurement.weight { take("weight", weight.kilograms) }
    if let time = measurement.timestamp?.dateTime { take("minute", Double(time.minutes)) }
    if let user = measurement.userID { take("user", Double(user.rawValue)) }
    if let index = measurement.bodyMassIndex { take("index", index) }
  }
}
