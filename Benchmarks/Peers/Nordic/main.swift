// SPDX-License-Identifier: Apache-2.0

import DecodeComparison
import Foundation
import iOS_Common_Libraries

extension Date {
  /// The minute, where the zone of the process is UTC: a Date is all that the library gives.
  fileprivate var minute: Double { Double(Int(timeIntervalSince1970) / 60 % 60) }
}

extension BitField where T.RawValue == RegisterValue {
  /// The bits, which the library gives as data only.
  fileprivate var bits: Double {
    Double(data(clippedTo: UInt16.self).reversed().reduce(0) { $0 << 8 | UInt16($1) })
  }
}

try runDecoders(of: [.heartRate, .bloodPressure, .temperature, .glucose]) {
  characteristic, payload, take in
  switch characteristic {
  case .heartRate:
    let measurement = try HeartRateMeasurement(payload)
    take("rate", Double(measurement.heartRateValue))
    if let energy = measurement.energyExpended { take("energy", Double(energy)) }
    for interval in measurement.intervals ?? [] { take("interval", interval) }
  case .bloodPressure:
    let measurement = try BloodPressureMeasurement(data: payload)
    take("systolic", measurement.systolicPressure.value)
    take("diastolic", measurement.diastolicPressure.value)
    take("mean", measurement.meanArterialPressure.value)
    if let time = measurement.date { take("minute", time.minute) }
    if let pulse = measurement.pulseRate { take("pulse", Double(pulse)) }
    if let user = measurement.userID { take("user", Double(user)) }
    if let status = measurement.status { take("status", status.bits) }
  case .temperature:
    let measurement = try TemperatureMeasurement(payload)
    take("temperature", measurement.temperature.value)
    if let time = measurement.timestamp { take("minute", time.minute) }
    if let type = measurement.location { take("type", Double(type.rawValue)) }
  case .glucose:
    let measurement = try GlucoseMeasurement(payload)
    take("sequence", Double(measurement.sequenceNumber))
    take("minute", measurement.timestamp.minute)
    if let offset = measurement.timeOffset { take("offset", offset.value) }
    if let glucose = measurement.measurement { take("mg/dL", glucose.value) }
    if let fluid = measurement.sensorType { take("fluid", Double(fluid.rawValue)) }
    if let status = measurement.status { take("status", status.bits) }
  default: throw CocoaError(.featureUnsupported)
  }
}
