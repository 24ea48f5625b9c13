// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// An O2Ring-S: like the real one, it does not answer requests in a wrong order.
package struct VirtualOxyIIRing: VirtualDeviceLogic {
  private static let chunkCount = 512
  /// The longest notification at an MTU of 185, which iOS always reaches.
  private static let notificationCount = 182

  private let serialNumber: String
  private var clock: VirtualClock
  private var files: [VirtualO2Ring.File]
  private var open: VirtualO2Ring.File?
  /// The commands received since the connection began.
  private var receivedCommands: Set<UInt8> = []
  private var finger: VirtualLiveOximeter.Finger?
  private var polls = 0
  private var isOn = true
  private var assembler = FrameAssembler<LepuFrame>()

  /// Makes a ring that is not worn, and that has left its newest recording open.
  package init(serialNumber: String, files: [VirtualO2Ring.File], clock: VirtualClock) {
    self.serialNumber = serialNumber
    self.files = files
    self.clock = clock
    open = files.last
  }

  package var isAdvertising: Bool { isOn }

  package var services: [VirtualService] {
    [
      VirtualService(
        GATTAttribute.oxyIIRequests.service,
        [
          VirtualCharacteristic(GATTAttribute.oxyIIRequests.characteristic, .writeWithoutResponse),
          VirtualCharacteristic(GATTAttribute.oxyIIAnswers.characteristic, .notify),
        ])
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      finger = VirtualLiveOximeter.Finger(number: number)
      polls = 0
      isOn = true
      return []
    case .subscribed(.oxyIIAnswers): return [.report(.subscribed)]
    case .written(.oxyIIRequests, let bytes):
      return [.accept] + assembler.received(bytes).flatMap { answer($0, at: time) }
    case .disconnected:
      receivedCommands = []
      open = nil
      finger = nil
      isOn = false
      return [.report(.transferred(measurements: files.count))]
    case .read, .written: return [.refuse(0x13)]
    case .subscribed, .unsubscribed, .remember, .pairingMode, .timeReached: return []
    }
  }

  private mutating func answer(
    _ request: LepuFrame, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard request.direction == 0 else { return [] }
    receivedCommands.insert(request.command)
    switch request.command {
    case 0x10: return reply(request)
    case 0x00: return reply(request, [UInt8](repeating: 0x5A, count: 40))
    case 0xC0: return setClock(request, at: time)
    case 0xE1: return reply(request, information(at: time))
    case 0xF1: return open == nil ? reply(request, list) : []
    case 0xF2: return openFile(request)
    case 0xF3: return readFile(request)
    case 0xF4:
      open = nil
      return reply(request)
    case 0x04: return reply(request, live())
    default: return []
    }
  }

  private func reply(
    _ request: LepuFrame, _ content: [UInt8] = []
  ) -> [VirtualDeviceOutput] {
    let frame = try? LepuFrame(
      command: request.command, direction: 1, sequence: request.sequence, content: content)
    return (frame?.payload ?? []).cut(into: Self.notificationCount).map { .send(.oxyIIAnswers, $0) }
  }

  private mutating func setClock(
    _ request: LepuFrame, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard request.content.count == 8,
      let shown = (try? DateTime(payload: request.content.prefix(7)))?.localDateTime,
      clock.set(shown, at: time)
    else { return [] }
    return [.report(.clockSet)] + reply(request)
  }

  private func information(at time: DriverTime) -> [UInt8] {
    OxyIIInformation(
      firmwareRevision: "2D010002", clock: Timestamp(clock.time(at: time)),
      serialNumber: serialNumber
    ).payload
  }

  private var list: [UInt8] {
    [UInt8(files.count)] + files.flatMap { OxyIIRing.slot($0.name) }
  }

  /// Answers only after the required requests, and if no live values were requested.
  private mutating func openFile(_ request: LepuFrame) -> [VirtualDeviceOutput] {
    guard receivedCommands.isSuperset(of: [0xFF, 0x10, 0x00]), !receivedCommands.contains(0x04),
      open == nil,
      request.content.count == 20
    else { return [] }
    open = files.first { OxyIIRing.slot($0.name) == Array(request.content.prefix(16)) }
    guard let open else { return [] }
    var writer = PayloadWriter()
    writer.uint32(UInt32(open.bytes.count))
    return reply(request, writer.bytes + [0, 0, 0, 0])
  }

  private func readFile(_ request: LepuFrame) -> [VirtualDeviceOutput] {
    var reader = PayloadReader(request.content)
    guard let open, let offset = try? reader.uint32(field: "Offset") else { return [] }
    return reply(
      request, Array(open.bytes.dropFirst(Int(offset)).prefix(Self.chunkCount)))
  }

  private mutating func live() -> [UInt8] {
    polls += 1
    let shown = polls > 2 ? finger : nil
    return OxyIILiveReading(
      saturation: shown?.saturation ?? 0, pulseRate: shown?.pulseRate ?? 0, battery: 80,
      isWorn: finger != nil
    ).payload
  }
}
