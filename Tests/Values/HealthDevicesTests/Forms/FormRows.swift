// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// What each form says of a record, as cells of a table.
struct FormRows {
  let record: HealthRecord

  /// The rows of each form: its name in the first of them, and what it says.
  var rows: [(form: String, text: String)] {
    rows("Inform") { try inform() }
      + rows("FHIR, `standard`") { try fhir(.standard) }
      + rows("FHIR, `phd`") { try fhir(.phd) }
      + rows("Open mHealth") { try openMHealth() }
      + rows("CSV") { try csv() }
  }

  private func rows(
    _ form: String, _ make: () throws -> [String]
  ) -> [(form: String, text: String)] {
    var texts: [String] = []
    do { texts = try make() } catch { texts = ["refused: \(error)"] }
    return texts.enumerated().map { index, text in (index == 0 ? form : "", text) }
  }

  // MARK: - Inform

  private func inform() throws -> [String] {
    let wanted = ["type", "start_time", "time", "metrics", "tags", "user_notes", "extras"]
    return RawJSON(try record.informJSON()).members.filter { wanted.contains($0.name) }
      .map { "`\"\($0.name)\":\($0.value.text)`" }
  }

  // MARK: - FHIR

  private func fhir(_ profile: FHIRProfile) throws -> [String] {
    let encoder = FHIREncoder(subject: "Patient/123", profile: profile)
    let entries = RawJSON(try encoder.bundle(of: [record]))["entry"]?.elements ?? []
    return entries.compactMap { $0["resource"] }.filter {
      $0["identifier"]?.elements.first?["system"]?.string == FHIREncoder.identifierSystem
    }.map(observation)
  }

  private func observation(_ json: RawJSON) -> String {
    let profiles = json["meta"]?["profile"]?.elements.map { Self.lastPart($0.string) } ?? []
    let lines =
      [profiles.isEmpty ? "no profile" : "profile \(code(profiles))"]
      + json.members.compactMap { name, value in
        switch name {
        case "status": "status \(code([value.string]))"
        case "category": "category \(code(value.elements.flatMap(codes)))"
        case "code", "bodySite": "\(name) \(code(codes(value)))"
        case "interpretation": "interpretation \(code(value.elements.flatMap(codes)))"
        case "dataAbsentReason": "dataAbsentReason \(code(codes(value)))"
        case "effectiveDateTime", "issued": "\(name) \(code([value.string]))"
        case "_effectiveDateTime": "`\"\(name)\":\(value.text)`"
        case _ where name.hasPrefix("value"): "`\"\(name)\":\(value.text)`"
        default: nil
        }
      }
    let parts = json["component"]?.elements.map(component) ?? []
    return (lines + parts).joined(separator: "; ")
  }

  private func component(_ json: RawJSON) -> String {
    let value = json.members.first { $0.name != "code" }
    let text = value.map {
      $0.name == "dataAbsentReason" ? codes($0.value)[0] : String($0.value.text)
    }
    return "component \(code(json["code"].map(codes) ?? [])) `\(text ?? "")`"
  }

  /// The codes of a concept, each after the short name of its system.
  private func codes(_ concept: RawJSON) -> [String] {
    let codings = concept["coding"]?.elements ?? []
    return codings.map { coding in
      let (system, code) = (coding["system"]?.string ?? "", coding["code"]?.string ?? "")
      return [Self.systems[system] ?? Self.lastPart(system), code].filter { !$0.isEmpty }
        .joined(separator: " ")
    }
  }

  private func code(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }

  private static func lastPart(_ address: String) -> String {
    address.split(whereSeparator: { "/:".contains($0) }).last.map(String.init) ?? ""
  }

  private static let systems = [
    "http://loinc.org": "LOINC", "urn:iso:std:iso:11073:10101": "MDC",
    "http://snomed.info/sct": "SNOMED",
    "http://terminology.hl7.org/CodeSystem/observation-category": "",
    "http://terminology.hl7.org/CodeSystem/data-absent-reason": "",
    "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation": "",
    "http://hl7.org/fhir/uv/phd/CodeSystem/PhdObservationCategories": "",
    "http://hl7.org/fhir/uv/pocd/CodeSystem/measurement-status": "",
  ]

  // MARK: - Open mHealth and CSV

  private func openMHealth() throws -> [String] {
    let result = try OpenMHealthEncoder().dataPoints(of: record)
    return result.dataPoints.map { point in
      let json = RawJSON(point)
      let schema = json["header"]?["schema_id"]
      return "\(code([schema?["name"]?.string ?? ""])) `\(json["body"]?.text ?? "")`"
    } + result.omissions.map { "\($0.description)" }
  }

  private func csv() throws -> [String] {
    let wanted: Set = [
      "start_time", "offset", "time_origin", "device_time", "metric", "value", "qualifier", "unit",
      "shown_value", "shown_unit", "tags", "notes",
    ]
    return try RecordCSV().rows(of: record).split(separator: "\r\n").map { line in
      zip(RecordCSV.columns, cells(line)).filter { wanted.contains($0) && !$1.isEmpty }
        .map { "`\($0)=\($1)`" }.joined(separator: " ")
    }
  }

  /// The cells of a line without line breaks and quotation marks in its cells.
  private func cells(_ line: Substring) -> [String] {
    var cells = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
    }
    return cells
  }
}
