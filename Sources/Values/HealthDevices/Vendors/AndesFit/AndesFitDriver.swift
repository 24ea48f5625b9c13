// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// AndesFit ADF-B19 and BPM_01.
  package static let andesFitBloodPressure = oneValue(
    id: "andesfit-blood-pressure", name: "AndesFit blood pressure monitors",
    value: .andesFitPressure, confidence: .single, sources: ["weliem/LivecareBluetoothSDK"]
  ) { bytes throws(PayloadError) in
    // All other values are on the way to a measurement.
    guard bytes.count == 18, let value = try? AndesFitMeasurement(payload: bytes) else {
      return nil
    }
    return DeviceReading(
      systolic: value.systolic, diastolic: value.diastolic, pulseRate: value.pulseRate,
      payload: bytes)
  }
}

extension GATTAttribute {
  package static let andesFitPressure = GATTAttribute("FFF0", "FFF1")
}
