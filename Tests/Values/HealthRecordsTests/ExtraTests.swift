// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `Extras of a record` {
  private static let nested: [String: ExtraValue] = [
    "list": [1, "two", false, .null, []], "nothing": .null,
    "object": ["b": ["deep": [[-0.5]]], "a \"quoted\"": [:]],
  ]
  private static let text = #"""
    "extras":{"list":[1,"two",false,null,[]],"nothing":null,\#
    "object":{"a \"quoted\"":{},"b":{"deep":[[-0.5]]}}}
    """#

  private func record(_ extras: [String: ExtraValue]) -> HealthRecord {
    var record = HealthRecord(
      logID: "a",
      time: RecordTime(
        start: KindExample.morning, origin: .device, received: KindExample.morning),
      source: RecordSource(type: .bluetooth), metrics: [Metric(.bodyWeight, 70)])
    record.extras = extras
    return record
  }

  @Test func `are any JSON in the Inform form, and are read as they were written`() throws {
    let record = record(Self.nested)
    let json = try record.informJSON()
    #expect(
      String(decoding: json, as: UTF8.self) == #"""
        {"log_id":"a","type":"measurement","version":"1.0","start_time":"2023-11-21T06:00:00Z",\#
        "end_time":"2023-11-21T06:00:00Z",\#
        "time":{"origin":"device","received":"2023-11-21T06:00:00Z"},\#
        "source":{"type":"bluetooth","device":null},\#
        "metrics":[{"type":"body_weight","origin":"device","unit":"kg","value":70}],\#(Self.text)}
        """#)
    #expect(try HealthRecord(informJSON: json) == record)
  }

  @Test func `are any JSON in the Legacy form`() throws {
    #expect(
      String(decoding: try record(Self.nested).legacyForm().json, as: UTF8.self) == #"""
        {"timestamp":"2023-11-21T06:00:00+00:00","source":"validicmobile",\#
        "source_name":"ValidicMobile","intermediary_source":"ValidicMobile Bluetooth",\#
        "activity_id":"a","weight":70,\#
        "extras":{"list":[1,"two",false,null,[]],"nothing":null,\#
        "object":{"a \"quoted\"":{},"b":{"deep":[[-0.5]]}},\#
        "received":"2023-11-21T06:00:00Z","time_origin":"device"}}
        """#)
  }

  @Test func `are components of FHIR, lists and objects as the text of their JSON`() throws {
    let observations = try FHIREncoder(subject: "Patient/1").observations(of: record(Self.nested))
    #expect(observations.count == 1)
    let text = String(decoding: observations[0], as: UTF8.self)
    #expect(
      text.hasSuffix(
        #"""
        {"code":{"coding":[{"system":"urn:santorio:extra","code":"list"}],"text":"list"},\#
        "valueString":"[1,\"two\",false,null,[]]"},\#
        {"code":{"coding":[{"system":"urn:santorio:extra","code":"nothing"}],"text":"nothing"},\#
        "dataAbsentReason":{"coding":[{"system":\#
        "http://terminology.hl7.org/CodeSystem/data-absent-reason","code":"unknown"}]}},\#
        {"code":{"coding":[{"system":"urn:santorio:extra","code":"object"}],"text":"object"},\#
        "valueString":"{\"a \\\"quoted\\\"\":{},\"b\":{\"deep\":[[-0.5]]}}"}]}
        """#), "\(text)")
  }

  @Test func `have no column in a table`() throws {
    #expect(
      try RecordCSV().rows(of: record(Self.nested)) == RecordCSV().rows(of: record([:])))
  }

  @Test func `read an object with duplicate names as no JSON`() {
    let text = Example.json.dropLast() + #","extras":{"a":{"b":1,"b":2}}}"#
    let error = #expect(throws: RecordError.self) { try HealthRecord(informJSON: text.utf8) }
    #expect(error?.code == .malformedJSON)
  }

  // MARK: - Limits

  private func lists(_ depth: Int, in innermost: ExtraValue = 1) -> ExtraValue {
    (0..<depth).reduce(innermost) { value, _ in [value] }
  }

  private func error(_ extras: [String: ExtraValue]) -> RecordError? {
    do throws(RecordError) {
      _ = try record(extras).informJSON()
      return nil
    } catch {
      return error
    }
  }

  private func tooDeep(_ path: String) -> RecordError {
    RecordError(.tooDeep, at: path, "at most 16 lists and objects stand in one another")
  }

  @Test func `are sixteen lists and objects deep at most`() {
    #expect(error(["a": lists(16)]) == nil)
    #expect(error(["a": lists(15, in: ["x": 1])]) == nil)
    let zeros = String(repeating: "[0]", count: 15)
    #expect(error(["a": lists(17)]) == tooDeep("extras[0]" + zeros + "[0]"))
    #expect(error(["a": 1, "b": lists(16, in: [:])]) == tooDeep("extras[1]" + zeros + "[0]"))
  }

  @Test func `are refused when they are read too deep`() throws {
    let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
    let text = Example.json.dropLast() + #","extras":{"a":\#(deep)}}"#
    let error = #expect(throws: RecordError.self) { try HealthRecord(informJSON: text.utf8) }
    #expect(error?.code == .tooDeep)
  }

  @Test func `are ten thousand values at most, lists and objects counted`() {
    let values = [ExtraValue](repeating: 1, count: 9_999)
    #expect(error(["a": .list(values)]) == nil)
    #expect(
      error(["a": .list(values), "b": 1])
        == RecordError(.tooLarge, at: "extras[1]", "a record has at most 10000 values here"))
  }

  @Test func `take 262,144 bytes of names and texts at most`() {
    let text = String(repeating: "é", count: 131_070)
    #expect(error(["a": ["b": .text(text), "cc": 1]]) == nil)
    #expect(
      error(["a": ["b": .text(text), "ccc": 1]])
        == RecordError(
          .tooLarge, at: "extras[0][1]", "names and texts take at most 262144 bytes in a record"))
    #expect(error(["é": .text(text), "ab": 1])?.path == nil)
    #expect(error(["é": .text(text), "abc": 1])?.path == "extras[1]")
  }

  @Test func `are finite numbers, wherever they stand`() {
    #expect(
      error(["a": [1, ["x": .number(.infinity)]]])
        == RecordError(.notFinite, at: "extras[0][1][0]", "must be a finite number"))
  }
}
