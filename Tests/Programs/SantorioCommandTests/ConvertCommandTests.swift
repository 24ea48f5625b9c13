// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct `Convert command` {
  private static func record(_ logID: String, _ metric: String = "pulse") -> String {
    #"{"log_id":"\#(logID)","type":"measurement","version":"1.0","#
      + #""start_time":"2018-04-17T13:51:00Z","end_time":"2018-04-17T13:51:00Z","#
      + #""utc_offset":7200,"time":{"origin":"device","received":"2018-04-17T13:51:00Z"},"#
      + #""source":{"type":"bluetooth","device":null},"#
      + #""metrics":[{"type":"\#(metric)","origin":"device","unit":"bpm","value":61.5}]}"#
  }

  private func convert(_ arguments: String..., lines: [String]) async throws -> CommandProcess {
    try await CommandProcess(
      ["convert"] + arguments, input: lines.map { $0 + "\n" }.joined())
  }

  @Test func `writes Inform records line by line`() async throws {
    let lines = [Self.record("a"), Self.record("b")]
    let run = try await convert("--to", "inform", lines: lines)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output == lines.map { $0 + "\n" }.joined())
  }

  @Test func `writes class and object of Legacy records`() async throws {
    let run = try await convert("--to", "legacy", lines: [Self.record("a")])
    #expect(run.status == 0, "\(run.error)")
    let line = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(line["type"] as? String == "biometrics")
    let record = try #require(line["record"] as? [String: Any])
    #expect(record["activity_id"] as? String == "a")
  }

  @Test(arguments: [
    ([], "validicmobile", "ValidicMobile"),
    (["--source", "clinic", "--source-name", "The Clinic"], "clinic", "The Clinic"),
  ])
  func `names the source of Legacy records`(
    arguments: [String], name: String, displayName: String
  ) async throws {
    let run = try await CommandProcess(
      ["convert", "--to", "legacy"] + arguments, input: Self.record("a", "systolic") + "\n")
    #expect(run.status == 0, "\(run.error)")
    #expect(
      run.output == #"""
        {"type":"biometrics","record":{"timestamp":"2018-04-17T13:51:00+00:00",\#
        "utc_offset":"+02:00","source":"\#(name)","source_name":"\#(displayName)",\#
        "intermediary_source":"\#(displayName) Bluetooth","activity_id":"a",\#
        "extras":{"received":"2018-04-17T13:51:00Z","systolic":61.5,"systolic_unit":"bpm",\#
        "time_origin":"device"}}}

        """#)
  }

  @Test func `writes a table with one header`() async throws {
    let run = try await convert("--to", "csv", lines: [Self.record("a"), Self.record("b")])
    #expect(run.status == 0, "\(run.error)")
    // CR LF is one character.
    let lines = run.output.split(separator: "\r\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("log_id,type,"))
    #expect(lines[1].hasPrefix("a,measurement,"))
    #expect(lines[2].hasPrefix("b,measurement,"))
  }

  @Test func `writes one Bundle about the subject`() async throws {
    let run = try await convert(
      "--to", "fhir", "--subject", "Patient/123", lines: [Self.record("a"), Self.record("b")])
    #expect(run.status == 0, "\(run.error)")
    let bundle = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let entries = try #require(bundle["entry"] as? [[String: Any]])
    let subjects = entries.map { entry in
      ((entry["resource"] as? [String: Any])?["subject"] as? [String: String])?["reference"]
    }
    #expect(subjects == ["Patient/123", "Patient/123"])
    #expect(run.output.split(separator: "\n").count == 1)
  }

  @Test(arguments: ["inform", "legacy", "csv", "fhir"])
  func `names each bad line and converts the others`(form: String) async throws {
    let subject = form == "fhir" ? ["--subject", "Patient/1"] : []
    let lines = [
      Self.record("first"), "no json", "", "  \r", #"{"log_id":"x"}"#, Self.record("last"),
    ]
    let run = try await CommandProcess(
      ["convert", "--to", form] + subject, input: lines.joined(separator: "\n"))
    #expect(run.status == 1)
    let errors = run.error.split(separator: "\n")
    #expect(errors.count == 2)
    #expect(errors.first?.hasPrefix("santorio: line 2: malformed_json") == true, "\(run.error)")
    #expect(errors.last?.hasPrefix("santorio: line 5: missing at") == true, "\(run.error)")
    #expect(run.output.contains("first") && run.output.contains("last"))
  }

  @Test func `rejects invalid UTF-8 instead of repairing it`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let broken = Array(Self.record("a").utf8).map { $0 == UInt8(ascii: "a") ? 0xff : $0 }
    let (input, output) = (
      folder.appendingPathComponent("in"), folder.appendingPathComponent("out")
    )
    try Data(broken).write(to: input)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = try CommandProcess.executable
    process.arguments = ["convert", "--to", "inform"]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try await process.runToEnd()
    #expect(process.terminationStatus == 1)
    #expect(try Data(contentsOf: output).isEmpty)
  }

  @Test func `adds a record to a Bundle once`() async throws {
    let run = try await convert(
      "--to", "fhir", "--subject", "Patient/1", lines: [Self.record("a"), Self.record("a")])
    #expect(run.status == 1)
    #expect(run.error.contains("line 2: invalid_value at log_id: an earlier line has the same"))
    #expect(run.output.split(separator: "urn:uuid:").count == 2)
  }

  @Test(arguments: ["inform", "legacy"])
  func `writes nothing for empty input`(form: String) async throws {
    let run = try await convert("--to", form, lines: [])
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    ([], "--to is missing; it takes inform, legacy, csv or fhir."),
    (["--to", "xml"], "--to takes inform, legacy, csv or fhir, not \"xml\"."),
    (["--to", "fhir"], "--subject takes a reference such as Patient/123; \"--to fhir\" needs it"),
    (["--to", "fhir", "--subject", "Patient/1 2"], "--subject takes a reference"),
    (["--to", "csv", "--subject", "Patient/1"], "other formats do not take it."),
    (["--to", "legacy", "--source", "clinic"], "--source and --source-name go with"),
    (["--to", "legacy", "--source-name", "Clinic"], "each with a name, and both or neither."),
    (["--to", "csv", "--source", "a", "--source-name", "b"], "go with \"--to legacy\""),
    (
      ["--to", "csv", "records.ndjson"], "\"convert\" reads standard input and takes options only."
    ),
  ])
  func `explains wrong arguments`(
    arguments: [String], message: String
  ) async throws {
    let run = try await CommandProcess(["convert"] + arguments)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.error.contains(message), "\(run.error)")
  }
}
