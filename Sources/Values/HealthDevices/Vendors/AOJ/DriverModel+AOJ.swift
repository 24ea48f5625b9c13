// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// The AOJ-20A thermometer.
  package static let aojThermometer = DriverModel(
    id: "aoj-thermometer", name: "AOJ-20A thermometer", required: [.aojMessage],
    confidence: .agreed, sources: ["weliem/LivecareBluetoothSDK", "Viatom, Lepu SDK"]
  ) { context in
    LiveThermometerDriver(context, results: [.aojMessage]) { DeviceReading(aoj: $0) }
  }
}

extension GATTAttribute {
  /// Messages of an AOJ-20A.
  package static let aojMessage = GATTAttribute("FFE0", "FFE1")
}

extension DeviceReading {
  /// A message of an AOJ-20A; nil for one that is no result.
  init?(aoj bytes: [UInt8]) {
    guard let result = try? AOJTemperature(payload: bytes) else { return nil }
    guard result.isBodyTemperature else {
      self.init(
        rejected: .noSignal, "The thermometer measured an object. Switch it to measure a person.",
        payload: bytes)
      return
    }
    self.init(celsius: result.celsius, payload: bytes)
    findings = [Finding("sample_location", result.mode == .ear ? "ear" : "forehead")]
  }
}
