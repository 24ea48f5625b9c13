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
        {"fullUrl":"urn:uuid:29c1b289-e752-8195-b362-e44f54e05470","resource":\#(observation),\#
        "request":{"method":"POST","url":"Observation",\#
        "ifNoneExist":"identifier=urn:santorio:log_id|m2"}}]}
        """#)
  }

  @Test(arguments: [
    (RecordKind.summary, true), (.intraday, true), (.measurement, false), (.workout, false),
    (.sleep, false), (.nutrition, false), (.cgm, false),
  ])
  func `updates what is told again under one identifier`(kind: RecordKind, isUpdate: Bool) throws {
    let record = FHIRExample.hour(kind, [Metric(.steps, 5)])
    let request = try #require(try entries([record]).first)["request"]
    #expect(request["method"].text == (isUpdate ? "PUT" : "POST"))
    #expect(
      request["url"].text
        == (isUpdate ? "Observation?identifier=urn:santorio:log_id|h1/steps" : "Observation"))
    #expect(
      request["ifNoneExist"].text == (isUpdate ? nil : "identifier=urn:santorio:log_id|h1"))
  }

  @Test func `keeps an identifier when a metric is added to a day`() throws {
    let identifiers = try [[Metric(.steps, 5)], [Metric(.floors, 1), Metric(.steps, 6)]].map {
      try FHIRExample.objects(FHIRExample.hour(.summary, $0)).compactMap {
        $0["identifier"][0]["value"].text
      }
    }
    #expect(identifiers == [["h1/steps"], ["h1/floors_climbed", "h1/steps"]])
  }

  @Test func `tells whose each entry is`() throws {
    let records = [weight, pressureAndPulse]
    #expect(FHIRExample.form.entryOwners(of: records) == [0, 1, 1])
    #expect(
      try entries(records).map { $0["resource"]["identifier"][0]["value"].text } == [
        "m2", "m1/blood_pressure", "m1/pulse",
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
    var clash = weight
    clash.logID = "m1/pulse"
    for records in [[weight, weight], [pressureAndPulse, clash]] {
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
        == "identifier=urn:santorio:log_id|a%5C%7Cb%5C%2Cc%5C%24d%5C%5Ce%26f%2Bg%23h%25i%3Dj%3Fk/l")
  }
}
