// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Nonin's Oximetry Service.
  package static let nonin = DriverModel(
    id: "nonin", name: "Nonin", required: [.noninOximetry], optional: [.noninControlPoint],
    confidence: .agreed,
    sources: ["andreasdri/nonin-3230-ble", "calebmgshort/Nonin3230Oximeter"]
  ) { context in
    LiveOximeterDriver(
      context, source: .noninOximetry, listening: WholePayloads(NoninOximetry.self),
      acceptance: .qualified,
      release: .init(.noninControlPoint, NoninOximetry.measurementComplete))
  }
}

extension GATTAttribute {
  private static let noninService = "46A970E0-0D5F-11E2-8B5E-0002A5D5C51B"
  package static let noninOximetry = GATTAttribute(
    noninService, "0AAD7EA0-0D60-11E2-8E3C-0002A5D5C51B")
  package static let noninControlPoint = GATTAttribute(
    noninService, "1447AF80-0D60-11E2-88B6-0002A5D5C51B")
}

extension NoninOximetry: OximetryPayload {
  package var moment: OximetryMoment? {
    OximetryMoment(
      sample, isQualified: status.contains(.smartPoint),
      facts: status.contains(.lowBattery) ? [.batteryLow] : [], payload: payload)
  }
}
