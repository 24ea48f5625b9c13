// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Renpho R-MSC04, ES-CS20M and their kin: the weight of the moment.
  package static let renphoScale = DriverModel(
    id: "renpho-55aa", name: "Renpho scale (1A10)",
    required: [.renphoLive, .renphoFinal, .renphoCommand], confidence: .captured,
    sources: ["KristianP26/ble-scale-sync", "openScale, ESCS20MHandler"]
  ) { context in
    ScaleStreamDriver(
      context,
      steps: .facts + [
        .subscribe(.renphoLive), .subscribe(.renphoFinal),
        .write(.renphoCommand, RenphoFrame.start.payload),
      ], sources: [.renphoLive, .renphoFinal], decoder: RenphoDecoder())
  }
}

extension GATTAttribute {
  fileprivate static let renphoLive = GATTAttribute("1A10", "2A10")
  fileprivate static let renphoFinal = GATTAttribute("1A10", "2A12")
  fileprivate static let renphoCommand = GATTAttribute("1A10", "2A11")
}

private struct RenphoDecoder: ScaleDecoder {
  func meaning(
    of bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    let frame = try RenphoFrame(payload: bytes)
    let reading = DeviceReading(kilograms: frame.kilograms, payload: bytes)
    return .init(reading.map { WeightSample($0, isSettled: frame.isFinalWeight) })
  }
}
