// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// An O2Ring: answers one request at a time and never deletes its recordings.
package struct VirtualO2Ring: VirtualDeviceLogic {
  /// A recording in the ring.
  package struct File: Hashable, Sendable {
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  private static let blockCount = 240

  private let serialNumber: String
  private let supportsWave: Bool
  private var clock: VirtualClock
  private var files: [File]
  private var open: File?
  private var finger: VirtualLiveOximeter.Finger?
  private var polls = 0
  private var isOn = true
  private var assembler = FrameAssembler<ViatomFrame>()

  /// Makes a ring that is not worn.
  ///
  /// - Parameters:
  ///   - serialNumber: The serial number.
  ///   - files: Its recordings, oldest first.
  ///   - supportsWave: Whether its firmware knows command 1B; older ones know 17 only.
  ///   - clock: Its clock.
  package init(
    serialNumber: String, files: [File], supportsWave: Bool = true, clock: VirtualClock
  ) {
    self.serialNumber = serialNumber
    self.files = files
    self.supportsWave = supportsWave
    self.clock = clock
  }

  package var isAdvertising: Bool { isOn }

  package var services: [VirtualService] {
    [
      VirtualService(
        GATTAttribute.viatomRequests.service,
        [
          VirtualCharacteristic(
            GATTAttribute.viatomRequests.characteristic, [.write, .writeWithoutResponse]),
          VirtualCharacteristic(GATTAttribute.viatomAnswers.characteristic, .notify),
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
    case .remember(let recordings):
      files += recordings.compactMap { bytes in
        (try? ViatomRecording(payload: bytes)).map { File(name: $0.fileName, bytes: bytes) }
      }
      isOn = true
      return []
    case .subscribed(.viatomAnswers): return [.report(.subscribed)]
    case .written(.viatomRequests, let bytes):
      return [.accept] + assembler.received(bytes).flatMap { answer($0, at: time) }
    case .disconnected:
      open = nil
      finger = nil
      isOn = false
      return [.report(.transferred(measurements: files.count))]
    case .read, .written: return [.refuse(0x13)]
    case .subscribed, .unsubscribed, .pairingMode, .timeReached: return []
    }
  }

  package mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    guard let finger = VirtualLiveOximeter.Finger(measurement) else { return nil }
    self.finger = finger
    polls = 0
    isOn = true
    return []
  }

  package mutating func eraseMeasurements() {
    files = []
    open = nil
    finger = nil
  }

  private mutating func answer(
    _ request: ViatomFrame, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard request.direction == .request else { return [] }
    switch ViatomFrame.Command(rawValue: request.code) {
    case .information: return reply(data: Array(information(at: time).utf8) + [0])
    case .change: return setClock(request.data, at: time)
    case .openFile: return openFile(request.data)
    case .readFile: return readFile(request.block)
    case .closeFile:
      open = nil
      return reply()
    case .liveWithWave where supportsWave: return reply(data: live(withWave: true))
    case .live: return reply(data: live(withWave: false))
    default: return reply(status: 1)
    }
  }

  private func reply(
    status: UInt8 = 0, block: UInt16 = 0, data: [UInt8] = []
  ) -> [VirtualDeviceOutput] {
    ViatomFrame(replyWithStatus: status, block: block, data: data).payload.cut(into: 20)
      .map { .send(.viatomAnswers, $0) }
  }

  private func information(at time: DriverTime) -> String {
    let names = files.map(\.name).joined(separator: ",")
    let shown = ViatomInformation.settingClock(to: clock.time(at: time))
    let clockText = String(decoding: shown, as: UTF8.self).split(separator: "\"").dropFirst(3).first
    return """
      {"CurBAT":"75%","CurTIME":"\(clockText ?? "")","FileList":"\(names)","Model":"1641",\
      "SN":"\(serialNumber)","SoftwareVer":"1.4.0","CurOxiThr":"88"}
      """
  }

  private mutating func setClock(
    _ json: [UInt8], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    let digits = json.split { !(0x30...0x39).contains($0) }.compactMap {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard digits.count == 6,
      clock.set(
        LocalDateTime(
          year: digits[0], month: digits[1], day: digits[2], hour: digits[3], minute: digits[4],
          second: digits[5]), at: time)
    else { return reply(status: 1) }
    return [.report(.clockSet)] + reply()
  }

  /// A name without its NUL is refused with 9, as the real ring does.
  private mutating func openFile(_ name: [UInt8]) -> [VirtualDeviceOutput] {
    guard name.last == 0 else { return reply(status: 9) }
    open = files.first { Array($0.name.utf8) == name.dropLast() }
    guard let open else { return reply(status: 1) }
    var writer = PayloadWriter()
    writer.uint32(UInt32(open.bytes.count))
    return reply(data: writer.bytes)
  }

  private func readFile(_ block: UInt16) -> [VirtualDeviceOutput] {
    guard let open else { return reply(status: 1) }
    let start = Int(block) * Self.blockCount
    let data = open.bytes.dropFirst(start).prefix(Self.blockCount)
    return reply(block: block, data: Array(data))
  }

  private mutating func live(withWave: Bool) -> [UInt8] {
    polls += 1
    // It calibrates for the first two polls.
    let shown = polls > 2 ? finger : nil
    guard withWave else {
      return ViatomLiveReading(
        saturation: shown?.saturation ?? 0, pulseRate: shown?.pulseRate ?? 0,
        perfusionTenths: 12, isWorn: finger != nil
      ).payload
    }
    return ViatomWaveReading(
      saturation: shown?.saturation ?? 0, pulseRate: UInt16(shown?.pulseRate ?? 0),
      perfusionTenths: 12, isWorn: finger != nil, wave: [UInt8](repeating: 64, count: 125)
    ).payload
  }
}

extension VirtualO2Ring: DatedMemory {
  /// The offset of a recording's start.
  private static let startOffset = 2

  var measurementTimes: [Int] { files.compactMap { $0.bytes.seconds(at: Self.startOffset) } }

  mutating func moveMeasurements(bySeconds seconds: Int) {
    files = files.map { file in
      var bytes = file.bytes
      bytes.moveTime(at: Self.startOffset, bySeconds: seconds)
      let recording = try? ViatomRecording(payload: bytes)
      return File(name: recording?.fileName ?? file.name, bytes: bytes)
    }
  }
}

extension ViatomRecording {
  /// The name under which a ring keeps it: its start.
  fileprivate var fileName: String {
    guard let time = start.localDateTime else { return "00000000000000.vld" }
    return time.description.filter(\.isNumber) + ".vld"
  }
}
