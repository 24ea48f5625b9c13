// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DriverModel {
  /// QN's scales (Renpho, FitIndex, Arboleaf) with service FFF0.
  package static let qnScale = qnScale(
    id: "qn-fff0", notify: GATTAttribute("FFF0", "FFF1"), write: GATTAttribute("FFF0", "FFF2"))
  /// QN's scales (Renpho, FitIndex, Arboleaf) with service FFE0.
  package static let qnScaleFFE0 = qnScale(
    id: "qn-ffe0", notify: GATTAttribute("FFE0", "FFE1"), write: GATTAttribute("FFE0", "FFE3"))

  private static func qnScale(id: String, notify: GATTAttribute, write: GATTAttribute)
    -> DriverModel
  {
    DriverModel(
      id: id, name: "QN scale (\(notify.service))", required: [notify, write],
      confidence: .agreed,
      sources: ["openScale, QNHandler", "KristianP26/ble-scale-sync, qn-scale"]
    ) { context in
      ScaleStreamDriver(
        context, steps: .facts + [.subscribe(notify)], sources: [notify], timeout: .seconds(2),
        decoder: QNDecoder(write: write))
    }
  }
}

/// Answers a QN scale's questions, and reads its weights.
///
/// The scale asks: information (12) wants the unit (13), ready (14) the time (20), a request (21)
/// the start (22). All answers repeat the byte of its protocol.
private struct QNDecoder: ScaleDecoder {
  private let write: GATTAttribute
  private var scaleProtocol: UInt8?
  private var stepsPerKilogram = 100

  init(write: GATTAttribute) { self.write = write }

  mutating func meaning(
    of bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    let frame = try QNFrame(payload: bytes)
    switch frame.opcode {
    case .information:
      learn(frame)
      // 01: kilograms.
      return answer(.configuration, [0x01, 0x10, 0x00, 0x00, 0x00])
    case .ready: return answer(.time, Self.time(time))
    case .configurationRequest: return answer(.start, [0x00, 0x03])
    case .weight: return weight(try QNWeight(frame), bytes)
    default: return .init()
    }
  }

  private mutating func learn(_ frame: QNFrame) {
    let length = frame.content.count + 3
    // Frames of 18 bytes have FF there, and their scales want 0.
    scaleProtocol = length == 18 ? 0 : frame.content.first
    guard length != 18, length != 20, frame.content.count > 8 else { return }
    stepsPerKilogram = frame.content[8] == 1 ? 100 : 10
  }

  private func answer(_ opcode: QNFrame.Opcode, _ content: [UInt8]) -> ScaleStreamDriver.Meaning {
    .init(answers: [.write(write, QNFrame(opcode, [scaleProtocol ?? 0] + content).payload)])
  }

  private func weight(_ weight: QNWeight, _ bytes: [UInt8]) -> ScaleStreamDriver.Meaning {
    let steps = weight.prefix == nil ? stepsPerKilogram : 100
    let ohms = weight.resistance1 == 0 ? nil : Double(weight.resistance1)
    let reading = DeviceReading(
      kilograms: weight.kilograms(stepsPerKilogram: steps), [(.bodyImpedance, ohms)], payload: bytes
    )
    let sample = reading.map {
      WeightSample($0, isSettled: weight.isSettled, isComplete: ohms != nil)
    }
    guard weight.isSettled, ohms != nil else { return .init(sample) }
    var meaning = answer(.stop, [0x10])
    meaning.sample = sample
    return meaning
  }

  /// Seconds since 2000-01-01T00:00:00Z, least significant byte first.
  private static func time(_ time: DriverTime) -> [UInt8] {
    let seconds = UInt32(clamping: Int((time.secondsSince1970 - 946_684_800).rounded(.down)))
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: seconds >> $0) }
  }
}
