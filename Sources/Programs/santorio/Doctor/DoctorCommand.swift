// SPDX-License-Identifier: Apache-2.0

import GatewayDiagnosis
import HealthRecords
import SantorioJSON

extension Command {
  static let doctor = Command(
    name: "doctor",
    summary: "Show what this machine lacks to read devices over Bluetooth, and how to fix it.",
    forms: ["[--data FOLDER] [--server URL] [--json]"],
    options: [
      CommandOption("data", "FOLDER", help: "Also check this folder for readings."),
      CommandOption("server", "URL", help: "Also check whether this server answers."),
      CommandOption("json", help: "Print one JSON object instead of a list."),
    ] + TransportOptions.all,
    details: """
      Only checks; changes nothing. Run it as the user who is to read devices. The exit status is 0
      when readings can be taken, 1 when there is a problem.

      The result of a check is ok, problem, note (readings can still be taken) or unknown (another
      problem must be solved first). The commands that fix it are listed below it.
      """
  ) { arguments in
    guard arguments.operands.isEmpty else {
      throw UsageError("\"doctor\" takes options only.", command: "doctor")
    }
    var inspection = GatewayInspection()
    inspection.folder = arguments["data"]
    let options = try TransportOptions(arguments)
    let server = arguments["server"].map { ServerInspection(address: $0, options: options) }
    let serverFacts = try await server?.facts()
    var facts = await inspection.facts()
    facts.server = serverFacts
    let report = DoctorReport(findings: facts.findings)
    print(arguments.has("json") ? report.json : report.list)
    return report.isFine ? 0 : 1
  }
}

/// The findings of the doctor, for people and for programs.
struct DoctorReport: Sendable {
  let findings: [GatewayFinding]

  /// Whether there is no problem.
  var isFine: Bool { !findings.contains { $0.verdict == .problem } }

  /// A line for each finding, followed by its remedies.
  var list: String {
    let width = findings.map(\.check.title.count).max() ?? 0
    let lines = findings.flatMap { finding in
      let verdict = finding.verdict.rawValue.padded(to: 7)
      let head = "\(verdict)  \(finding.check.title.padded(to: width))  \(finding.text)"
      let indent = String(repeating: " ", count: 7 + 2 + width + 2)
      return [head] + finding.remedies.map { "\(indent)→ \($0)" }
    }
    return (lines + ["", conclusion]).joined(separator: "\n")
  }

  private var conclusion: String {
    let problems = findings.count { $0.verdict == .problem }
    return switch problems {
    case 0: "This machine can read devices over Bluetooth."
    case 1: "There is 1 problem; solve it and run this again."
    default: "There are \(problems) problems; solve the first one and run this again."
    }
  }

  var json: String {
    var json = JSONWriter()
    json.object { json in
      json.key("ok")
      json.bool(isFine)
      json.key("checks")
      json.array { json in
        for finding in findings { json.object { finding.write(to: &$0) } }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension GatewayFinding {
  fileprivate func write(to json: inout JSONWriter) {
    json.key("check")
    json.string(check.rawValue)
    json.key("verdict")
    json.string(verdict.rawValue)
    json.key("text")
    json.string(text)
    json.key("remedies")
    json.array { json in
      for remedy in remedies { json.string(remedy) }
    }
  }
}
