// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioJSON

extension Command {
  static let convert = Command(
    name: "convert",
    summary: "Convert records to another format.",
    forms: [
      "--to inform <FILE", "--to csv [--bom] <FILE",
      "--to legacy [--source NAME --source-name NAME] <FILE",
      "--to fhir --subject REFERENCE [--fhir-profile standard|phd|ehr] [--gateway NAME] <FILE",
      "--to open-mhealth [--subject WORD] <FILE",
    ],
    options: [
      CommandOption("to", "FORM", help: "The format to write: \(RecordConverter.forms)."),
      CommandOption(
        "subject", "REFERENCE",
        help: "With fhir: the patient of the records (Patient/123). With open-mhealth: the person."),
      CommandOption(
        "fhir-profile", "PROFILE",
        help: "With fhir: standard, phd for HL7's guide for devices, or ehr for health records."),
      CommandOption(
        "gateway", "NAME", help: "With phd: the name of what has taken the readings."),
      CommandOption(
        "source", "NAME",
        help: "With legacy: the source's short name; validicmobile if not given."),
      CommandOption(
        "source-name", "NAME",
        help: "With legacy: the source's name; ValidicMobile if not given."),
      CommandOption(
        "bom", help: "With csv: begin with a byte order mark; without one Excel garbles accents."),
    ],
    details: """
      Reads one record per line in the Inform v2 format (NDJSON) and writes to standard output:
        inform  the same, one object per line
        legacy  the Legacy v1 format, one object {"type": CLASS, "record": OBJECT} per line
        csv     a table with one line for each value (RFC 4180)
        fhir    one Bundle of HL7 FHIR R4 Observations, to be posted to a server's base address: a
                batch, or in the profile phd a transaction with device, gateway and clock
        open-mhealth
                data points of IEEE 1752.1 and Open mHealth, one object per line
      Legacy records name Validic's mobile SDK as their source, since filters and reports of Validic's
      customers look for that name; give --source and --source-name to convert under another one.
      What has no place in a data point of Open mHealth is left out and reported on standard error. Its
      identifiers are made from the records and from --subject, any word: name the person where records
      of several persons come together.

      What looks wrong is converted, too, and reported as a warning: values that no living person has
      (which open-mhealth leaves out), a systolic pressure that is not above the diastolic one, times
      that have not come yet.
      Warnings and what is left out do not change the exit status. A line that cannot be converted is
      reported with its number and makes it 1; the others are converted.

      example: santorio convert --to fhir --subject Patient/123 <records.ndjson
      """
  ) { arguments in
    var converter = try RecordConverter(arguments)
    return try converter.run()
  }
}

/// Converts the records of standard input.
struct RecordConverter {
  static let forms = Form.allCases.map(\.rawValue).joined(separator: ", ")

  /// The output format.
  private enum Form: String, CaseIterable {
    case inform, legacy, csv, fhir
    case openMHealth = "open-mhealth"
  }

  private let form: Form
  private let fhir: FHIREncoder
  private let source: LegacySource
  private let csv: RecordCSV
  private var openMHealth: OpenMHealthLines
  /// The entries of the Bundle; other formats are written line by line.
  private var records: [HealthRecord] = []
  /// Which of ``records`` has a `log_id`.
  private var indexes: [String: Int] = [:]
  /// The `log_id`s of what was written for health records.
  private var filed: Set<String> = []
  /// Which of ``records`` has an identifier of the Bundle.
  private var identifiers: [String: Int] = [:]
  private var status: Int32 = 0
  private let now = Date()
  private var counts = (records: 0, doubted: 0)

  init(_ arguments: Arguments) throws(UsageError) {
    guard arguments.operands.isEmpty else {
      throw UsageError(
        "\"convert\" reads standard input and takes options only.", command: "convert")
    }
    guard let form = try arguments.choice("to", of: Form.self) else {
      throw UsageError(
        "--to is missing; it takes \(Form.allCases.map(\.rawValue).alternatives).",
        command: "convert")
    }
    self.form = form
    let subject = try Self.subject(arguments, for: form)
    source = try Self.source(arguments, for: form)
    fhir = try Self.fhir(arguments, for: form, subject)
    openMHealth = OpenMHealthLines(OpenMHealthEncoder(subject: subject))
    guard form == .csv || !arguments.has("bom") else {
      throw UsageError("--bom goes with \"--to csv\".", command: "convert")
    }
    csv = RecordCSV(hasByteOrderMark: arguments.has("bom"))
  }

  private static func subject(
    _ arguments: Arguments, for form: Form
  ) throws(UsageError) -> String {
    let subject = arguments["subject"] ?? ""
    let isRight =
      switch form {
      case .fhir: isReference(subject)
      case .openMHealth: true
      case .inform, .legacy, .csv: !arguments.has("subject")
      }
    guard isRight else {
      throw UsageError(
        "--subject takes a reference such as Patient/123; \"--to fhir\" needs it, "
          + "\"--to open-mhealth\" takes any word, and the other formats do not take it.",
        command: "convert")
    }
    return subject
  }

  private static func fhir(
    _ arguments: Arguments, for form: Form, _ subject: String
  ) throws(UsageError) -> FHIREncoder {
    let profile = try arguments.choice("fhir-profile", of: FHIRProfile.self)
    let gateway = arguments["gateway"]
    guard form == .fhir || profile == nil, profile == .phd || gateway == nil else {
      throw UsageError(
        "--fhir-profile goes with \"--to fhir\", and --gateway with \"--fhir-profile phd\".",
        command: "convert")
    }
    return FHIREncoder(
      subject: subject, profile: profile ?? .standard,
      gateway: FHIRGateway(identifier: gateway ?? "gateway"))
  }

  private static func source(
    _ arguments: Arguments, for form: Form
  ) throws(UsageError) -> LegacySource {
    let (name, displayName) = (arguments["source"], arguments["source-name"])
    guard name != nil || displayName != nil else { return .validicMobile }
    guard form == .legacy, let name, let displayName else {
      throw UsageError(
        "--source and --source-name go with \"--to legacy\", each with a name, and both or neither.",
        command: "convert")
    }
    return LegacySource(name: name, displayName: displayName)
  }

  private static func isReference(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// Reads, converts, writes; returns the exit status.
  mutating func run() throws(CommandError) -> Int32 {
    if form == .csv { print(csv.header, terminator: "") }
    var (input, number) = (StandardInput(), 0)
    while let line = try input.line() {
      number += 1
      guard !line.isBlank else { continue }
      do throws(RecordError) {
        try convert(HealthRecord(informJSON: line), from: number)
      } catch {
        report("line \(number): \(error)")
      }
    }
    if form == .fhir, fhir.profile != .ehr { writeBundle() }
    reportCounts()
    return status
  }

  private mutating func writeBundle() {
    do throws(RecordError) {
      write(try fhir.bundle(of: records))
    } catch {
      report("\(error)")
    }
  }

  /// Says at the end what a reader of a long list of warnings looks for.
  private func reportCounts() {
    if counts.doubted > 0 {
      printError(
        "santorio: warning: records that look wrong: \(counts.doubted) of \(counts.records)")
    }
    if let summary = openMHealth.summary { printError("santorio: \(summary)") }
  }

  private mutating func convert(
    _ record: HealthRecord, from line: Int
  ) throws(RecordError) {
    try write(record, from: line)
    let warnings = record.sanityWarnings(now: now)
    for warning in warnings { printError("santorio: line \(line): warning: \(warning)") }
    counts.records += 1
    counts.doubted += warnings.isEmpty ? 0 : 1
  }

  private mutating func write(_ record: HealthRecord, from line: Int) throws(RecordError) {
    switch form {
    case .inform: write(try record.informJSON())
    case .legacy: write(Self.line(of: try record.legacyForm(source: source)))
    case .csv: print(try csv.rows(of: record), terminator: "")
    case .openMHealth: try openMHealth.write(record, from: "line \(line)")
    case .fhir where fhir.profile == .ehr: try file(record, from: line)
    case .fhir: try addToBundle(record)
    }
  }

  /// Adds a record, or puts a correction in the place of what it corrects.
  ///
  /// Errors are detected here, while the line is known: one that came up with the whole Bundle would
  /// leave nothing of it.
  private mutating func addToBundle(_ record: HealthRecord) throws(RecordError) {
    let earlier = indexes[record.logID]
    guard earlier == nil || record.replacesEarlier else {
      throw RecordError(.invalidValue, at: "log_id", "an earlier line has the same")
    }
    let place = earlier ?? records.count
    let new = try fhir.identifiers(of: record)
    guard new.allSatisfy({ identifiers[$0] ?? place == place }) else {
      throw RecordError(
        .invalidValue, at: "log_id",
        "with the name of a part it makes an identifier that an earlier line has")
    }
    if let earlier {
      for old in try fhir.identifiers(of: records[earlier]) { identifiers[old] = nil }
      records[earlier] = record
    } else {
      indexes[record.logID] = place
      records.append(record)
    }
    for identifier in new { identifiers[identifier] = place }
  }

  /// Writes each Observation for itself; what a health record cannot hold is named and left out.
  private mutating func file(_ record: HealthRecord, from line: Int) throws(RecordError) {
    let filings = try fhir.filings(of: record)
    guard filed.insert(record.logID).inserted else {
      throw RecordError(.invalidValue, at: "log_id", "an earlier line has the same")
    }
    for filing in filings {
      switch filing.json {
      case .success(let json): write(json)
      case .failure(let error): report("line \(line): \(error)")
      }
    }
  }

  private static func line(of legacy: LegacyEncoder) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.optional("type", legacy.recordClass.rawValue)
      json.key("record")
      json.value(legacy.json)
    }
    return json.bytes
  }

  private func write(_ bytes: [UInt8]) { print(String(decoding: bytes, as: UTF8.self)) }

  private mutating func report(_ message: String) {
    printError("santorio: \(message)")
    status = 1
  }
}

extension [UInt8] {
  fileprivate var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d } }
}
