// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `FHIR Bundle` {
  private let pressureAndPulse = FHIRExample.measurement([
    Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.pulse, 60),
  ])
  private let weight = FHIRExample.measurement([Metric(.bodyWeight, 70)], logID: "m2")

  private func entries(_ records: [HealthRecord]) throws -> [FHIRObject] {
    try FHIRObject(FHIRExample.form.bundle(of: records))["entry"].elements
  }

  @Test func `creates under the condition that the identifier is new`() throws {
    let observation = try #require(try FHIRExample.observations(weight).first)
    #expect(
      String(decoding: try FHIRExample.form.bundle(of: [weight]), as: UTF8.self) == #"""
        {"resourceType":"Bundle","type":"batch","entry":[\#
        {"fullUrl":"urn:uuid:3d4fdcac-be2e-802a-9726-c13e8c090a58","resource":\#(observation),\#
        "request":{"method":"POST","url":"Observation",\#
        "ifNoneExist":"identifier=urn:santorio:log_id|m2/body_weight&subject=Patient/123"}}]}
        """#)
  }

  @Test(arguments: [
    (RecordKind.summary, true, "steps"), (.intraday, true, "steps"), (.cgm, false, "steps"),
    (.measurement, false, "steps"), (.workout, false, "workout"), (.sleep, true, "sleep"),
    (.nutrition, false, "nutrition"),
  ])
  func `updates what is sent again under one identifier`(
    kind: RecordKind, isUpdate: Bool, part: String
  ) throws {
    let record = FHIRExample.hour(kind, [Metric(.steps, 5)])
    let request = try #require(try entries([record]).first)["request"]
    let search = "identifier=urn:santorio:log_id|h1/\(part)&subject=Patient/123"
    #expect(request["method"].text == (isUpdate ? "PUT" : "POST"))
    #expect(request["url"].text == (isUpdate ? "Observation?\(search)" : "Observation"))
    #expect(request["ifNoneExist"].text == (isUpdate ? nil : search))
  }

  @Test func `updates a measurement that says when it was changed`() throws {
    var corrected = weight
    corrected.lastUpdated = FHIRExample.instant.addingTimeInterval(60)
    let entry = try #require(try entries([corrected]).first)
    #expect(entry["request"]["method"].text == "PUT")
    #expect(
      entry["request"]["url"].text
        == "Observation?identifier=urn:santorio:log_id|m2/body_weight&subject=Patient/123")
    #expect(!entry["request"]["ifNoneExist"].exists)
    #expect(entry["resource"]["issued"].text == "2018-04-17T15:52:00+02:00")
    #expect(entry["resource"]["status"].text == "corrected")
  }

  @Test func `takes back what was entered in error`() throws {
    var wrong = weight
    wrong.enteredInError = FHIRExample.instant.addingTimeInterval(120)
    let entry = try #require(try entries([wrong]).first)
    #expect(entry["request"]["method"].text == "PUT")
    #expect(entry["resource"]["status"].text == "entered-in-error")
    #expect(entry["resource"]["issued"].text == "2018-04-17T15:53:00+02:00")
    #expect(entry["resource"]["valueQuantity"]["value"].exists)
  }

  @Test func `finds and names an entry otherwise for another subject`() throws {
    let entries = try ["Patient/123", "Patient/7", "https://example.org/fhir/Patient/7?a=b&c"]
      .map { subject in
        try FHIRObject(FHIREncoder(subject: subject).bundle(of: [weight]))["entry"][0]
      }
    #expect(
      entries.map { $0["request"]["ifNoneExist"].text?.split(separator: "&").last } == [
        "subject=Patient/123", "subject=Patient/7",
        "subject=https://example.org/fhir/Patient/7%3Fa%3Db%26c",
      ])
    #expect(entries[1]["fullUrl"].text == "urn:uuid:d1d4e0bc-fd32-8f0f-80ca-b8185d314845")
    #expect(Set(entries.compactMap { $0["fullUrl"].text }).count == 3)
  }

  @Test func `keeps an identifier when a metric is added to a day`() throws {
    let identifiers = try [[Metric(.steps, 5)], [Metric(.floors, 1), Metric(.steps, 6)]].map {
      try FHIRExample.objects(FHIRExample.hour(.summary, $0)).compactMap {
        $0["identifier"][0]["value"].text
      }
    }
    #expect(identifiers == [["h1/steps"], ["h1/floors_climbed", "h1/steps"]])
  }

  @Test func `keeps an identifier when a metric is added to a measurement`() throws {
    let identifiers = try [[Metric(.pulse, 60)], [Metric(.pulse, 60), Metric(.bodyWeight, 70)]]
      .map { metrics in
        try FHIRExample.objects(FHIRExample.measurement(metrics)).compactMap {
          $0["identifier"][0]["value"].text
        }
      }
    #expect(identifiers == [["m1/pulse"], ["m1/pulse", "m1/body_weight"]])
  }

  @Test func `says which record each entry came from`() throws {
    let records = [weight, pressureAndPulse]
    #expect(FHIRExample.form.entryOwners(of: records) == [0, 1, 1])
    #expect(
      try entries(records).map { $0["resource"]["identifier"][0]["value"].text } == [
        "m2/body_weight", "m1/blood_pressure", "m1/pulse",
      ])
  }

  @Test func `has no list of entries when there are none`() throws {
    let bundle = try FHIRExample.form.bundle(of: [])
    #expect(String(decoding: bundle, as: UTF8.self) == #"{"resourceType":"Bundle","type":"batch"}"#)
    #expect(FHIRExample.form.entryOwners(of: []) == [])
  }

  @Test func `is the same each time and differs from record to record`() throws {
    let records = [weight, pressureAndPulse]
    #expect(try FHIRExample.form.bundle(of: records) == FHIRExample.form.bundle(of: records))
    let urls = try entries(records).compactMap { $0["fullUrl"].text }
    #expect(Set(urls).count == 3)
    for url in urls {
      #expect(
        url.wholeMatch(
          of: /urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
      )
    }
  }

  @Test func `refuses two entries of one identifier`() {
    // A second pulse of one record has a number.
    let twice = FHIRExample.measurement([Metric(.pulse, 60), Metric(.pulse, 61)])
    let clash = FHIRExample.measurement(
      [Metric(MetricType(rawValue: "2"), 1, unit: "1")], logID: "m1/pulse")
    for records in [[weight, weight], [twice, clash]] {
      let error = #expect(throws: RecordError.self) { try FHIRExample.form.bundle(of: records) }
      #expect(error?.path == "records[1].log_id")
    }
  }

  @Test func `escapes what has a meaning in a search`() throws {
    var record = weight
    record.logID = #"a|b,c$d\e&f+g#h%i=j?k/l"#
    let request = try #require(try entries([record]).first)["request"]
    #expect(
      request["ifNoneExist"].text
        == "identifier=urn:santorio:log_id|a%5C%7Cb%5C%2Cc%5C%24d%5C%5Ce%26f%2Bg%23h%25i%3Dj%3Fk/l"
        + "/body_weight&subject=Patient/123")
  }
}
