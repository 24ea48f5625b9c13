// SPDX-License-Identifier: Apache-2.0

import GatewayDiagnosis
import HealthRecords
import SantorioJSON

extension Command {
  static let doctor = Command(
    name: "doctor",
    summary: "Say what this machine lacks to read devices over Bluetooth, and how to mend it.",
    forms: ["[--data FOLDER] [--server URL] [--json]"],
    options: [
      CommandOption("data", "FOLDER", help: "Look at this folder for readings, too."),
      CommandOption("server", "URL", help: "Ask this server for an answer, too."),
      CommandOption("json", help: "Print one JSON object instead of a list."),
    ] + TransportOptions.all,
    details: """
      Looks and changes nothing. Run it as the user who is to read devices. The exit status is 0 when
      readings can be taken, 1 when there is a problem.

      A check is ok, a problem, a note (readings are taken all the same) or unknown (another problem
      has to be solved first). Below it stand the commands that mend it.
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

/// The findings of the doctor, for a person and for programs.
struct DoctorReport: Sendable {
  let findings: [GatewayFinding]

  /// Whether there is no problem.
  var isFine: Bool { !findings.contains { $0.verdict == .problem } }

  /// A line for each finding, with those of its remedies below.
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
    case 1: "There is a problem; solve it and ask again."
    default: "There are \(problems) problems; solve the first one and ask again."
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
