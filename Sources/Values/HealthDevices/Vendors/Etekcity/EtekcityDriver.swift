// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DriverModel {
  /// Etekcity ESF-551: weight, and then the impedance with it.
  package static let etekcityESF551 = DriverModel(
    id: "etekcity-esf551", name: "Etekcity ESF-551", required: [.etekcityWeight],
    confidence: .agreed,
    sources: ["ronnnnnnnnnnnnn/etekcity_esf551_ble", "openScale, EtekcityESF551Handler"]
  ) { context in
    ScaleStreamDriver(
      context, steps: .facts + [.subscribe(.etekcityWeight)], sources: [.etekcityWeight],
      decoder: EtekcityDecoder())
  }
}

extension GATTAttribute {
  fileprivate static let etekcityWeight = GATTAttribute("FFF0", "FFF1")
}

private struct EtekcityDecoder: ScaleDecoder {
  func meaning(
    of bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    let weight = try EtekcityWeight(payload: bytes)
    let reading = DeviceReading(
      kilograms: weight.kilograms, [(.bodyImpedance, weight.ohms.map(Double.init))], payload: bytes)
    return .init(
      reading.map {
        WeightSample($0, isSettled: weight.isMeasurement, isComplete: weight.ohms != nil)
      })
  }
}
