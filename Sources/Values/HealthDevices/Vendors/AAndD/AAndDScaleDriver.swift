// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// The first A&D UC-352BLE, made before there was a weight scale service.
  package static let aAndDWeightScale = DriverModel(
    id: "a-and-d-weight-scale", name: "A&D's own weight scale service",
    required: [.aAndDWeightMeasurement], optional: [.aAndDWeightDateTime],
    confidence: .single, sources: ["andengineering/AndroidSampleCode@fc24d446"]
  ) { context in
    PushDriver(
      context,
      steps: [.setClock(.aAndDWeightDateTime, tolerance: 0)] + .facts
        + [.subscribe(.aAndDWeightMeasurement)],
      measurements: [.aAndDWeightMeasurement]
    ) { _, bytes, _ in DeviceReading(aAndDWeightMeasurement: bytes) }
  }
}

extension GATTAttribute {
  package static let aAndDWeightMeasurement = GATTAttribute(
    "23434100-1FE4-1EFF-80CB-00FF78297D8B", "23434101-1FE4-1EFF-80CB-00FF78297D8B")
  package static let aAndDWeightDateTime = GATTAttribute(
    "23434100-1FE4-1EFF-80CB-00FF78297D8B", "2A08")
}

extension DeviceReading {
  /// A weight in A&D's own service.
  package init(aAndDWeightMeasurement bytes: [UInt8]) {
    do throws(PayloadError) {
      let measurement = try AAndDWeightMeasurement(payload: bytes)
      self.init(
        weight: measurement.weight, shown: measurement.shown, measurement.layout, payload: bytes)
    } catch {
      self.init(error, payload: bytes)
    }
  }
}
