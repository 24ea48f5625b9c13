// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import HealthRecords

/// The requests of O2Ring-S, S8-AW and similar rings: the protocol that the manufacturer calls
/// OxyII.
///
/// The order matters. Without the first three requests a ring is silent where a recording is to be
/// opened, and once it was asked for the values of the moment it gives no recordings any more. A
/// recording that was left open keeps the list back, so something is always closed first.
///
/// Source: nglessner/o2ring-s-protocol.
package struct OxyIIRing: RingDialect {
  package init() {}

  package var requests: GATTAttribute { .oxyIIRequests }
  package var answers: GATTAttribute { .oxyIIAnswers }
  package var opening: [RingRequest] {
    [.authenticate, .setUp, .information, .setClock, .settings, .close, .list]
  }
  package var live: [RingRequest] { [.live] }
  package var writeLength: Int? { nil }
  package var namesRequests: Bool { true }

  package func bytes(of request: RingRequest, at time: DriverTime) -> [UInt8] {
    let content =
      switch request {
      case .authenticate: Self.authentication(at: time)
      case .setUp: [UInt8(0)]
      case .setClock: (time.local.map { Timestamp($0).bytes } ?? []) + [0]
      case .open(let name): Self.slot(name) + [0, 0, 0, 0]
      case .read(_, let offset): Self.littleEndian(offset)
      default: [UInt8]()
      }
    let frame = try? LepuFrame(command: Self.command(of: request), content: content)
    return frame?.payload ?? []
  }

  package func answer(_ frame: LepuFrame, to request: RingRequest) -> RingAnswer? {
    guard frame.command == Self.command(of: request) else { return nil }
    guard frame.direction == 1 else { return .refused }
    switch request {
    case .authenticate, .setUp, .setClock, .settings, .close: return .done
    case .information:
      return (try? OxyIIInformation(payload: frame.content)).map { .information($0.ring) }
    case .list: return .names(Self.names(in: frame.content))
    case .open:
      var reader = PayloadReader(frame.content)
      guard let count = try? reader.uint32(field: "File Size") else { return .refused }
      return .opened(count: Int(count))
    case .read: return .bytes(frame.content)
    case .live, .liveAsBefore:
      return (try? OxyIILiveReading(payload: frame.content)).map { reading in
        let battery = DeviceInformation.batteryPercent(min(Int(reading.battery), 100))
        return .moment(
          OximetryMoment(
            reading.sample, isOnFinger: reading.isWorn, facts: [battery], payload: frame.content))
      }
    }
  }

  package func recording(_ name: String, _ bytes: [UInt8]) -> RingRecording {
    do throws(PayloadError) {
      let recording = try OxyIIRecording(payload: bytes)
      return DeviceReading(recording, start: RingMemory.start(of: name)).map { .reading($0) }
        ?? .unfinished
    } catch {
      return .reading(DeviceReading(error, payload: bytes))
    }
  }
}

extension OxyIIRing {
  /// The commands by their bytes.
  package static func command(of request: RingRequest) -> UInt8 {
    switch request {
    case .authenticate: 0xFF
    case .setUp: 0x10
    case .information: 0xE1
    case .setClock: 0xC0
    case .settings: 0x00
    case .list: 0xF1
    case .open: 0xF2
    case .read: 0xF3
    case .close: 0xF4
    case .live, .liveAsBefore: 0x04
    }
  }

  /// The MD5 digest of "lepucloud", which the manufacturer mixes into the key.
  private static let salt: [UInt8] = [
    0xC2, 0xA7, 0xCF, 0x50, 0xDA, 0xFE, 0xD8, 0x85, 0xA8, 0xF8, 0xF7, 0xEA, 0xC4, 0x43, 0x35, 0xF3,
  ]

  /// Opens the session: a key made of the salt, four digits and the time, mixed with the salt.
  ///
  /// The digits are the beginning of the serial number, or zeros, which every ring takes; the time
  /// is shifted by 0...3 bits, not by bytes.
  static func authentication(at time: DriverTime) -> [UInt8] {
    let seconds = UInt64(max(0, min(time.secondsSince1970, 1e12)))
    let even = stride(from: 0, to: 16, by: 2).map { salt[$0] }
    let shifted = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> UInt64($0)) }
    let key = even + Array("0000".utf8) + shifted
    return zip(key, salt).map { $0 ^ $1 }
  }

  /// A name in its sixteen bytes.
  package static func slot(_ name: String) -> [UInt8] {
    let bytes = Array(name.utf8.prefix(16))
    return bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
  }

  /// The names in a list: their number, then slots of sixteen bytes.
  static func names(in bytes: [UInt8]) -> [String] {
    let slots = bytes.dropFirst()
    let count = min(Int(bytes.first ?? 0), slots.count / 16)
    return (0..<count).map { index in
      let slot = slots.dropFirst(16 * index).prefix(16).prefix { $0 != 0 }
      return String(decoding: slot, as: UTF8.self)
    }
  }

  private static func littleEndian(_ offset: Int) -> [UInt8] {
    var writer = PayloadWriter()
    writer.uint32(UInt32(clamping: offset))
    return writer.bytes
  }
}

extension DriverModel {
  /// Viatom's O2Ring-S and its relatives.
  package static let oxyIIRing = DriverModel(
    id: "oxyii-ring", name: "Viatom O2Ring-S", required: [.oxyIIRequests, .oxyIIAnswers],
    confidence: .agreed,
    sources: ["nglessner/o2ring-s-protocol", "home-health-hub/viatom-o2ring-ble"]
  ) { RingDriver(OxyIIRing(), $0) }
}

extension GATTAttribute {
  private static let oxyIIService = "E8FB0001-A14B-98F9-831B-4E2941D01248"
  package static let oxyIIRequests = GATTAttribute(
    oxyIIService, "E8FB0002-A14B-98F9-831B-4E2941D01248")
  package static let oxyIIAnswers = GATTAttribute(
    oxyIIService, "E8FB0003-A14B-98F9-831B-4E2941D01248")
}

extension DeviceReading {
  /// A session with a ring: what the ring computed over it, and its course; nil while it is not
  /// over.
  package init?(_ recording: OxyIIRecording, start: LocalDateTime?) {
    guard let trailer = recording.trailer else { return nil }
    let payload = recording.payload
    guard trailer.averageSaturation > 0 else {
      self.init(
        rejected: .noSignal, "The ring recorded a session without a finger in it.",
        payload: payload)
      return
    }
    self.init(
      [
        .init(.averageOxygenSaturation, Double(trailer.averageSaturation)),
        .init(.minimumOxygenSaturation, Double(trailer.lowestSaturation)),
        .init(.averageHeartRate, Double(trailer.averagePulseRate)),
      ], clock: start.map { .local($0) }, payload: payload)
    findings = .drops(ofThree: trailer.dropsOfThree, ofFour: trailer.dropsOfFour)
    series = [
      .init(
        .oxygenSaturation, secondsBetween: 1,
        values: recording.samples.map { $0.saturation == 0 ? nil : Double($0.saturation) }),
      .init(
        .pulse, secondsBetween: 1,
        values: recording.samples.map { $0.pulseRate.flatMap { $0 == 0 ? nil : Double($0) } }),
    ]
  }
}

extension LepuFrame: StreamedFrame {
  package static func extent(of start: ArraySlice<UInt8>) -> FrameExtent {
    let bytes = Array(start.prefix(7))
    guard bytes[0] == 0xA5 else { return .noFrame }
    guard bytes.count > 2 else { return .unknown }
    guard bytes[1] == ~bytes[2] else { return .noFrame }
    guard bytes.count > 6 else { return .unknown }
    return .bytes(8 + Int(bytes[5]) + Int(bytes[6]) << 8)
  }
}
