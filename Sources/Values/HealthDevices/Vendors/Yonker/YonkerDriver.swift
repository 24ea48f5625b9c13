// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Yonker, Yongrow and METIKO.
  package static let yonkerBloodPressure = oneValue(
    id: "yonker-blood-pressure", name: "Yonker blood pressure monitors", value: .yonkerMeasurement,
    confidence: .agreed, sources: ["derdilla/blood-pressure-monitor-fl"]
  ) { bytes throws(PayloadError) in
    let value = try YonkerMeasurement(payload: bytes)
    return DeviceReading(
      systolic: value.systolic, diastolic: value.diastolic, pulseRate: value.pulseRate,
      clock: value.timestamp.localDateTime.map { .local($0) }, payload: bytes)
  }
}

extension GATTAttribute {
  package static let yonkerMeasurement = GATTAttribute(
    "CDEACD80-5235-4C07-8846-93A37EE6B86D", "CDEACD81-5235-4C07-8846-93A37EE6B86D")
}
