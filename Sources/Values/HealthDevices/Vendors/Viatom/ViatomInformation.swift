// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
package import HealthGATT

/// The reply of a Viatom ring to command 14: what it reports about itself, in JSON.
///
/// ```
/// {"CurBAT":"75%","CurTIME":"2026-08-08,12:00:00","FileList":"20260131223340.vld,…",
///  "Model":"1641","SN":"2141012345","SoftwareVer":"1.4.0"}
/// ```
///
/// All values are texts, also those that are numbers; NUL bytes may follow. Source:
/// home-health-hub/viatom-o2ring-ble, MackeyStingray/o2r.
package struct ViatomInformation: Hashable, Sendable {
  private let texts: [String: String]

  /// Reads the JSON.
  ///
  /// - Throws: `invalidText` when it is none.
  package init(payload: some Collection<UInt8>) throws(PayloadError) {
    let end = payload.firstIndex(of: 0) ?? payload.endIndex
    do {
      let values = try JSONDecoder().decode([String: Value].self, from: Data(payload[..<end]))
      texts = values.compactMapValues(\.text)
    } catch {
      throw PayloadError(
        .invalidText, field: "Information", offset: 0,
        message: "It is no JSON object. Ask the ring again.")
    }
  }

  /// A value: a text, a number in place of one, or something else, which is left out.
  private struct Value: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text =
        (try? container.decode(String.self)) ?? (try? container.decode(Int.self)).map(String.init)
    }
  }

  /// What it says as facts, its clock and the names of its recordings.
  package var ring: RingInformation {
    var ring = RingInformation()
    let facts: [DeviceInformation?] = [
      text("Model").map { .model($0) }, text("SN").map { .serialNumber($0) },
      text("SoftwareVer").map { .firmwareRevision($0) },
      text("HardwareVer").map { .hardwareRevision($0) },
      batteryPercent.map { .batteryPercent($0) },
    ]
    ring.facts = facts.compactMap { $0 }
    ring.clock = clock
    ring.names = text("FileList")?.split(separator: ",").map {
      $0.trimmingPrefix { $0 == " " }.description
    }.filter { !$0.isEmpty }
    return ring
  }

  private func text(_ key: String) -> String? {
    texts[key].flatMap { $0.isEmpty ? nil : $0 }
  }

  private var batteryPercent: Int? {
    guard let percent = text("CurBAT").flatMap({ Int($0.prefix(while: \.isNumber)) }) else {
      return nil
    }
    return (0...100).contains(percent) ? percent : nil
  }

  private var clock: LocalDateTime? {
    let parts = text("CurTIME")?.split { !$0.isNumber }.map { Int($0) ?? -1 } ?? []
    guard parts.count == 6 else { return nil }
    let shown = try? DateTime(
      year: parts[0], month: parts[1], day: parts[2], hours: parts[3], minutes: parts[4],
      seconds: parts[5])
    return shown?.localDateTime
  }
}

extension ViatomInformation {
  /// The JSON that sets a ring's clock.
  package static func settingClock(to time: LocalDateTime) -> [UInt8] {
    let text = time.description.replacing("T", with: ",")
    return Array("{\"SetTIME\":\"\(text)\"}".utf8)
  }
}
