// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// JKS50F and oximeters built alike.
  package static let jks50f = DriverModel(
    id: "jks50f", name: "JKS50F", required: [.jks50fFrames], confidence: .captured,
    sources: ["Boerni89/ha_bt_oximeter"]
  ) { context in
    LiveOximeterDriver(
      context, source: .jks50fFrames, listening: StreamedPayloads(JKS50FFrame.self))
  }
}

extension GATTAttribute {
  package static let jks50fFrames = GATTAttribute("FFE0", "FFE1")
}

extension JKS50FFrame: OximetryPayload {
  package var moment: OximetryMoment? { OximetryMoment(sample, payload: payload) }
}
