// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Samico, sold by Pyle among others.
  package static let samicoBloodPressure = oneValue(
    id: "samico-blood-pressure", name: "Samico blood pressure monitors", value: .samicoMeasurement,
    confidence: .single, sources: ["Bp_PyleCommunicator"]
  ) { bytes throws(PayloadError) in
    guard
      case .result(let systolic, let diastolic, _, let pulseRate, _) = try SamicoMeasurement(
        payload: bytes)
    else { return nil }
    return DeviceReading(
      systolic: systolic, diastolic: diastolic, pulseRate: pulseRate, payload: bytes)
  }
}

extension GATTAttribute {
  package static let samicoMeasurement = GATTAttribute("FFF0", "FFF4")
}
