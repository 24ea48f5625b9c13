// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Viatom PC-60FW, PC-60NW and POD.
  package static let pc60 = DriverModel(
    id: "viatom-pc60", name: "Viatom PC-60FW", required: [.pc60Frames], confidence: .agreed,
    sources: ["sza2/viatom_pc60fw"]
  ) { context in
    LiveOximeterDriver(
      context, source: .pc60Frames, listening: StreamedPayloads(PC60Frame.self))
  }
}

extension GATTAttribute {
  /// What a device sends over the Nordic UART service.
  package static let pc60Frames = GATTAttribute(
    "6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
}

extension PC60Frame: OximetryPayload {
  package var moment: OximetryMoment? {
    values.map { _ in OximetryMoment(sample, payload: payload) }
  }
}
