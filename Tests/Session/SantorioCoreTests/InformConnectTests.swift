// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport
import Testing

@testable import SantorioCore

private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

@Suite struct `Inform Connect as a destination` {
  private func destination() throws -> InformConnect {
    InformConnect(try url("https://partner.example/"))
  }

  private let stored = OutgoingRecord(
    "a",
    """
    {"log_id":"a","type":"measurement","version":"1.0","start_time":"2026-03-04T05:06:07Z",\
    "end_time":"2026-03-04T05:06:07Z","utc_offset":3600,"offset_origin":"source",\
    "time":{"origin":"device","received":"2026-03-04T05:06:08Z"},\
    "source":{"type":"bluetooth","device":{"id":"1","manufacturer":"A&D","model":"UA",\
    "serial_number":"s","battery":80}},\
    "metrics":[{"type":"systolic","origin":"device","unit":"mmHg","value":120.5}],\
    "user_notes":[{"type":"message","value":"ö"}],"extras":{"x":1},"media":[]}
    """)

  @Test func `sends what the published API describes, one record a request`() throws {
    #expect(try destination().maximumBatchRecords == 1)
    #expect(try destination().validation(of: alice) == nil)
    #expect(
      try destination().submission(of: [stored], of: alice).text == """
        POST https://partner.example/connect/provider/data/measurements
        Authorization: Bearer token-of-alice
        Content-Type: application/json

        {"log_id":"a","type":"measurement","version":"1.0","start_time":"2026-03-04T05:06:07Z",\
        "end_time":"2026-03-04T05:06:07Z","utc_offset":3600,"offset_origin":"source",\
        "source":{"type":"bluetooth","device":{"id":"1","manufacturer":"A&D","model":"UA"}},\
        "metrics":[{"type":"systolic","origin":"device","unit":"mmHg","value":120.5}],\
        "user_notes":[{"type":"message","value":"ö"}]}
        """)
  }

  @Test func `marks a time that is only that of receipt`() throws {
    let body = { (time: String) in
      let record = OutgoingRecord(
        "a",
        """
        {"log_id":"a","type":"measurement","start_time":"2026-03-04T05:06:07Z","time":\(time),\
        "source":{"type":"bluetooth"},"metrics":[{"type":"pulse","unit":"bpm","value":60}],\
        "tags":[{"name":"a","value":"b"}]}
        """)
      return try destination().submission(of: [record], of: alice).text
    }
    let mark = #",{"name":"measurement_time_unknown","value":"true"}]}"#
    let disbelieved = try body(#"{"origin":"received","device_time":"2015-01-01T00:00:00"}"#)
    #expect(disbelieved.hasSuffix(#""tags":[{"name":"a","value":"b"}"# + mark), "\(disbelieved)")
    #expect(!(try body(#"{"origin":"received"}"#).contains(mark)))
    #expect(!(try body(#"{"origin":"device","device_time":"2026-03-04T05:06:07"}"#).contains(mark)))
  }

  @Test func `refuses what was entered in error, which it could not say`() throws {
    let record = OutgoingRecord(
      "a", #"{"type":"measurement","entered_in_error":"2026-03-04T05:06:07Z"}"#)
    let error = #expect(throws: RecordError.self) {
      try destination().submission(of: [record], of: alice)
    }
    #expect(error?.path == "entered_in_error")
  }

  private static func record(_ metrics: String) -> OutgoingRecord {
    OutgoingRecord(
      "a",
      """
      {"log_id":"a","type":"measurement","start_time":"2026-03-04T05:06:07Z",\
      "source":{"type":"bluetooth"},"metrics":[\(metrics)]}
      """)
  }

  @Test func `leaves out metrics without a value, and what says that one is a bound`() throws {
    let text = try destination().submission(
      of: [
        Self.record(
          """
          {"type":"blood_glucose","unit":"mg/dL","absent":"above_range"},\
          {"type":"blood_ketone","unit":"mmol/L","value":8,"bound":"above"},\
          {"type":"blood_glucose","unit":"mg/dL","reading_log":[\
          {"time":"2026-03-04T05:06:07Z","absent":"below_range"},\
          {"time":"2026-03-04T05:11:07Z","value":40,"bound":"below"}]}
          """)
      ], of: alice
    ).text
    #expect(
      text.hasSuffix(
        """
        "metrics":[{"type":"blood_ketone","unit":"mmol/L","value":8},\
        {"type":"blood_glucose","unit":"mg/dL","reading_log":[\
        {"time":"2026-03-04T05:11:07Z","value":40}]}]}
        """), "\(text)")
  }

  @Test func `leaves out what the device showed, also of a part of a meal`() throws {
    let shown = #""shown":{"value":"5.5","unit":"mmol/L"}"#
    let text = try destination().submission(
      of: [
        OutgoingRecord(
          "a",
          """
          {"log_id":"a","type":"nutrition","start_time":"2026-03-04T05:06:07Z",\
          "source":{"type":"bluetooth"},\
          "metrics":[{"type":"blood_glucose","unit":"mg/dL","value":99.09,\(shown)}],\
          "segments":[{"name":"s","metrics":[{"type":"x","unit":"1","value":1,\(shown)}],\
          "food":[{"name":"f","metrics":[{"type":"y","unit":"1","value":2,\(shown)}],\
          "serving":{"amount":1,"unit_name":"cup"}}]}]}
          """)
      ], of: alice
    ).text
    #expect(
      text.hasSuffix(
        """
        "metrics":[{"type":"blood_glucose","unit":"mg/dL","value":99.09}],\
        "segments":[{"name":"s","metrics":[{"type":"x","unit":"1","value":1}],\
        "food":[{"name":"f","metrics":[{"type":"y","unit":"1","value":2}],\
        "serving":{"amount":1,"unit_name":"cup"}}]}]}
        """), "\(text)")
  }

  @Test(arguments: [
    #"{"type":"blood_glucose","unit":"mg/dL","absent":"above_range"}"#,
    #"""
    {"type":"blood_glucose","unit":"mg/dL","reading_log":[\#
    {"time":"2026-03-04T05:06:07Z","absent":"below_range"}]}
    """#,
  ])
  func `has no form for a record without any value`(metrics: String) throws {
    #expect {
      try destination().submission(of: [Self.record(metrics)], of: alice)
    } throws: { ($0 as? RecordError)?.path == "metrics" }
  }

  @Test func `sends what is published of each of several devices, and of a data point`() throws {
    let record = OutgoingRecord(
      "g",
      """
      {"log_id":"g","type":"summary","source":{"type":"bluetooth","devices":{\
      "b":{"id":"1","model":"G6","serial_number":"s","battery":80},"a":null}},\
      "metrics":[{"type":"steps","unit":"count","data_points":[\
      {"value":1,"time":"2026-03-04T05:06:07Z","end_time":"2026-03-04T05:07:07Z"}]}]}
      """)

    let body = try destination().submission(of: [record], of: alice).body ?? []

    #expect(
      String(decoding: body, as: UTF8.self) == """
        {"log_id":"g","type":"summary","source":{"type":"bluetooth","devices":{\
        "b":{"id":"1","model":"G6"},"a":null}},\
        "metrics":[{"type":"steps","unit":"count","data_points":[\
        {"value":1,"time":"2026-03-04T05:06:07Z"}]}]}
        """)
  }

  @Test(arguments: [
    ("summary", "summaries"), ("workout", "workouts"), ("nutrition", "nutrition"),
    ("measurement", "measurements"), ("sleep", "sleep"),
  ])
  func `has a path for each kind that Validic has published`(kind: String, path: String) throws {
    let record = OutgoingRecord("a", #"{"type":"\#(kind)"}"#)

    #expect(
      try destination().submission(of: [record], of: alice).url.absoluteString
        == "https://partner.example/connect/provider/data/\(path)")
  }

  @Test(arguments: ["intraday", "cgm", "something"])
  func `refuses a kind without a route, and accepts custom routes`(kind: String) throws {
    let record = OutgoingRecord("a", #"{"type":"\#(kind)"}"#)
    let own = InformConnect(
      try url("https://partner.example"), routes: [RecordKind(rawValue: kind): "own/path"])

    #expect(throws: RecordError.self) { try destination().submission(of: [record], of: alice) }
    #expect(
      try own.submission(of: [record], of: alice).url.absoluteString
        == "https://partner.example/own/path")
  }

  @Test(arguments: [
    ("", DeliveryResult.stored(serverID: nil)), ("{}", .stored(serverID: nil)),
    (#"{"id":"5a"}"#, .stored(serverID: "5a")), (#"{"id":5}"#, .stored(serverID: nil)),
    ("<html>Welcome to the hotel</html>", nil), ("[]", nil), ("ok", nil), (#"{"id":"#, nil),
  ])
  func `takes an empty answer or an object for an acknowledgement`(
    body: String, result: DeliveryResult?
  ) throws {
    #expect(
      try destination().results(in: TransportResponse(201, body), on: [stored]) == [result])
  }
}
