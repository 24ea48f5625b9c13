// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A Viatom BP2, which can be found while it is switched on.
///
/// It does not answer requests for its file during a measurement, and splits its answers over
/// several notifications.
package struct VirtualBP2: VirtualDeviceLogic {
  private static let requests = GATTAttribute.bp2Requests
  private static let answers = GATTAttribute.bp2Answers
  private static let pieceCount = 20
  private static let partCount = 200
  /// The file's name, ended with zeros.
  private static let nameCount = 20

  private var clock: VirtualClock
  private var file: [UInt8]
  private var isFileOpen = false
  private var showsResult = false
  private var assembler = FrameAssembler<LepuFrame>()

  /// A monitor that keeps some places of its file, each of 37 bytes.
  package init(places: [[UInt8]], clock: VirtualClock) {
    self.clock = clock
    file = [0x01, 0x01] + [UInt8](repeating: 0, count: 8) + places.joined()
  }

  package var isAdvertising: Bool { true }

  package var services: [VirtualService] {
    [
      VirtualService(
        Self.requests.service,
        [
          VirtualCharacteristic(
            Self.requests.characteristic, [.write, .writeWithoutResponse]),
          VirtualCharacteristic(Self.answers.characteristic, .notify),
        ])
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      file += place(number, at: time)
      showsResult = true
      return []
    case .remember(let places):
      file += places.joined()
      return []
    case .subscribed(Self.answers): return [.report(.subscribed)]
    case .written(Self.requests, let bytes):
      return assembler.received(bytes).flatMap { answer($0, at: time) }
    case .disconnected(let allArrived):
      isFileOpen = false
      showsResult = false
      return allArrived ? [.report(.transferred(measurements: (file.count - 10) / 37))] : []
    case .read, .written: return [.refuse(0x06)]
    case .pairingMode, .subscribed, .unsubscribed, .timeReached: return []
    }
  }

  private mutating func answer(
    _ request: LepuFrame, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard let content = content(of: request, at: time),
      let frame = try? LepuFrame(
        command: request.command, direction: 1, sequence: request.sequence, content: content)
    else { return [] }
    let bytes = frame.payload
    let events: [VirtualDeviceOutput] = request.command == 0xEC ? [.report(.clockSet)] : []
    return events
      + stride(from: 0, to: bytes.count, by: Self.pieceCount).map {
        .send(Self.answers, Array(bytes[$0..<min($0 + Self.pieceCount, bytes.count)]))
      }
  }

  /// The answer's payload; nil where a BP2 does not answer.
  private mutating func content(of request: LepuFrame, at time: DriverTime) -> [UInt8]? {
    switch request.command {
    case 0xE1: return information(at: time)
    case 0xEC:
      guard let shown = (try? DateTime(payload: request.content))?.localDateTime,
        clock.set(shown, at: time)
      else { return nil }
      return []
    case 0x30: return [0xCE, 0x0A, 0x83, 0x0E]
    case 0x00: return [UInt8](repeating: 0, count: 39) + [showsResult ? 5 : 3]
    case 0xF2:
      let name = Array(BP2File.name.utf8)
      guard request.content.count == Self.nameCount, request.content.starts(with: name) else {
        return nil
      }
      isFileOpen = true
      return bytes(UInt32(clamping: file.count))
    case 0xF3:
      guard isFileOpen, let offset = try? offset(in: request.content) else { return nil }
      return Array(file.dropFirst(offset).prefix(Self.partCount))
    case 0xF4:
      isFileOpen = false
      return []
    default: return nil
    }
  }

  private func information(at time: DriverTime) -> [UInt8] {
    var bytes = [UInt8](frame: "42 00 01 01 01 00 00 01 00 33323132 30303131 05 0000")
    bytes += [0x22, 0x86, 0x03, 0x01] + Timestamp(clock.time(at: time)).bytes
    bytes += [0x02, 0x01, 0, 0, 0, 0, 10] + Array("2523C00812".utf8)
    return bytes + [UInt8](repeating: 0, count: max(60 - bytes.count, 0))
  }

  private func offset(in content: [UInt8]) throws(PayloadError) -> Int {
    var reader = PayloadReader(content)
    return Int(try reader.uint32(field: "Offset"))
  }

  private func bytes(_ number: UInt32) -> [UInt8] {
    var writer = PayloadWriter()
    writer.uint32(number)
    return writer.bytes
  }

  private func place(_ number: Int, at time: DriverTime) -> [UInt8] {
    let values = SimulatedPressure(number)
    var writer = PayloadWriter()
    writer.uint32(UInt32(clamping: clock.secondsSince1970(at: time)))
    writer.uint32(7)
    writer.append([UInt8](repeating: 0, count: 5))
    writer.uint16(UInt16(values.systolic))
    writer.uint16(UInt16(values.diastolic))
    writer.uint16((UInt16(values.systolic) + 2 * UInt16(values.diastolic)) / 3)
    writer.uint16(UInt16(values.pulseRate))
    writer.append([UInt8](repeating: 0, count: 16))
    return writer.bytes
  }
}
