// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `FHIR Observations of deleted records` {
  private let encoder = FHIREncoder(subject: "Patient/1")

  private func deletion(
    _ kind: RecordKind? = nil, _ metrics: [MetricType] = []
  ) -> RecordDeletion {
    RecordDeletion(
      of: "a", noticed: Date(timeIntervalSince1970: 1_772_600_000), kind: kind, metrics: metrics)
  }

  /// The addresses of the requests of a Bundle.
  private func addresses(_ bytes: [UInt8]) throws -> [String] {
    try JSONReader(parsing: bytes).member("entry").elements().map {
      try $0.member("request").member("url").string()
    }
  }

  @Test func `are entered in error and have no values`() throws {
    let bundle = try encoder.bundle(of: [], deleting: [deletion(nil, [.bodyWeight])])
    let entry = try JSONReader(parsing: bundle).member("entry").elements()[0]
    #expect(try entry.member("request").member("method").string() == "PUT")
    #expect(
      try addresses(bundle) == [
        "Observation?identifier=urn:santorio:log_id|a/body_weight&subject=Patient/1"
      ])
    let text = String(decoding: bundle, as: UTF8.self)
    #expect(
      text.contains(
        """
        {"resourceType":"Observation","identifier":[{"system":"urn:santorio:log_id",\
        "value":"a/body_weight"}],"status":"entered-in-error","code":{"coding":[\
        {"system":"urn:santorio:metric","code":"body_weight"}],"text":"body weight"},\
        "subject":{"reference":"Patient/1"},"issued":"2026-03-04T04:53:20Z",\
        "note":[{"text":"Deleted at its source"}]}
        """), "\(text)")
  }

  /// A deletion must name the Observations that the record has made.
  @Test(arguments: [
    [Metric(.bodyWeight, 70), Metric(.bmi, 22)],
    [Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.pulse, 60)],
    [Metric(.diastolic, 80), Metric(.meanArterialPressure, 90)],
    [Metric(.meanArterialPressure, 90)],
  ])
  func `have the identifiers of the record's`(metrics: [Metric]) throws {
    var record = FHIRExample.measurement(metrics)
    record.lastUpdated = FHIRExample.instant
    let deletion = RecordDeletion(of: record, noticed: FHIRExample.instant)

    let made = try addresses(encoder.bundle(of: [record]))
    let named = try addresses(encoder.bundle(of: [], deleting: [deletion]))

    #expect(named == made.filter { $0.hasPrefix("Observation?") })
    #expect(encoder.entryCount(deleting: deletion) == named.count)
  }

  @Test(arguments: [RecordKind.workout, .sleep, .nutrition])
  func `of a kind with one Observation need no metric`(kind: RecordKind) throws {
    let bundle = try encoder.bundle(of: [], deleting: [deletion(kind)])
    #expect(
      try addresses(bundle) == [
        "Observation?identifier=urn:santorio:log_id|a/\(kind.rawValue)&subject=Patient/1"
      ])
  }

  @Test(arguments: [
    (RecordKind?.none, "metric_types"), (.measurement, "metric_types"), (.intraday, "type"),
    (.cgm, "type"), (.deviceStatus, "type"), (.rejected, "type"),
  ])
  func `are none where a deletion cannot name them`(kind: RecordKind?, path: String) {
    let deletion = deletion(kind, kind == .intraday ? [.pulse] : [])
    let error = #expect(throws: RecordError.self) {
      try encoder.bundle(of: [], deleting: [deletion])
    }
    #expect(error?.path == path)
    #expect(encoder.entryCount(deleting: deletion) == 0)
  }

  @Test func `come after those of records`() throws {
    let record = FHIRExample.measurement([Metric(.bodyWeight, 70)])
    let bundle = try encoder.bundle(of: [record], deleting: [deletion(nil, [.pulse])])
    let text = String(decoding: bundle, as: UTF8.self)
    let last = try #require(text.range(of: "entered-in-error"))
    let first = try #require(text.range(of: "\"final\""))
    #expect(first.lowerBound < last.lowerBound)
  }
}
