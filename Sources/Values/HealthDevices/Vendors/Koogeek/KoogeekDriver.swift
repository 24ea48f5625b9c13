// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DriverModel {
  /// Koogeek S1: sends weights when two of its questions were answered.
  package static let koogeekS1 = DriverModel(
    id: "koogeek-s1", name: "Koogeek S1", required: [.koogeekWeight, .koogeekAnswer],
    confidence: .captured, sources: ["KristianP26/ble-scale-sync, koogeek-s1"]
  ) { context in
    ScaleStreamDriver(
      context, steps: .facts + [.subscribe(.koogeekWeight)], sources: [.koogeekWeight],
      timeout: .seconds(2), decoder: KoogeekDecoder())
  }
}

extension GATTAttribute {
  fileprivate static let koogeekWeight = GATTAttribute("FFF0", "FFF4")
  fileprivate static let koogeekAnswer = GATTAttribute("FFF0", "FFF3")
}

private struct KoogeekDecoder: ScaleDecoder {
  func meaning(
    of bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    let frame = try KoogeekFrame(payload: bytes)
    if let answer = frame.answer {
      return .init(answers: [.writeWithoutResponse(.koogeekAnswer, answer.payload)])
    }
    guard frame.command == KoogeekFrame.Command.settled else { return .init() }
    let weight = try KoogeekMeasurement(frame)
    let reading = DeviceReading(
      kilograms: weight.kilograms, [(.bodyImpedance, weight.ohms.map(Double.init))], payload: bytes)
    return .init(
      reading.map { WeightSample($0, isSettled: true, isComplete: weight.ohms != nil) })
  }
}
