// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DriverModel {
  /// Runstar R6: live weights, results and stored measurements, which it forgets when they are
  /// acknowledged.
  package static let icomonScale = DriverModel(
    id: "icomon", name: "ICOMON scale (FFB0, 20 bytes)",
    required: [.icomonCommand, .icomonLive, .icomonResult], confidence: .agreed,
    sources: ["openScale, RunstarR6Handler", "KristianP26/ble-scale-sync, robi-s9"]
  ) { context in
    ScaleStreamDriver(
      context, steps: .facts + [.subscribe(.icomonLive), .subscribe(.icomonResult)],
      sources: [.icomonLive, .icomonResult], decoder: ICOMONDecoder())
  }

  /// Hutbit and its kin: a weight, and then the impedance.
  package static let hutbit = DriverModel(
    id: "hutbit", name: "Hutbit scale (FFB0, 8 bytes)",
    required: [.icomonCommand, .icomonLive], confidence: .captured,
    sources: ["KristianP26/ble-scale-sync, hutbit"]
  ) { context in
    let requests: [[UInt8]] = [
      [0xFA, 0x01], [0xFB, 0x02, 0x1F, 0xA5], [0xFD, 0xE2, 0x01, 0x01], [0xFC, 0x01], [0xFE, 0x06],
    ]
    return ScaleStreamDriver(
      context,
      steps: .facts + [.subscribe(.icomonLive)]
        + requests.flatMap {
          [
            .write(.icomonCommand, HutbitFrame(request: $0).payload),
            .pause(.milliseconds(150)),
          ]
        }, sources: [.icomonLive], decoder: HutbitDecoder())
  }
}

extension GATTAttribute {
  fileprivate static let icomonCommand = GATTAttribute("FFB0", "FFB1")
  fileprivate static let icomonLive = GATTAttribute("FFB0", "FFB2")
  fileprivate static let icomonResult = GATTAttribute("FFB0", "FFB3")
}

private struct ICOMONDecoder: ScaleDecoder {
  private var sequence: UInt8 = 0

  mutating func meaning(
    of bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    let frame = try ICOMONFrame(payload: bytes)
    guard frame.type != 0xA4 else { return stored(frame) }
    let reading = DeviceReading(
      kilograms: frame.kilograms,
      [(.pulse, frame.heartRate.map(Double.init)), (.bodyImpedance, frame.ohms.map(Double.init))],
      payload: bytes)
    var meaning = ScaleStreamDriver.Meaning(
      reading.map {
        WeightSample($0, isSettled: frame.isSettled, isComplete: frame.type == 0xA3)
      })
    if frame.type == 0xA3 { meaning.answersOnceStored = [acknowledgement(of: frame)] }
    if frame.type == 0xA1 { meaning.answers = [acknowledgement(of: frame)] }
    return meaning
  }

  private mutating func stored(_ frame: ICOMONFrame) -> ScaleStreamDriver.Meaning {
    let clock = frame.storedSeconds.map { DeviceReading.Clock.universal(Double($0)) }
    let refused = DeviceReading(
      rejected: .malformed, "A stored measurement has no weight in it.", payload: frame.payload)
    var meaning = ScaleStreamDriver.Meaning()
    meaning.stored =
      DeviceReading(kilograms: frame.kilograms, clock: clock, payload: frame.payload) ?? refused
    meaning.answersOnceStored = [acknowledgement(of: frame)]
    return meaning
  }

  private mutating func acknowledgement(of frame: ICOMONFrame) -> DriverAction {
    defer { sequence &+= 1 }
    return .write(.icomonCommand, frame.acknowledgement(sequence: sequence).payload)
  }
}

private struct HutbitDecoder: ScaleDecoder {
  func meaning(
    of bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    let frame = try HutbitFrame(payload: bytes)
    var meaning = ScaleStreamDriver.Meaning()
    if let reading = DeviceReading(kilograms: frame.kilograms, payload: bytes) {
      meaning.sample = WeightSample(reading, isSettled: frame.isSettled, isComplete: false)
    }
    if let ohms = frame.ohms, (150...1200).contains(ohms) {
      meaning.rest = [Metric(.bodyImpedance, Double(ohms))]
    }
    if frame.hasNoContact { meaning.rest = [] }
    return meaning
  }
}
