// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing
import CivilCalendar

/// A record of each kind and its Inform text, written out.
struct KindExample: CustomTestStringConvertible, Sendable {
  let record: HealthRecord
  let json: String

  var testDescription: String { record.kind.rawValue }

  static let all = [summary, workout, sleep, nutrition, intraday, cgm, photographed]

  /// 21 November 2023, 06:00 UTC, which is 07:00 in Berlin.
  static let morning = Date(timeIntervalSince1970: 1_700_546_400)

  static func time(hours: Double, origin: RecordTime.Origin = .received) -> RecordTime {
    RecordTime(
      start: morning, end: morning + hours * 3600, utcOffsetSeconds: 3600, offsetOrigin: .profile,
      origin: origin, received: morning + 86_400)
  }

  static let summary = {
    var record = HealthRecord(
      logID: "2023-11-21", kind: .summary, time: time(hours: 16),
      source: RecordSource(type: .appleHealth), metrics: [Metric(.steps, 8321)])
    record.category = "daily"
    record.lastUpdated = morning + 57_600.25
    return KindExample(
      record: record,
      json: #"""
        {"log_id":"2023-11-21","type":"summary","version":"1.0","category":"daily",\#
        "updated_at":"2023-11-21T22:00:00.250Z",\#
        "start_time":"2023-11-21T06:00:00Z","end_time":"2023-11-21T22:00:00Z","utc_offset":3600,\#
        "offset_origin":"profile","time":{"origin":"received","received":"2023-11-22T06:00:00Z"},\#
        "source":{"type":"apple_health","device":null},\#
        "metrics":[{"type":"steps","origin":"device","unit":"count","value":8321}]}
        """#)
  }()

  static let workout = {
    var record = HealthRecord(
      logID: "run-7", kind: .workout, time: time(hours: 0.5),
      source: RecordSource(type: .appleHealth),
      metrics: [Metric(.activeDuration, 1800), Metric(.distance, 5012.5)])
    record.category = "running"
    record.name = "Morning run"
    record.intensity = "vigorous"
    return KindExample(
      record: record,
      json: #"""
        {"log_id":"run-7","type":"workout","version":"1.0","category":"running",\#
        "name":"Morning run","intensity":"vigorous",\#
        "start_time":"2023-11-21T06:00:00Z","end_time":"2023-11-21T06:30:00Z","utc_offset":3600,\#
        "offset_origin":"profile","time":{"origin":"received","received":"2023-11-22T06:00:00Z"},\#
        "source":{"type":"apple_health","device":null},\#
        "metrics":[{"type":"active_duration","origin":"device","unit":"s","value":1800},\#
        {"type":"distance","origin":"device","unit":"m","value":5012.5}]}
        """#)
  }()

  static let sleep = KindExample(
    record: HealthRecord(
      logID: "night-1", kind: .sleep, time: time(hours: 7.5, origin: .device),
      source: RecordSource(type: .appleHealth),
      metrics: [
        Metric(.sleepDuration, 25_200),
        Metric(MetricType(rawValue: "awake_count"), 2, unit: "count"),
      ]),
    json: #"""
      {"log_id":"night-1","type":"sleep","version":"1.0",\#
      "start_time":"2023-11-21T06:00:00Z","end_time":"2023-11-21T13:30:00Z","utc_offset":3600,\#
      "offset_origin":"profile","time":{"origin":"device","received":"2023-11-22T06:00:00Z"},\#
      "source":{"type":"apple_health","device":null},\#
      "metrics":[{"type":"sleep_duration","origin":"device","unit":"s","value":25200},\#
      {"type":"awake_count","origin":"device","unit":"count","value":2}]}
      """#)

  static let nutrition = {
    var record = HealthRecord(
      logID: "meal-1", kind: .nutrition, time: time(hours: 0, origin: .user),
      source: RecordSource(type: .appleHealth),
      metrics: [Metric(.energyConsumed, 312.5, origin: .manual)])
    record.category = "breakfast"
    let egg = NutritionSegment.Food(
      name: "Egg", metrics: [Metric(.energyConsumed, 155, origin: .manual)])
    let bread = NutritionSegment.Food(
      name: "Bread", brand: "Mill", metrics: [],
      serving: NutritionSegment.Serving(amount: 1.5, unitName: "slice"))
    record.segments = [
      NutritionSegment(name: "Kitchen", metrics: [], food: [egg, bread]),
      NutritionSegment(name: "Café", metrics: [Metric(.water, 250, origin: .manual)]),
    ]
    return KindExample(
      record: record,
      json: #"""
        {"log_id":"meal-1","type":"nutrition","version":"1.0","category":"breakfast",\#
        "start_time":"2023-11-21T06:00:00Z","end_time":"2023-11-21T06:00:00Z","utc_offset":3600,\#
        "offset_origin":"profile","time":{"origin":"user","received":"2023-11-22T06:00:00Z"},\#
        "source":{"type":"apple_health","device":null},\#
        "metrics":[{"type":"energy_consumed","origin":"manual","unit":"kcal","value":312.5}],\#
        "segments":[{"name":"Kitchen","metrics":[],"food":[{"name":"Egg",\#
        "metrics":[{"type":"energy_consumed","origin":"manual","unit":"kcal","value":155}]},\#
        {"name":"Bread","brand":"Mill","metrics":[],"serving":{"amount":1.5,"unit_name":"slice"}}]},\#
        {"name":"Café","metrics":[{"type":"water","origin":"manual","unit":"mL","value":250}]}]}
        """#)
  }()

  static let intraday = {
    let points = [
      DataPoint(time: morning, value: 12),
      DataPoint(time: morning + 300, end: morning + 900, value: 0),
      DataPoint(time: morning + 600.5, value: 40.5),
    ]
    var record = HealthRecord(
      logID: "steps-2023-11-21", kind: .intraday, time: time(hours: 1),
      source: RecordSource(type: .appleHealth), metrics: [],
      series: [MetricSeries(.steps, points)])
    record.granularity = .minutes(5)
    return KindExample(
      record: record,
      json: #"""
        {"log_id":"steps-2023-11-21","type":"intraday","version":"1.0",\#
        "start_time":"2023-11-21T06:00:00Z","end_time":"2023-11-21T07:00:00Z","utc_offset":3600,\#
        "offset_origin":"profile","time":{"origin":"received","received":"2023-11-22T06:00:00Z"},\#
        "source":{"type":"apple_health","device":null},\#
        "granularity":{"interval":5,"unit":"min"},\#
        "metrics":[{"type":"steps","origin":"device","unit":"count",\#
        "data_points":[{"value":12,"time":"2023-11-21T06:00:00Z"},\#
        {"value":0,"time":"2023-11-21T06:05:00Z","end_time":"2023-11-21T06:15:00Z"},\#
        {"value":40.5,"time":"2023-11-21T06:10:00.500Z"}]}]}
        """#)
  }()

  static let cgm = {
    let shown = LocalDateTime(year: 2023, month: 11, day: 21, hour: 7, minute: 0, second: 9)
    let readings = [
      GlucoseReading(
        time: morning, value: 104, displayTime: shown, displayUTCOffsetMinutes: 60,
        isScheduled: true, deviceID: "b"),
      GlucoseReading(time: morning + 300, value: 107, displayTime: shown, isScheduled: false),
      GlucoseReading(time: morning + 600, value: 111.5),
    ]
    let sensor = SourceDevice(id: "a", manufacturer: "Manufacturer", model: "One")
    return KindExample(
      record: HealthRecord(
        logID: "2023-11-21", kind: .cgm, time: time(hours: 1, origin: .device),
        source: RecordSource(
          type: .bluetooth, devices: ["b": SourceDevice(id: "b"), "a": sensor]),
        metrics: [Metric(.bloodGlucose, 107.5)], series: [MetricSeries(readings)]),
      json: #"""
        {"log_id":"2023-11-21","type":"cgm","version":"1.0",\#
        "start_time":"2023-11-21T06:00:00Z","end_time":"2023-11-21T07:00:00Z","utc_offset":3600,\#
        "offset_origin":"profile","time":{"origin":"device","received":"2023-11-22T06:00:00Z"},\#
        "source":{"type":"bluetooth",\#
        "devices":{"a":{"id":"a","manufacturer":"Manufacturer","model":"One"},"b":{"id":"b"}}},\#
        "metrics":[{"type":"blood_glucose","origin":"device","unit":"mg/dL","value":107.5},\#
        {"type":"blood_glucose","origin":"device","unit":"mg/dL",\#
        "reading_log":[{"time":"2023-11-21T06:00:00Z","value":104,\#
        "display_time":"2023-11-21T07:00:09+01:00","scheduled":true,"device_id":"b"},\#
        {"time":"2023-11-21T06:05:00Z","value":107,"display_time":"2023-11-21T07:00:09",\#
        "scheduled":false},{"time":"2023-11-21T06:10:00Z","value":111.5}]}]}
        """#)
  }()

  /// A measurement with all that every kind can have.
  static let photographed = {
    var record = HealthRecord(
      logID: "photo-1", time: time(hours: 0), source: RecordSource(type: .appleHealth),
      metrics: [Metric(.bloodGlucose, 99)])
    record.mealRelationship = .before
    record.diabetesEvent = .exercise
    record.comment = "felt well"
    record.glucoseRange = .low
    record.extras = ["b": .number(1.5), "a": "x", "c": true]
    record.isValidated = false
    record.serverID = "5a7f"
    let image = RecordMedia(of: Array("abc".utf8), contentType: "image/jpeg")
    record.media = [image]
    return KindExample(
      record: record,
      json: #"""
        {"log_id":"photo-1","type":"measurement","version":"1.0","id":"5a7f","validated":false,\#
        "start_time":"2023-11-21T06:00:00Z","end_time":"2023-11-21T06:00:00Z","utc_offset":3600,\#
        "offset_origin":"profile","time":{"origin":"received","received":"2023-11-22T06:00:00Z"},\#
        "source":{"type":"apple_health","device":null},\#
        "metrics":[{"type":"blood_glucose","origin":"device","unit":"mg/dL","value":99}],\#
        "tags":[{"name":"out_of_bounds_blood_glucose","value":"low"}],\#
        "user_notes":[{"type":"relationship_to_meal","value":"before"},\#
        {"type":"diabetes_event","value":"exercise"},{"type":"message","value":"felt well"}],\#
        "extras":{"a":"x","b":1.5,"c":true},\#
        "media":[{"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",\#
        "content_type":"image/jpeg","size":3}]}
        """#)
  }()
}
