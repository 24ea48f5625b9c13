// SPDX-License-Identifier: Apache-2.0

import Foundation

extension HubStatus {
  /// The status as lines for a terminal of 100 columns.
  package var text: String {
    ([heading] + tables.map { "\n" + $0.joined(separator: "\n") }).joined(separator: "\n")
  }

  private static let width = 100

  private var heading: String {
    var parts = ["\(name), santorio \(version), up \(Self.span(at.timeIntervalSince(since)))"]
    if case .paused(let end) = reading {
      parts.append(
        "paused" + (end.map { " for \(Self.span($0.timeIntervalSince(at)))" } ?? "")
          + ": no device is read")
    }
    parts.append("adapter  \(Self.text(adapter))")
    if let mqtt { parts.append("mqtt     \(Self.text(mqtt))") }
    return parts.map { $0.shown.cut(to: Self.width) }.joined(separator: "\n")
  }

  private static func text(_ part: Part) -> String {
    (part.works ? "ok" : "problem") + (part.text.isEmpty ? "" : ": \(part.text)")
  }

  private var tables: [[String]] {
    [queues, decisions, devices, offered].filter { !$0.isEmpty }
  }

  // MARK: - Patients

  private var queues: [String] {
    guard !patients.isEmpty else { return ["There are no patients."] }
    let widths = [16, -7, -7, -6, -8, 48]
    return [Self.row(["PATIENT", "QUEUED", "OLDEST", "HELD", "REFUSED", "UPLOAD"], widths)]
      + patients.flatMap { patient in
        [
          Self.row(
            [
              patient.alias, "\(patient.queued)", age(patient.oldest), "\(patient.held)",
              "\(patient.rejected)",
              patient.upload.works ? Self.text(patient.upload) : "problem",
            ], widths)
        ] + (patient.upload.works ? [] : [Self.note(patient.upload.text)])
          + (patient.healthExports.map { [Self.note(text($0))] } ?? []) + Self.older(patient)
      }
  }

  private func text(_ exports: HealthExports) -> String {
    var text = "exports of the iPhone: \(exports.taken) taken"
    if let last = exports.last {
      text += ", the last one \(age(last)) ago, \(exports.records) records"
    }
    return exports.part.text.isEmpty ? text : text + ". " + exports.part.text
  }

  /// The readings that wait for a decision, each with its values and the reason below it.
  private var decisions: [String] {
    let rows = patients.flatMap { patient in
      patient.decisions.map { (patient.alias, $0) }
    }
    guard !rows.isEmpty else { return [] }
    let widths = [22, 20, 6, 8, 36]
    return [Self.row(["WHOSE?", "DEVICE", "SLOT", "MEASURED", "READING"], widths)]
      + rows.flatMap { alias, decision in
        let candidates = decision.candidates.isEmpty ? [alias] : decision.candidates
        return [
          Self.row(
            [
              candidates.joined(separator: " or "), decision.device,
              decision.slot.map(String.init) ?? "–", age(decision.time), decision.record,
            ], widths),
          Self.note(
            (decision.values + [Self.text(decision.reason)] + mark(of: decision))
              .joined(separator: ", ")),
        ]
      } + ["  → santorio hub release READING --patient ALIAS"]
  }

  /// The identifier of a device, where another one of its model is read.
  private func mark(of decision: Decision) -> [String] {
    let devices = patients.flatMap(\.devices)
    guard let identifier = decision.identifier,
      let device = devices.first(where: { $0.identifier == identifier }),
      devices.contains(where: { $0.model == device.model && $0.identifier != identifier })
    else { return [] }
    return ["device \(identifier.uuidString)"]
  }

  private static func text(_ reason: Decision.Reason) -> String {
    switch reason {
    case .unknownPatient: "sent while its device was paired, which was not completed"
    case .severalDevices: "two devices here have one serial number"
    case .unknownUser: "the device does not know its user"
    case .severalUsers: "the device has several users, and it was not said which one the patient is"
    case .aroundChange: "measured when another patient may have had the device"
    case .unconfirmed: "not confirmed yet that the device is at the patient"
    case .unknownTime: "it is not known when it was measured, and the device is new here"
    }
  }

  /// The readings from before their device was the patient's.
  private static func older(_ patient: Patient) -> [String] {
    guard patient.older > 0 else { return [] }
    return [
      note(
        "older than the enrolment of their device, and set aside: \(patient.older) readings; enrol it once "
          + "more with --with-memory to take them")
    ]
  }

  private var devices: [String] {
    let widths = [16, 26, 9, -7, -7, -7, -7, -8]
    let rows = patients.flatMap { patient in
      patient.devices.flatMap { device in
        [
          Self.row(
            [
              patient.alias, device.name, device.state.rawValue, age(device.lastSeen),
              age(device.lastRead), Self.wait(device.nextTry, from: at),
              device.batteryPercent.map { "\($0) %" } ?? "–", Self.drift(device.clockDrift),
            ], widths)
        ] + (device.reason.map { [Self.note($0)] } ?? [])
      }
    }
    guard !rows.isEmpty else { return [] }
    let names = ["PATIENT", "DEVICE", "STATE", "SEEN", "READ", "NEXT", "BATTERY", "CLOCK"]
    return [Self.row(names, widths)] + rows
  }

  /// The reason of a device's state, below its row.
  private static func note(_ reason: String) -> String {
    reason.shown(atMost: 400).wrapped(to: width, first: "  →", rest: "   ")
  }

  private var offered: [String] {
    guard !unknown.isEmpty else { return [] }
    let widths = [36, 40, -8, -8]
    return [Self.row(["UNKNOWN DEVICE", "MODEL OR NAME", "SIGNAL", "SEEN"], widths)]
      + unknown.map { device in
        Self.row(
          [
            device.identifier.uuidString, device.name, device.signal.map { "\($0) dBm" } ?? "–",
            age(device.lastSeen),
          ], widths)
      }
  }

  // MARK: - Cells

  /// Cells side by side, cut to their columns; a negative width aligns to the right.
  private static func row(_ cells: [String], _ widths: [Int]) -> String {
    let columns = zip(cells, widths).map { cell, width in
      let text = cell.shown.cut(to: abs(width))
      let space = String(repeating: " ", count: abs(width) - text.count)
      return width < 0 ? space + text : text + space
    }
    var line = columns.joined(separator: " ")
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }

  private func age(_ date: Date?) -> String {
    date.map { Self.span(at.timeIntervalSince($0)) } ?? "–"
  }

  private static func wait(_ date: Date?, from now: Date) -> String {
    guard let date else { return "–" }
    return date > now ? "in \(span(date.timeIntervalSince(now)))" : "now"
  }

  private static func drift(_ seconds: Double?) -> String {
    guard let seconds, seconds.isFinite else { return "–" }
    return abs(seconds) < 1 ? "right" : (seconds < 0 ? "-" : "+") + span(abs(seconds))
  }

  /// A time span in its largest unit: "45 s", "3 min", "5 h", "12 d".
  static func span(_ seconds: TimeInterval) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "∞" }
    let seconds = Int(max(0, seconds))
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7_200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}

extension String {
  /// The text, with an ellipsis for what has no room.
  fileprivate func cut(to width: Int) -> String {
    count <= width ? self : String(prefix(max(0, width - 1))) + "…"
  }

  /// The words in lines of at most so many columns, each line begun as given.
  fileprivate func wrapped(to width: Int, first: String, rest: String) -> String {
    var lines: [String] = []
    var line = first
    for word in split(separator: " ") {
      if line.count + 1 + word.count > width {
        lines.append(line)
        line = rest
      }
      line += " " + word
    }
    return (lines + [line]).map { $0.cut(to: width) }.joined(separator: "\n")
  }
}
