// SPDX-License-Identifier: Apache-2.0

import HealthGATT

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

  /// Pyle PHLSCBT4, which advertises as "Samico Scales".
  package static let samicoScale = DriverModel(
    id: "samico-scale", name: "Pyle scale (Samico)", required: [.samicoWeight],
    confidence: .single, sources: ["A public Python script for \"Samico Scales\""]
  ) { context in
    ScaleStreamDriver(
      context, steps: .facts + [.subscribe(.samicoWeight)], sources: [.samicoWeight],
      decoder: SamicoDecoder())
  }

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

extension Attribute {
  fileprivate static let koogeekWeight = Attribute("FFF0", "FFF4")
  fileprivate static let koogeekAnswer = Attribute("FFF0", "FFF3")
  fileprivate static let samicoWeight = Attribute("FFF0", "FFF4")
  fileprivate static let etekcityWeight = Attribute("FFF0", "FFF1")
}

private struct KoogeekDecoder: ScaleDecoder {
  func meaning(
    of bytes: [UInt8], from attribute: Attribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    let frame = try KoogeekFrame(payload: bytes)
    if let answer = frame.answer {
      return .init(answers: [.writeWithoutResponse(.koogeekAnswer, answer.payload)])
    }
    guard frame.command == KoogeekFrame.Command.settled else { return .init() }
    let weight = try KoogeekMeasurement(frame)
    let reading = DeviceReading(
      kilograms: weight.kilograms, [(.impedance, weight.ohms.map(Double.init))], payload: bytes)
    return .init(
      reading.map { WeightSample($0, isSettled: true, isComplete: weight.ohms != nil) })
  }
}

private struct SamicoDecoder: ScaleDecoder {
  func meaning(
    of bytes: [UInt8], from attribute: Attribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    let weight = try SamicoWeight(payload: bytes)
    let reading = DeviceReading(kilograms: weight.kilograms, payload: bytes)
    return .init(reading.map { WeightSample($0, isSettled: weight.isSettled) })
  }
}

private struct EtekcityDecoder: ScaleDecoder {
  func meaning(
    of bytes: [UInt8], from attribute: Attribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    let weight = try EtekcityWeight(payload: bytes)
    let reading = DeviceReading(
      kilograms: weight.kilograms, [(.impedance, weight.ohms.map(Double.init))], payload: bytes)
    return .init(
      reading.map {
        WeightSample($0, isSettled: weight.isMeasurement, isComplete: weight.ohms != nil)
      })
  }
}
