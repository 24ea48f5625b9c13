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

  @Test func `begins a table with a byte order mark only if asked to`() async throws {
    let plain = try await convert("--to", "csv", lines: [Self.record("a")])
    let marked = try await convert("--to", "csv", "--bom", lines: [Self.record("a")])
    #expect(plain.outputBytes.starts(with: "log_id,".utf8))
    #expect(marked.outputBytes == Data([0xef, 0xbb, 0xbf]) + plain.outputBytes)
  }

  @Test func `writes a data point of Open mHealth a line, and reports what it leaves out`()
    async throws
  {
    let run = try await convert(
      "--to", "open-mhealth",
      lines: [Self.record("a"), Self.record("b", "perfusion_index"), Self.record("c", "x\u{7f}")])
    #expect(run.status == 0, "\(run.error)")
    #expect(
      run.output == #"""
        {"header":{"uuid":"341b363c-3b80-8bd2-bae9-96cf84f91d9f","schema_id":{"namespace":"omh",\#
        "name":"heart-rate","version":"2.0"},"source_creation_date_time":\#
        "2018-04-17T15:51:00+02:00","modality":"sensed"},"body":{"heart_rate":{"value":61.5,\#
        "unit":"beats/min"},"effective_time_frame":{"date_time":"2018-04-17T15:51:00+02:00"}}}

        """#)
    #expect(
      run.error == """
        santorio: line 2: metrics[0] (perfusion_index) is left out: no schema has a place for it
        santorio: line 3: metrics[0] (x·) is left out: no schema has a place for it
        santorio: parts left out: 2; records that lack some: 2

        """)
  }

  @Test func `makes other identifiers for another person`() async throws {
    func output(_ arguments: String...) async throws -> String {
      let arguments = ["convert", "--to", "open-mhealth"] + arguments
      return try await CommandProcess(arguments, input: Self.record("a") + "\n").output
    }
    let outputs = try await [output(), output("--subject", "u1"), output("--subject", "u2")]
    #expect(Set(outputs).count == 3)
    #expect(outputs.allSatisfy { $0.utf8.count == outputs[0].utf8.count })
  }

  // MARK: - What looks wrong

  @Test(arguments: ["inform", "legacy", "csv", "fhir", "open-mhealth"])
  func `converts what looks wrong, and says so`(form: String) async throws {
    let subject = form == "fhir" ? ["--subject", "Patient/1"] : []
    let pressures =
      #"{"type":"systolic","origin":"device","unit":"mmHg","value":80},"#
      + #"{"type":"diastolic","origin":"device","unit":"mmHg","value":120}]"#
    let metric = #"{"type":"pulse","origin":"device","unit":"bpm","value":61.5}]"#
    let lines = [
      Self.record("right"), Self.record("high").replacing("61.5", with: "980"),
      Self.record("swapped").replacing(metric, with: pressures),
      Self.record("early").replacing("2018-04-17", with: "2099-04-17"),
    ]
    let run = try await CommandProcess(
      ["convert", "--to", form] + subject, input: lines.joined(separator: "\n"))
    #expect(run.status == 0, "\(run.error)")
    #expect(
      run.error.split(separator: "\n").filter { $0.contains("warning") } == [
        "santorio: line 2: warning: metrics[0].value: no living person has such a value of pulse",
        "santorio: line 3: warning: metrics[0].value: systolic is not above diastolic",
        "santorio: line 4: warning: start_time: the time has not come yet",
        "santorio: line 4: warning: time.received: the time has not come yet",
        "santorio: warning: records that look wrong: 3 of 4",
      ])
    #expect(run.output.contains("2099") && run.output.contains("120"))
  }

  @Test func `is silent about what looks right`() async throws {
    let run = try await convert("--to", "csv", lines: [Self.record("a"), Self.record("b")])
    #expect(run.error.isEmpty)
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

  @Test(arguments: ["inform", "legacy", "csv", "fhir", "open-mhealth"])
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
    // A data point of Open mHealth does not hold the identifier of its record.
    let isNamed = run.output.contains("first") && run.output.contains("last")
    #expect(isNamed || form == "open-mhealth" && run.output.split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    ("rejected_reading", "a rejected reading is no measurement"),
    ("device_status", "a device's status is no reading"),
  ])
  func `says which line is no reading and converts the others`(
    kind: String, reason: String
  ) async throws {
    let other =
      #"{"log_id":"none","type":"\#(kind)","start_time":"2018-04-17T13:51:00Z","#
      + #""source":{"type":"bluetooth","device":null},"metrics":[]}"#
    for form in ["legacy", "csv", "fhir"] {
      let subject = form == "fhir" ? ["--subject", "Patient/1"] : []
      let run = try await CommandProcess(
        ["convert", "--to", form] + subject, input: "\(other)\n\(Self.record("last"))\n")
      #expect(run.status == 1)
      #expect(
        run.error
          == "santorio: line 1: invalid_value at type: \(reason), so it has no such form\n")
      #expect(run.output.contains("last") && !run.output.contains("none"), "\(run.output)")
    }
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

  @Test func `writes an Observation a line for health records, and names what they cannot hold`()
    async throws
  {
    let run = try await convert(
      "--to", "fhir", "--subject", "Patient/1", "--fhir-profile", "ehr",
      lines: [
        Self.record("a"), Self.record("b", "own_score"), Self.record("c"), Self.record("a"),
      ])
    #expect(run.status == 1)
    #expect(run.error.contains("line 4: invalid_value at log_id: an earlier line has the same"))
    #expect(
      run.error.contains("line 2: invalid_value at metrics(own_score): has no LOINC code"),
      "\(run.error)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix(#"{"resourceType":"Observation""#) })
  }

  @Test func `leaves a line out of a Bundle whose parts have the identifier of others`()
    async throws
  {
    // The second pulse of a record is "a/pulse/2", and so is a metric "2" of the record "a/pulse".
    let pulse = #"{"type":"pulse","origin":"device","unit":"bpm","value":61.5}"#
    let twice = Self.record("a").replacing(pulse, with: "\(pulse),\(pulse)")
    let run = try await convert(
      "--to", "fhir", "--subject", "Patient/1",
      lines: [twice, Self.record("a/pulse", "2"), Self.record("b")])
    #expect(run.status == 1)
    #expect(run.error.contains("santorio: line 2: invalid_value at log_id: "), "\(run.error)")
    #expect(run.error.split(separator: "\n").count == 1)
    let identifiers = ["a/pulse", "a/pulse/2", "b/pulse"]
    #expect(run.output.split(separator: "urn:uuid:").count == 4)
    for identifier in identifiers {
      #expect(run.output.contains(#""urn:santorio:log_id","value":"\#(identifier)""#))
    }
  }

  @Test func `frees the identifiers of what a correction leaves out`() async throws {
    let pulse = #"{"type":"pulse","origin":"device","unit":"bpm","value":61.5}"#
    let twice = Self.record("a").replacing(pulse, with: "\(pulse),\(pulse)")
    let once = Self.record("a").replacing(
      #""utc_offset""#, with: #""updated_at":"2018-04-18T00:00:00Z","utc_offset""#)
    let run = try await convert(
      "--to", "fhir", "--subject", "Patient/1",
      lines: [twice, once, Self.record("a/pulse", "2")])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.split(separator: "urn:uuid:").count == 3)
  }

  @Test(arguments: ["inform", "legacy", "open-mhealth"])
  func `writes nothing for empty input`(form: String) async throws {
    let run = try await convert("--to", form, lines: [])
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    ([], "--to is missing; it takes inform, legacy, csv, fhir or open-mhealth."),
    (["--to", "xml"], "--to takes inform, legacy, csv, fhir or open-mhealth, not \"xml\"."),
    (["--to", "fhir"], "--subject takes a reference such as Patient/123; \"--to fhir\" needs it"),
    (["--to", "fhir", "--subject", "Patient/1 2"], "--subject takes a reference"),
    (["--to", "csv", "--subject", "Patient/1"], "other formats do not take it."),
    (["--to", "inform", "--bom"], "--bom goes with \"--to csv\"."),
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
