// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import Testing

@testable import HealthRecords

@Suite struct `A reading for an electronic health record` {
  private let form = FHIREncoder(subject: "Patient/123", profile: .ehr)

  private func record(
    _ metrics: [Metric], change: (inout HealthRecord) -> Void = { _ in }
  ) -> HealthRecord {
    var record = FHIRExample.measurement(metrics)
    record.time.origin = .device
    change(&record)
    return record
  }

  private func texts(_ record: HealthRecord, _ form: FHIREncoder? = nil) throws -> [String] {
    try (form ?? self.form).observations(of: record).map { String(decoding: $0, as: UTF8.self) }
  }

  private func objects(_ record: HealthRecord) throws -> [FHIRObject] {
    try form.observations(of: record).map { try FHIRObject($0) }
  }

  /// Why each part cannot be written; nil for one that can.
  private func refusals(_ record: HealthRecord) throws -> [String?] {
    try form.filings(of: record).map { filing in
      if case .failure(let error) = filing.json { "\(error)" } else { nil }
    }
  }

  @Test func `is one plain Observation a value`() throws {
    let records = record([
      Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.pulse, 61),
    ])
    let head = #"""
      {"resourceType":"Observation","identifier":[{"system":"urn:santorio:log_id","value":"m1/
      """#
    let middle = #"""
      "}],"status":"final","category":[{"coding":[{"system":\#
      "http://terminology.hl7.org/CodeSystem/observation-category","code":"vital-signs"}]}],"code":
      """#
    let about = #"""
      ,"subject":{"reference":"Patient/123"},"effectiveDateTime":"2018-04-17T15:51:00+02:00",
      """#
    func code(_ code: String, _ text: String) -> String {
      #"{"coding":[{"system":"http://loinc.org","code":"\#(code)"}],"text":"\#(text)"}"#
    }
    func quantity(_ value: Int, _ unit: String, _ ucum: String) -> String {
      #""valueQuantity":{"value":\#(value),"unit":"\#(unit)","system":"http://unitsofmeasure.org","code":"\#(ucum)"}"#
    }
    let found = try texts(records)
    #expect(
      found == [
        head.dropLast(0) + "blood_pressure" + middle + code("85354-9", "Blood pressure") + about
          + #""component":[{"code":"# + code("8480-6", "Systolic blood pressure") + ","
          + quantity(120, "mmHg", "mm[Hg]") + #"},{"code":"#
          + code("8462-4", "Diastolic blood pressure") + "," + quantity(80, "mmHg", "mm[Hg]")
          + "}]}",
        head.dropLast(0) + "pulse" + middle + code("8867-4", "Pulse rate") + about
          + quantity(61, "bpm", "/min") + "}",
      ])
  }

  @Test func `names who answers for it, the encounter, and the category as the record wants it`()
    throws
  {
    var form = form
    form.chart = FHIRChart(
      performer: "Practitioner/7", encounter: "Encounter/8",
      categorySystem: "http://hl7.org/fhir/observation-category")
    let text = try texts(record([Metric(.bodyWeight, 70)]), form)[0]
    #expect(text.contains(#""performer":[{"reference":"Practitioner/7"}]"#))
    #expect(text.contains(#""encounter":{"reference":"Encounter/8"}"#))
    #expect(
      text.contains(
        #"[{"system":"http://hl7.org/fhir/observation-category","code":"vital-signs"}]"#))
  }

  @Test func `has one code, that of the profile, and says in words what is finer`() throws {
    let oral = record([Metric(.bodyTemperature, 37.5)]) {
      $0.tags.append(RecordTag(name: "temperature_type", value: "mouth"))
    }
    let object = try #require(try objects(oral).first)
    #expect(object["code"].codes == ["http://loinc.org|8310-5"])
    #expect(object["note"][0]["text"].text?.contains("mouth") == true)
  }

  @Test func `says in a note what else is to be known, the doubt first`() throws {
    let device = SourceDevice(id: "1", manufacturer: "Acme", model: "P1", userSlot: 2)
    var doubtful = FHIRExample.measurement([Metric(.oxygenSaturation, 91)], device: device)
    doubtful.time.origin = .received
    doubtful.tags = [RecordTag(name: "poor_signal", value: "true")]
    doubtful.comment = "after the stairs"
    let object = try #require(try objects(doubtful).first)
    #expect(
      object["note"][0]["text"].text
        == "questionable; time of receipt; Acme P1; poor signal; after the stairs"
    )
    #expect(object["interpretation"].text == nil)
    #expect(object["device"]["reference"].text == nil)
  }

  @Test func `keeps a note within 254 characters`() throws {
    let long = record([Metric(.pulse, 61)]) { $0.comment = String(repeating: "é", count: 400) }
    let note = try #require(try objects(long)[0]["note"][0]["text"].text)
    #expect(note.count == 254 && note.hasSuffix("é…"))
    let exact = record([Metric(.pulse, 61)]) { $0.comment = String(repeating: "é", count: 254) }
    #expect(try objects(exact)[0]["note"][0]["text"].text == exact.comment)
  }

  @Test func `has the mean pressure in the note, since records have no row for it`() throws {
    let cuff = record([
      Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.meanArterialPressure, 93),
    ])
    let object = try objects(cuff)[0]
    #expect(object["component"].elements.count == 2)
    #expect(object["note"][0]["text"].text == "mean 93 mmHg")
  }

  @Test func `is refused part by part where it cannot be said so`() throws {
    let low = Metric(.bloodGlucose, absent: .belowRange, unit: "mg/dL")
    let bound = Metric(.bloodGlucose, 600, unit: "mg/dL", bound: .above)
    let numbersOnly =
      "a health record takes numbers only; enter what is missing or beyond the device's range by hand"
    #expect(
      try refusals(record([low, Metric(.pulse, 61)])) == [
        "invalid_value at metrics(blood_glucose): \(numbersOnly)", nil,
      ])
    #expect(try refusals(record([bound]))[0]?.hasSuffix(numbersOnly) == true)
    let high = record([Metric(.bloodGlucose, 600, unit: "mg/dL")]) { $0.glucoseRange = .high }
    #expect(try refusals(high)[0]?.hasSuffix(numbersOnly) == true)
    #expect(try refusals(record([Metric(.systolic, 120)]))[0]?.hasSuffix(numbersOnly) == true)
    let own = Metric(MetricType(rawValue: "own_score"), 3, unit: "points")
    #expect(
      try refusals(record([own])) == [
        "invalid_value at metrics(own_score): has no LOINC code, "
          + "by which a health record knows what it is"
      ])
    #expect(throws: RecordError.self) { try form.observations(of: record([own])) }
  }

  @Test func `is refused as a whole where it is no final measurement at a known time`() throws {
    let pulse = [Metric(.pulse, 61)]
    let changes: [(String, (inout HealthRecord) -> Void)] = [
      ("type", { $0.kind = .summary }),
      ("type", { $0.kind = .workout }),
      ("last_updated", { $0.lastUpdated = FHIRExample.instant }),
      ("last_updated", { $0.enteredInError = FHIRExample.instant }),
      ("tags", { $0.tags = [RecordTag(name: "early_estimate", value: "true")] }),
      ("tags", { $0.tags = [RecordTag(name: "user_unknown", value: "true")] }),
      (
        "start_time",
        {
          $0.time.origin = .received
          $0.time.deviceTime = LocalDateTime("2000-01-01T00:00:00")
        }
      ),
    ]
    for (path, change) in changes {
      let error = #expect(throws: RecordError.self) {
        try form.observations(of: record(pulse, change: change))
      }
      #expect(error?.path == path)
    }
    #expect(throws: RecordError.self) { try form.bundle(of: [record(pulse)]) }
  }

  @Test func `says in the note how wrong the clock is, and how long it lasted`() throws {
    let late = record([Metric(.pulse, 61)]) {
      $0.time.clockDriftSeconds = 7200
      $0.time.end = $0.time.start + 3600
      $0.extras = ["position": "sitting"]
    }
    #expect(
      try objects(late)[0]["note"][0]["text"].text
        == "device's clock 120 min ahead; until 2018-04-17T16:51:00+02:00; position: sitting")
  }

  @Test func `counts the characters of a note as its reader does`() throws {
    let family = record([Metric(.pulse, 61)]) {
      $0.comment = String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", count: 100)
    }
    let note = try #require(try objects(family)[0]["note"][0]["text"].text)
    #expect(note.utf16.count <= 254 && note.hasSuffix("…"))
  }

  @Test func `is a blood pressure though the mean is beyond the device's range`() throws {
    let cuff = record([
      Metric(.systolic, 120), Metric(.diastolic, 80),
      Metric(.meanArterialPressure, absent: .aboveRange),
    ])
    #expect(try refusals(cuff) == [nil])
  }

  // MARK: - Finding it again

  private func filing(_ metrics: [Metric]) throws -> FHIRFiling {
    try #require(try form.filings(of: record(metrics)).first)
  }

  private func isSame(_ filing: FHIRFiling, _ text: String) throws -> Bool {
    filing.isSame(as: try JSONReader(parsing: Array(text.utf8)))
  }

  @Test func `is searched by patient, code and time`() throws {
    let filing = try filing([Metric(.pulse, 61)])
    #expect(
      filing.search
        == "patient=123&code=http://loinc.org%7C8867-4&date=ge2018-04-17T13:51:00Z"
        + "&date=lt2018-04-17T13:51:01Z")
    #expect(
      filing.condition == "identifier=urn:santorio:log_id|m1/pulse&subject=Patient/123")
  }

  @Test func `is recognised by its identifier, or by code, second and number`() throws {
    let filing = try filing([Metric(.pulse, 61)])
    let own = try texts(record([Metric(.pulse, 61)]))[0]
    #expect(try isSame(filing, own))
    let head = #"{"resourceType":"Observation","status":"final","code":{"coding":[{"system":"#
    let code = #""http://loinc.org","code":"8867-4"}]},"effectiveDateTime":"#
    func found(
      _ time: String, _ value: String, unit: String = "/min", code: String = code
    ) -> String {
      head + code + #""\#(time)","valueQuantity":{"value":\#(value),"code":"\#(unit)"}}"#
    }
    #expect(try isSame(filing, found("2018-04-17T13:51:00.000Z", "61")))
    #expect(try isSame(filing, found("2018-04-17T09:51:00-04:00", "61.0")))
    #expect(try !isSame(filing, found("2018-04-17T13:51:00Z", "61", unit: "/s")))
    #expect(try !isSame(filing, found("2018-04-17T13:51:01Z", "61")))
    #expect(try !isSame(filing, found("2018-04-17T13:51:00Z", "62")))
    let other = code.replacing("8867-4", with: "8480-6")
    #expect(try !isSame(filing, found("2018-04-17T13:51:00Z", "61", code: other)))
    let withdrawn = own.replacing("final", with: "entered-in-error")
    #expect(try !isSame(filing, withdrawn))
    #expect(try !isSame(filing, #"{"resourceType":"OperationOutcome"}"#))
  }

  @Test func `is recognised when the server has converted it, and not by another number`() throws {
    let filing = try filing([Metric(.bodyWeight, 86.55)])
    func found(_ value: String, _ unit: String) -> String {
      #"{"resourceType":"Observation","code":{"coding":[{"system":"http://loinc.org","#
        + #""code":"29463-7"}]},"effectiveDateTime":"2018-04-17T13:51:00Z","#
        + #""valueQuantity":{"value":\#(value),"code":"\#(unit)"}}"#
    }
    #expect(try isSame(filing, found("86.55", "kg")))
    #expect(try isSame(filing, found("190.81", "[lb_av]")))
    #expect(try !isSame(filing, found("86.9", "kg")))
    #expect(try !isSame(filing, found("12", "[lb_av]")))
    #expect(try !isSame(filing, found("86.55", "[stone_av]")))
  }

  @Test func `is recognised as a blood pressure by both numbers`() throws {
    let metrics = [Metric(.systolic, 120), Metric(.diastolic, 80)]
    let filing = try filing(metrics)
    let own = try texts(record(metrics))[0].replacing("urn:santorio:log_id", with: "x")
      .replacing("m1/blood_pressure", with: "y")
    #expect(try isSame(filing, own))
    #expect(try !isSame(filing, own.replacing(#""value":80"#, with: #""value":90"#)))
  }
}
