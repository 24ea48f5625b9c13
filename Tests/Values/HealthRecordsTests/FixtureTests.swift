// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

/// Made-up records of all kinds, one a line, as devices and people make them.
enum Fixture {
  static func lines() throws -> [String] {
    let url = try #require(
      Bundle.module.url(forResource: "records", withExtension: "ndjson", subdirectory: "Fixtures"))
    let text = try String(contentsOf: url, encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  static func records() throws -> [HealthRecord] {
    try lines().map { try HealthRecord(informJSON: $0.utf8) }
  }
}

@Suite struct `Fixture of records` {
  @Test func `is written as it was read`() throws {
    for line in try Fixture.lines() {
      let record = try HealthRecord(informJSON: line.utf8)
      #expect(String(decoding: try record.informJSON(), as: UTF8.self) == line)
    }
  }

  @Test func `has every kind and no record twice`() throws {
    let records = try Fixture.records()
    let kinds = Dictionary(grouping: records, by: \.kind).mapValues(\.count)
    #expect(
      kinds == [
        .measurement: 15, .summary: 2, .workout: 2, .sleep: 1, .nutrition: 2, .intraday: 2, .cgm: 1,
      ])
    #expect(Set(records.map(\.logID)).count == 25)
  }

  @Test func `has plausible values in the units of the table`() throws {
    for record in try Fixture.records() {
      let points = record.series.flatMap { series in
        series.points.map { Metric(series.type, $0.value, unit: series.unit) }
      }
      for metric in record.metrics + points {
        #expect(metric.unit == metric.type.definition?.unit)
        #expect(metric.isPlausible)
      }
    }
  }

  @Test func `has a Legacy record of every class`() throws {
    let forms = try Fixture.records().map { try $0.legacyForm() }
    #expect(Set(forms.map(\.recordClass)) == Set(LegacyRecord.allCases))
    for form in forms {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(form.json)) }
    }
  }
}
