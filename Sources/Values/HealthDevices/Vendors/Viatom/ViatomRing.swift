// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

/// How O2Ring, Checkme O2, SleepU, KidsO2 and O2 Max are spoken to.
package struct ViatomRing: RingDialect {
  package init() {}

  package var requests: GATTAttribute { .viatomRequests }
  package var answers: GATTAttribute { .viatomAnswers }
  package var opening: [RingRequest] { [.information, .setClock] }
  package var live: [RingRequest] { [.live, .liveAsBefore] }
  package var writeLength: Int? { 20 }
  package var namesRequests: Bool { false }

  package func bytes(of request: RingRequest, at time: DriverTime) -> [UInt8] {
    switch request {
    case .setClock:
      ViatomFrame(.change, data: time.local.map(ViatomInformation.settingClock) ?? []).payload
    case .open(let name): ViatomFrame(.openFile, data: Array(name.utf8) + [0]).payload
    case .read(let block, _):
      ViatomFrame(.readFile, block: UInt16(truncatingIfNeeded: block)).payload
    case .close: ViatomFrame(.closeFile).payload
    case .live: ViatomFrame(.liveWithWave, data: [0]).payload
    case .liveAsBefore: ViatomFrame(.live).payload
    case .information, .list, .authenticate, .setUp, .settings:
      ViatomFrame(.information).payload
    }
  }

  package func answer(_ frame: ViatomFrame, to request: RingRequest) -> RingAnswer? {
    guard frame.direction == .reply else { return nil }
    guard frame.code == 0 else { return .refused }
    switch request {
    case .setClock, .close: return .done
    case .open:
      var reader = PayloadReader(frame.data)
      guard let count = try? reader.uint32(field: "File Size") else { return .refused }
      return .opened(count: Int(count))
    case .read(let block, _):
      // Part of a file may look like a frame; the number of the block distinguishes them
      // apart.
      return frame.block == UInt16(truncatingIfNeeded: block) ? .bytes(frame.data) : nil
    case .live:
      return (try? ViatomWaveReading(payload: frame.data)).map {
        .moment(OximetryMoment($0.sample, isOnFinger: $0.isWorn, payload: frame.data))
      }
    case .liveAsBefore:
      return (try? ViatomLiveReading(payload: frame.data)).map {
        .moment(OximetryMoment($0.sample, isOnFinger: $0.isWorn, payload: frame.data))
      }
    case .information, .list, .authenticate, .setUp, .settings:
      return (try? ViatomInformation(payload: frame.data)).map { .information($0.ring) }
    }
  }

  package func recording(_ name: String, _ bytes: [UInt8]) -> RingRecording {
    do throws(PayloadError) {
      return .reading(DeviceReading(try ViatomRecording(payload: bytes)))
    } catch {
      return .reading(DeviceReading(error, payload: bytes))
    }
  }
}

extension DriverModel {
  /// Viatom's O2Ring and its relatives.
  package static let viatomRing = DriverModel(
    id: "viatom-ring", name: "Viatom O2Ring", required: [.viatomRequests, .viatomAnswers],
    confidence: .agreed,
    sources: [
      "ecostech/viatom-ble", "home-health-hub/viatom-o2ring-ble", "MackeyStingray/o2r",
    ]
  ) { RingDriver(ViatomRing(), $0) }
}

extension GATTAttribute {
  private static let viatomService = "14839AC4-7D7E-415C-9A42-167340CF2339"
  /// Where Viatom's devices of the first generation, and the BP2 monitors, take requests.
  package static let viatomRequests = GATTAttribute(
    viatomService, "8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3")
  /// Where they answer.
  package static let viatomAnswers = GATTAttribute(
    viatomService, "0734594A-A8E7-4B1A-A6B1-CD5243059A57")
}

extension DeviceReading {
  /// A session with a ring: what the ring computed over it, and its course.
  package init(_ recording: ViatomRecording) {
    let payload = recording.payload
    guard recording.samples.contains(where: \.isWorn) else {
      self.init(
        rejected: .noSignal, "The ring recorded a session without a finger in it.",
        payload: payload)
      return
    }
    let summary = recording.summary
    self.init(
      [
        .init(.averageOxygenSaturation, Double(summary.averageSaturation)),
        .init(.minimumOxygenSaturation, Double(summary.lowestSaturation)),
      ], clock: recording.start.localDateTime.map { .local($0) }, payload: payload)
    findings = .drops(ofThree: Int(summary.dropsOfThree), ofFour: Int(summary.dropsOfFour))
    let step = Double(recording.step)
    series = [
      .init(
        .oxygenSaturation, secondsBetween: step,
        values: recording.samples.map { $0.saturation.map(Double.init) }),
      .init(
        .pulse, secondsBetween: step,
        values: recording.samples.map { $0.pulseRate.map(Double.init) }),
    ]
  }
}

extension [DeviceReading.Finding] {
  /// How often the saturation fell, as rings count it.
  package static func drops(ofThree three: Int, ofFour four: Int) -> Self {
    [
      .init("desaturations_of_3_percent", "\(three)"),
      .init("desaturations_of_4_percent", "\(four)"),
    ]
  }
}
