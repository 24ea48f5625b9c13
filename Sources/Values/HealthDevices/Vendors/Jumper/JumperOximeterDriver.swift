// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Jumper JPD-500E/F/G and oximeters built alike.
  package static let jumperOximeter = DriverModel(
    id: "jumper-oximeter", name: "Jumper JPD-500", required: [.jumperOximetry],
    confidence: .agreed,
    sources: ["SensorsIot/Oximeters-BLE-Hack-ESP32", "inobotica/ble-oximeter"]
  ) { context in
    LiveOximeterDriver(
      context, source: .jumperOximetry, listening: WholePayloads(JumperOximetry.self))
  }
}

extension GATTAttribute {
  package static let jumperOximetry = GATTAttribute(
    "CDEACB80-5235-4C07-8846-93A37EE6B86D", "CDEACB81-5235-4C07-8846-93A37EE6B86D")
}

extension JumperOximetry: OximetryPayload {
  package var moment: OximetryMoment? {
    values.map { _ in OximetryMoment(sample, payload: payload) }
  }
}
