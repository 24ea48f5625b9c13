// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioJSON
import TestSupport
import Testing

@Suite struct `The deletion of a record` {
  private let noticed = Date(timeIntervalSince1970: 1_772_600_000.25)

  private var whole: RecordDeletion {
    RecordDeletion(
      of: "r-1", noticed: noticed, kind: .measurement, reason: .byUser, source: .appleHealth,
      metrics: [.bodyWeight, .bmi])
  }

  private func read(_ json: String) throws(RecordError) -> RecordDeletion {
    try RecordDeletion(json: Array(json.utf8))
  }

  // MARK: - The form

  @Test func `has a form without values`() throws {
    #expect(
      try String(decoding: whole.json(), as: UTF8.self) == """
        {"deleted_at":"2026-03-04T04:53:20.250Z","log_id":"r-1","type":"measurement",\
        "reason":"deleted_by_user","source":{"type":"apple_health"},\
        "metric_types":["body_weight","bmi"]}
        """)
    #expect(
      try String(decoding: RecordDeletion(of: "r-1", noticed: noticed).json(), as: UTF8.self)
        == #"{"deleted_at":"2026-03-04T04:53:20.250Z","log_id":"r-1","reason":"deleted_at_source"}"#
    )
  }

  @Test func `is read as it was written`() throws {
    for deletion in [
      whole, RecordDeletion(of: "r-1", noticed: Date(timeIntervalSince1970: 1.0004)),
    ] {
      #expect(try RecordDeletion(json: deletion.json()) == deletion)
    }
  }

  @Test func `is read from the least that another sender gives`() throws {
    let deletion = try read(#"{"log_id":"a","deleted_at":"2026-03-04T05:53:20+01:00"}"#)
    #expect(
      deletion
        == RecordDeletion(of: "a", noticed: Date(timeIntervalSince1970: 1_772_600_000)))
  }

  @Test(arguments: [
    (#"{"deleted_at":"2026-03-04T04:53:20Z"}"#, "log_id"),
    (#"{"log_id":"a"}"#, "deleted_at"),
    (#"{"log_id":"a b","deleted_at":"2026-03-04T04:53:20Z"}"#, "log_id"),
    (#"{"log_id":"a","deleted_at":"yesterday"}"#, "deleted_at"),
    (#"{"log_id":"a","deleted_at":"1969-12-31T23:59:59Z"}"#, "deleted_at"),
    (#"{"log_id":"a","deleted_at":true}"#, "deleted_at"),
    (#"{"log_id":"a","deleted_at":"2026-03-04T04:53:20Z","type":""}"#, "type"),
    (#"{"log_id":"a","deleted_at":"2026-03-04T04:53:20Z","metrics":[]}"#, "metrics"),
    (#"{"log_id":"a","deleted_at":"2026-03-04T04:53:20Z","metric_types":[1]}"#, "metric_types[0]"),
    (#"{"log_id":"a","deleted_at":"2026-03-04T04:53:20Z","metric_types":[""]}"#, "metric_types"),
  ])
  func `is refused with the place of the fault`(json: String, path: String) {
    let error = #expect(throws: RecordError.self) { try read(json) }
    #expect(error?.path == path)
  }

  @Test func `is distinguished from every record by its first bytes`() throws {
    var random = SeededGenerator(seed: 1)
    #expect(try RecordDeletion.isForm(whole.json()))
    for _ in 0..<500 {
      #expect(try !RecordDeletion.isForm(HealthRecord.random(using: &random).informJSON()))
    }
    #expect(!RecordDeletion.isForm([]))
  }

  @Test func `is meant by JSON with a time of deletion and without values`() throws {
    func isMeant(_ json: String) throws -> Bool {
      RecordDeletion.isMeant(by: try JSONReader(parsing: Array(json.utf8)))
    }
    #expect(try isMeant(#"{"log_id":1,"deleted_at":"x"}"#))
    #expect(try !isMeant(#"{"deleted_at":null}"#))
    #expect(try !isMeant(#"{"deleted_at":"x","metrics":[]}"#))
    #expect(try !isMeant("[]"))
  }

  @Test func `is no record`() throws {
    let error = #expect(throws: RecordError.self) { try HealthRecord(informJSON: whole.json()) }
    #expect(error?.path == "deleted_at")
  }

  // MARK: - Order

  @Test(arguments: [(nil, true), (-1.0, true), (0.0, true), (0.001, false), (60.0, false)])
  func `counts unless the record says that it was changed later`(
    seconds: Double?, isDeleted: Bool
  ) {
    var record = Example.record
    record.logID = "r-1"
    record.lastUpdated = seconds.map { noticed.addingTimeInterval($0) }
    #expect(whole.supersedes(record) == isDeleted)
    #expect(whole.after(record).supersedes(record))
    #expect((whole.after(record) == whole) == isDeleted)
  }

  @Test func `of a record at hand says what that held`() {
    var record = Example.record
    record.metrics = [Metric(.systolic, 1), Metric(.systolic, 2), Metric(.pulse, 3)]
    let deletion = RecordDeletion(of: record, noticed: noticed)
    #expect(deletion.logID == record.logID)
    #expect(deletion.kind == record.kind)
    #expect(deletion.source == record.source.type)
    #expect(deletion.metrics == [.systolic, .pulse])
  }

  @Test func `is described and dumped without its record`() {
    var text = "\(whole)"
    dump(whole, to: &text)
    #expect(text.contains("deletion of a measurement record"))
    #expect(!text.contains("r-1"))
  }
}
