// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `Inform v2 form` {
  @Test func `is written member by member`() throws {
    #expect(String(decoding: try Example.record.informJSON(), as: UTF8.self) == Example.json)
  }

  @Test func `is read back as the same record`() throws {
    #expect(try HealthRecord(informJSON: Example.json.utf8) == Example.record)
  }

  @Test func `is understood by Foundation in the same way`() throws {
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(Example.record.informJSON())) as? [String: Any])
    let metrics = try #require(object["metrics"] as? [[String: Any]])
    let notes = try #require(object["user_notes"] as? [[String: String]])
    #expect(metrics.map { $0["value"] as? Double } == [120, 80, 61.5])
    #expect(notes == [["type": "message", "value": "after \"lunch\"\n\u{1}é"]])
    #expect(object["utc_offset"] as? Int == 7200)
  }

  @Test func `leaves out what is not known and keeps an unknown device as null`() throws {
    let record = HealthRecord(
      logID: "x",
      time: RecordTime(
        start: Date(timeIntervalSince1970: 0), origin: .received,
        received: Date(timeIntervalSince1970: 0)),
      source: RecordSource(type: .appleHealth), metrics: [Metric(.steps, 1)])
    #expect(
      String(decoding: try record.informJSON(), as: UTF8.self) == #"""
        {"log_id":"x","type":"measurement","version":"1.0","start_time":"1970-01-01T00:00:00Z",\#
        "end_time":"1970-01-01T00:00:00Z","time":{"origin":"received",\#
        "received":"1970-01-01T00:00:00Z"},"source":{"type":"apple_health","device":null},\#
        "metrics":[{"type":"steps","origin":"device","unit":"count","value":1}]}
        """#)
  }

  @Test func `reads a record that another program wrote`() throws {
    let record = try HealthRecord(
      informJSON: #"""
        {"id": "5a", "log_id": "7", "type": "measurement", "start_time": "2020-02-03T10:00:00+01:00",
         "source": {"type": "bluetooth", "device": null}, "tags": null, "checksum": "x",
         "metrics": [{"type": "body_weight", "unit": "kg", "value": 7.05e1}]}
        """#.utf8)
    #expect(record.time.start == Date(timeIntervalSince1970: 1_580_720_400))
    #expect(record.time.end == record.time.start)
    #expect(record.time.origin == .unknown)
    #expect(record.metrics == [Metric(.bodyWeight, 70.5, origin: .unknown)])
  }

  @Test func `leaves the time of receipt out where it is unknown`() throws {
    let text = #"""
      {"log_id":"7","type":"measurement","start_time":"2020-02-03T10:00:00Z",\#
      "source":{"type":"other"},"metrics":[{"type":"pulse","unit":"bpm","value":60}]}
      """#
    var record = try HealthRecord(informJSON: text.utf8)
    let written = String(decoding: try record.informJSON(), as: UTF8.self)
    #expect(written.contains(#""time":{"origin":"unknown"},"#))
    #expect(try HealthRecord(informJSON: written.utf8) == record)
    let legacy = String(decoding: try record.legacyForm().json, as: UTF8.self)
    #expect(legacy.contains(#""time_origin":"unknown""#) && !legacy.contains("received"))
    #expect(try RecordCSV().rows(of: record).contains(",,unknown,,,,,pulse,60,"))
    record.time.received += 1
    #expect(try HealthRecord(informJSON: record.informJSON()) == record)
  }

  @Test(arguments: ["\"2020-02-03T10:00:00Z\"", "true", "\"\""])
  func `refuses a record that is deleted`(deletion: String) throws {
    let text = Example.json.replacingOccurrences(
      of: #""type":"measurement""#, with: #""type":"measurement","deleted_at":\#(deletion)"#)
    let error = #expect(throws: RecordError.self) { try HealthRecord(informJSON: text.utf8) }
    #expect(error?.code == .invalidValue)
    #expect(error?.path == "deleted_at")
    #expect(error?.message == "the record is deleted; delete it by its log_id instead")
  }

  @Test func `reads a record that says that it is not deleted`() throws {
    let text = Example.json.replacingOccurrences(
      of: #""type":"measurement""#, with: #""type":"measurement","deleted_at":null"#)
    #expect(try HealthRecord(informJSON: text.utf8) == Example.record)
  }

  @Test(arguments: [
    ("2020-02-03T10:00:00Z", 1_580_724_000.0), ("2020-02-03T10:00:00.5Z", 1_580_724_000.5),
    ("2020-02-03T10:00:00-03:30", 1_580_736_600), ("1969-12-31T23:59:59Z", -1),
    ("2000-02-29T00:00:00.001+14:00", 951_732_000.001), ("2020-02-03t10:00:00z", 1_580_724_000),
    ("2016-12-31T23:59:60Z", 1_483_228_799), ("2017-01-01T05:29:60.5+05:30", 1_483_228_799.5),
    ("1968-12-31T15:59:60-08:00", -31_536_001),
  ])
  func `reads instants in all their forms`(text: String, seconds: Double) throws {
    let json = Example.json.replacingOccurrences(of: "2018-04-17T13:51:00Z", with: text)
    let record = try HealthRecord(informJSON: json.utf8)
    #expect(abs(record.time.start.timeIntervalSince1970 - seconds) < 1e-6)
  }

  @Test(arguments: [
    "2020-02-03T10:00:00", "2020-02-03T10:00:00.Z", "2020-02-03x10:00:00Z", "2020-02-03",
    "2020-02-03T10:00:00+2", "2020-02-03T10:00:00+24:00", "2020-02-30T10:00:00Z",
    "2020-02-03T10:00:60Z", "2020-02-03T23:59:61Z", "2020-02-03T23:59:60+01:00",
    "2020-02-03T10:00:00.5.5Z", "",
  ])
  func `rejects text that is not an instant`(text: String) {
    let json = Example.json.replacingOccurrences(
      of: #""start_time":"2018-04-17T13:51:00Z""#, with: #""start_time":"\#(text)""#)
    let error = #expect(throws: RecordError.self) { try HealthRecord(informJSON: json.utf8) }
    #expect(error?.path == "start_time")
  }

  @Test(arguments: [
    (#""log_id":"0123456789abcdef0123456789abcdef","#, "", RecordError.Code.missing, "log_id"),
    ("0123456789abcdef0123456789abcdef", "a b", .invalidValue, "log_id"),
    (#""value":61.5"#, #""value":"61.5""#, .wrongType, "metrics[2].value"),
    (#""value":61.5"#, #""value":null"#, .missing, "metrics[2].value"),
    (#""unit":"bpm""#, #""unit":"""#, .invalidValue, "metrics[2]"),
    (#""utc_offset":7200"#, #""utc_offset":7200.5"#, .wrongType, "utc_offset"),
    (#""utc_offset":7200"#, #""utc_offset":86341"#, .invalidValue, "utc_offset"),
    (#""utc_offset":7200"#, #""utc_offset":-86341"#, .invalidValue, "utc_offset"),
    (
      "2018-04-17T15:51:00", "2018-04-17t15:51:00", .invalidValue, "time.device_time"
    ),
    (#""start_time":"2018-04-17T13"#, #""start_time":"2018-04-31T13"#, .invalidValue, "start_time"),
    (#""end_time":"2018"#, #""end_time":"2017"#, .invalidValue, "end_time"),
    ("2018-04-17T15:51:00", "2018-04-17 15:51:00", .invalidValue, "time.device_time"),
    (
      #""origin":"device","device_time""#, #""origin":"x","device_time""#, .invalidValue,
      "time.origin"
    ),
    (#"{"name":"irregular_pulse","value":"true"}"#, #"{"name":"x"}"#, .missing, "tags[0].value"),
    (#"{"type":"bluetooth","device":{"#, #"{"device":{"#, .missing, "source.type"),
  ])
  func `says where a record is wrong`(
    part: String, replacement: String, code: RecordError.Code, path: String
  ) throws {
    let text = Example.json.replacingOccurrences(of: part, with: replacement)
    try #require(text != Example.json)
    let error = #expect(throws: RecordError.self) { try HealthRecord(informJSON: text.utf8) }
    #expect(error?.code == code)
    #expect(error?.path == path)
  }

  @Test(arguments: [86_340, -86_340])
  func `takes any offset that can be written in hours and minutes`(seconds: Int) throws {
    var record = Example.record
    record.time.utcOffsetSeconds = seconds
    #expect(try HealthRecord(informJSON: record.informJSON()) == record)
    let sign = seconds < 0 ? "-" : "+"
    let legacy = String(decoding: try record.legacyForm().json, as: UTF8.self)
    #expect(legacy.contains(#""utc_offset":"\#(sign)23:59""#))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `refuses a value that is not finite`(value: Double) throws {
    var record = Example.record
    record.metrics[1].value = value
    let error = #expect(throws: RecordError.self) { try record.informJSON() }
    #expect(error?.code == .notFinite)
    #expect(error?.path == "metrics[1].value")
  }

  @Test func `refuses a record without metrics`() {
    var record = Example.record
    record.metrics = []
    #expect(throws: RecordError.self) { try record.informJSON() }
  }

  @Test func `has no values in descriptions`() {
    #expect(Example.record.description == "measurement record of 3 metrics from bluetooth")
  }
}
