// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// FS20F and oximeters built alike.
  package static let fs20f = DriverModel(
    id: "fs20f", name: "FS20F", required: [.fs20fOximetry], confidence: .single,
    sources: ["weliem/LivecareBluetoothSDK"]
  ) { context in
    LiveOximeterDriver(
      context, source: .fs20fOximetry, listening: WholePayloads(FS20FOximetry.self))
  }
}

extension GATTAttribute {
  package static let fs20fOximetry = GATTAttribute("FFE0", "FFE4")
}

extension FS20FOximetry: OximetryPayload {
  package var moment: OximetryMoment? { OximetryMoment(sample, payload: payload) }
}
