// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Pyle PHLSCBT4, which advertises as "Samico Scales".
  package static let samicoScale = DriverModel(
    id: "samico-scale", name: "Pyle scale (Samico)", required: [.samicoWeight],
    confidence: .single, sources: ["A public Python script for \"Samico Scales\""]
  ) { context in
    ScaleStreamDriver(
      context, steps: .facts + [.subscribe(.samicoWeight)], sources: [.samicoWeight],
      decoder: SamicoDecoder())
  }
}

extension GATTAttribute {
  fileprivate static let samicoWeight = GATTAttribute("FFF0", "FFF4")
}

private struct SamicoDecoder: ScaleDecoder {
  func meaning(
    of bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    let weight = try SamicoWeight(payload: bytes)
    let reading = DeviceReading(
      kilograms: weight.kilograms, shown: weight.shown, payload: bytes)
    return .init(reading.map { WeightSample($0, isSettled: weight.isSettled) })
  }
}
