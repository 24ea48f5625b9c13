// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Jumper JPD-HA120.
  package static let jumperBloodPressure = oneValue(
    id: "jumper-blood-pressure", name: "Jumper JPD-HA120", value: .jumperPressure,
    confidence: .single, sources: ["weliem/LivecareBluetoothSDK"]
  ) { bytes throws(PayloadError) in
    switch try JumperPressureReply(payload: bytes) {
    case .result(let systolic, let diastolic, let pulseRate, _):
      DeviceReading(
        systolic: systolic, diastolic: diastolic, pulseRate: pulseRate, payload: bytes)
    case .failed:
      DeviceReading(
        rejected: .failedMeasurement,
        "The device reports that the measurement failed. Measure again.", payload: bytes)
    case .switchedOff: nil
    }
  }
}

extension GATTAttribute {
  package static let jumperPressure = GATTAttribute("FFF0", "FFF1")
}
