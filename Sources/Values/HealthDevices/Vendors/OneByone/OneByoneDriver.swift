// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DriverModel {
  /// 1byone, and Eufy C1, P1 and A1: stored weighings, then a live one.
  ///
  /// The scale keeps its stored weighings: they are not cleared, and come again the next time.
  package static let oneByone = DriverModel(
    id: "1byone", name: "1byone scale (Eufy C1, P1)",
    required: [.oneByoneWeight, .oneByoneCommand],
    confidence: .agreed,
    sources: ["openScale, OneByoneHandler", "KristianP26/ble-scale-sync, one-byone"]
  ) { context in
    ScaleStreamDriver(
      context, steps: .facts + [.subscribe(.oneByoneWeight)], sources: [.oneByoneWeight],
      opening: { time in
        // Kilograms, and the first group of people.
        let configuration: [UInt8] = [0xFD, 0x37, 0x00, 0x01, 0, 0, 0, 0, 0, 0]
        let check = Checksum.exclusiveOr.value(of: configuration)
        let clock = time.local.map { [0xF1] + OneByoneMeasurement.bytes($0) } ?? []
        return [
          .write(.oneByoneCommand, configuration + [check]), .write(.oneByoneCommand, clock),
        ]
      }, decoder: OneByoneDecoder())
  }
}

extension GATTAttribute {
  fileprivate static let oneByoneWeight = GATTAttribute("FFF0", "FFF4")
  package static let oneByoneCommand = GATTAttribute("FFF0", "FFF1")
}

private struct OneByoneDecoder: ScaleDecoder {
  func meaning(
    of bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    // The clock was set: ask for what is stored.
    if bytes == [0xF1, 0x00] { return .init(answers: [.write(.oneByoneCommand, [0xF2, 0x00])]) }
    let weight = try OneByoneMeasurement(payload: bytes)
    let reading = DeviceReading(
      kilograms: weight.kilograms, [(.bodyImpedance, weight.ohms)],
      clock: weight.dateTime?.localDateTime.map { .local($0) }, payload: bytes)
    guard weight.time.isEmpty else { return .init(stored: reading) }
    // A live weight that has not settled has no impedance yet.
    return .init(reading.map { WeightSample($0, isSettled: weight.ohms != nil) })
  }
}
