// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// The AET-WD thermometers.
  package static let aetThermometer = DriverModel(
    id: "aet-thermometer", name: "AET-WD thermometer", required: [.aetTemperature],
    confidence: .single, sources: ["weliem/LivecareBluetoothSDK"]
  ) { context in
    LiveThermometerDriver(context, results: [.aetTemperature]) { bytes in
      (try? AETTemperature(payload: bytes)).map {
        DeviceReading(celsius: $0.celsius, payload: bytes)
      }
    }
  }
}

extension GATTAttribute {
  package static let aetTemperature = GATTAttribute("FFF0", "FFF3")
}
