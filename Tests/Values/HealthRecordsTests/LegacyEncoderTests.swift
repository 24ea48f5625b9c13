// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport
import Testing
import SantorioJSON

@Suite struct `Legacy v1 form` {
  private func text(_ record: HealthRecord) throws -> String {
    String(decoding: try record.legacyForm().json, as: UTF8.self)
  }

  @Test func `writes blood pressure as biometrics`() throws {
    #expect(Example.record.legacyRecord == .biometrics)
    #expect(
      try text(Example.record) == #"""
        {"timestamp":"2018-04-17T13:51:00+00:00","utc_offset":"+02:00","source":"validicmobile",\#
        "source_name":"ValidicMobile","original_source":"A&D",\#
        "intermediary_source":"ValidicMobile Bluetooth","device":"UA-651BLE",\#
        "activity_id":"0123456789abcdef0123456789abcdef","systolic":120,"diastolic":80,\#
        "resting_heartrate":61.5,\#
        "extras":{"battery":90,"clock_drift":-3.5,"device_id":"5160400123",\#
        "device_time":"2018-04-17T15:51:00","irregular_pulse":"true",\#
        "message":"after \"lunch\"\u000a\u0001é","offset_origin":"source","peripheral_id":2,\#
        "pulse":61.5,"received":"2018-04-17T13:51:40.250Z","serial_number":"5160400123",\#
        "time_origin":"device"}}
        """#)
  }

  @Test func `writes glucose as diabetes`() throws {
    let record = KindExample.photographed.record
    #expect(record.legacyRecord == .diabetes)
    #expect(
      try text(record) == #"""
        {"timestamp":"2023-11-21T06:00:00+00:00","utc_offset":"+01:00","source":"validicmobile",\#
        "source_name":"ValidicMobile","intermediary_source":"ValidicMobile Apple Health",\#
        "validated":false,"activity_id":"photo-1","blood_glucose":99,\#
        "relationship_to_meal":"before","extras":{"a":"x","b":1.5,"c":true,\#
        "diabetes_event":"exercise","id":"5a7f",\#
        "media":[{"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",\#
        "content_type":"image/jpeg","size":3}],"message":"felt well","offset_origin":"profile",\#
        "out_of_bounds_blood_glucose":"low","received":"2023-11-22T06:00:00Z",\#
        "time_origin":"received"}}
        """#)
  }

  @Test func `writes a scale's values as weight`() throws {
    var record = KindExample.photographed.record
    record = HealthRecord(
      logID: "scale-1", time: record.time, source: record.source,
      metrics: [
        Metric(.bodyWeight, 100, unit: "lb"), Metric(.bodyFat, 21.5), Metric(.bodyWater, 55),
        Metric(.bodyHeight, 1.8, unit: "m", origin: .manual),
      ])
    #expect(record.legacyRecord == .weight)
    #expect(
      try text(record) == #"""
        {"timestamp":"2023-11-21T06:00:00+00:00","utc_offset":"+01:00","source":"validicmobile",\#
        "source_name":"ValidicMobile","intermediary_source":"ValidicMobile Apple Health",\#
        "activity_id":"scale-1","weight":45.359237,"fat_percent":21.5,\#
        "extras":{"body_height":1.8,"body_height_origin":"manual","body_height_unit":"m",\#
        "body_water":55,"offset_origin":"profile","received":"2023-11-22T06:00:00Z",\#
        "time_origin":"received"}}
        """#)
  }

  @Test func `writes a summary as routine`() throws {
    #expect(
      try text(KindExample.summary.record) == #"""
        {"timestamp":"2023-11-21T06:00:00+00:00","utc_offset":"+01:00",\#
        "last_updated":"2023-11-21T22:00:00+00:00","source":"validicmobile",\#
        "source_name":"ValidicMobile","intermediary_source":"ValidicMobile Apple Health",\#
        "activity_id":"2023-11-21","steps":8321,"extras":{"category":"daily",\#
        "end_time":"2023-11-21T22:00:00Z","offset_origin":"profile",\#
        "received":"2023-11-22T06:00:00Z","time_origin":"received",\#
        "updated_at":"2023-11-21T22:00:00.250Z"}}
        """#)
  }

  @Test func `writes a workout as fitness`() throws {
    #expect(
      try text(KindExample.workout.record) == #"""
        {"timestamp":"2023-11-21T06:00:00+00:00","utc_offset":"+01:00","source":"validicmobile",\#
        "source_name":"ValidicMobile","intermediary_source":"ValidicMobile Apple Health",\#
        "activity_id":"run-7","type":"running","intensity":"vigorous",\#
        "start_time":"2023-11-21T07:00:00+01:00","duration":1800,"distance":5012.5,\#
        "extras":{"end_time":"2023-11-21T06:30:00Z","name":"Morning run",\#
        "offset_origin":"profile","received":"2023-11-22T06:00:00Z","time_origin":"received"}}
        """#)
  }

  @Test func `takes a workout's duration from its times where it has none`() throws {
    var record = KindExample.workout.record
    record.metrics = [Metric(.energyBurned, 410)]
    record.category = nil
    record.time.utcOffsetSeconds = -12_600
    #expect(
      try text(record) == #"""
        {"timestamp":"2023-11-21T06:00:00+00:00","utc_offset":"-03:30","source":"validicmobile",\#
        "source_name":"ValidicMobile","intermediary_source":"ValidicMobile Apple Health",\#
        "activity_id":"run-7","type":"Morning run","intensity":"vigorous",\#
        "start_time":"2023-11-21T02:30:00-03:30","calories":410,"duration":1800,\#
        "extras":{"offset_origin":"profile","received":"2023-11-22T06:00:00Z",\#
        "time_origin":"received"}}
        """#)
  }

  @Test func `writes a night as sleep`() throws {
    #expect(
      try text(KindExample.sleep.record) == #"""
        {"timestamp":"2023-11-21T06:00:00+00:00","utc_offset":"+01:00","source":"validicmobile",\#
        "source_name":"ValidicMobile","intermediary_source":"ValidicMobile Apple Health",\#
        "activity_id":"night-1","total_sleep":25200,"times_woken":2,\#
        "extras":{"end_time":"2023-11-21T13:30:00Z","offset_origin":"profile",\#
        "received":"2023-11-22T06:00:00Z","time_origin":"device"}}
        """#)
  }

  @Test func `writes food as nutrition with its parts among the extras`() throws {
    #expect(
      try text(KindExample.nutrition.record) == #"""
        {"timestamp":"2023-11-21T06:00:00+00:00","utc_offset":"+01:00","source":"validicmobile",\#
        "source_name":"ValidicMobile","intermediary_source":"ValidicMobile Apple Health",\#
        "activity_id":"meal-1","meal":"breakfast","calories":312.5,\#
        "extras":{"energy_consumed_origin":"manual","offset_origin":"profile",\#
        "received":"2023-11-22T06:00:00Z",\#
        "segments":[{"name":"Kitchen","metrics":[],"food":[{"name":"Egg",\#
        "metrics":[{"type":"energy_consumed","origin":"manual","unit":"kcal","value":155}]},\#
        {"name":"Bread","brand":"Mill","metrics":[],"serving":{"amount":1.5,"unit_name":"slice"}}]},\#
        {"name":"Café","metrics":[{"type":"water","origin":"manual","unit":"mL","value":250}]}],\#
        "time_origin":"user"}}
        """#)
  }

  @Test func `keeps series whole in the class of their metric`() throws {
    #expect(KindExample.cgm.record.legacyRecord == .diabetes)
    #expect(
      try text(KindExample.intraday.record) == #"""
        {"timestamp":"2023-11-21T06:00:00+00:00","utc_offset":"+01:00","source":"validicmobile",\#
        "source_name":"ValidicMobile","intermediary_source":"ValidicMobile Apple Health",\#
        "activity_id":"steps-2023-11-21","extras":{"end_time":"2023-11-21T07:00:00Z",\#
        "granularity":{"interval":5,"unit":"min"},"offset_origin":"profile",\#
        "received":"2023-11-22T06:00:00Z",\#
        "steps":{"type":"steps","origin":"device","unit":"count",\#
        "data_points":[{"value":12,"time":"2023-11-21T06:00:00Z"},\#
        {"value":0,"time":"2023-11-21T06:05:00Z","end_time":"2023-11-21T06:15:00Z"},\#
        {"value":40.5,"time":"2023-11-21T06:10:00.500Z"}]},"time_origin":"received",\#
        "type":"intraday"}}
        """#)
  }

  @Test func `drops neither a second value of a metric nor an extra of the same name`() throws {
    var record = Example.record
    record.metrics = [
      Metric(.systolic, 120), Metric(.systolic, 121), Metric(.systolic, 122), Metric(.pulse, 60),
    ]
    record.extras = ["pulse": "strong"]
    record.time.start += 0.5
    record.time.end = record.time.start
    record.time.utcOffsetSeconds = 1172
    let json = try text(record)
    #expect(json.contains(#""systolic":120,"resting_heartrate":60,"extras""#))
    #expect(json.contains(#""systolic":121,"systolic_":122"#))
    #expect(json.contains(#""pulse":"strong","pulse_":60"#))
    #expect(json.contains(#""start_time":"2018-04-17T13:51:00.500Z""#))
    #expect(json.contains(#""utc_offset":"+00:19""#) && json.contains(#""utc_offset":1172"#))
  }

  @Test(arguments: [
    (LegacySource.santorio, "santorio", "Santorio"),
    (LegacySource(name: "clinic", displayName: "The \"Clinic\""), "clinic", #"The \"Clinic\""#),
  ])
  func `names the source that it is given`(
    source: LegacySource, name: String, displayName: String
  ) throws {
    let form = try KindExample.sleep.record.legacyForm(source: source)
    #expect(
      String(decoding: form.json, as: UTF8.self) == #"""
        {"timestamp":"2023-11-21T06:00:00+00:00","utc_offset":"+01:00","source":"\#(name)",\#
        "source_name":"\#(displayName)","intermediary_source":"\#(displayName) Apple Health",\#
        "activity_id":"night-1","total_sleep":25200,"times_woken":2,\#
        "extras":{"end_time":"2023-11-21T13:30:00Z","offset_origin":"profile",\#
        "received":"2023-11-22T06:00:00Z","time_origin":"device"}}
        """#)
  }

  private static let pressure = Metric(.systolic, 120)
  private static let pulse = Metric(.pulse, 61)
  private static let resting = Metric(.restingHeartRate, 54)
  private static let tail = #""received":"2023-11-21T06:00:00Z","time_origin":"device"}}"#

  private static let systolicTail = #""systolic":120,"time_origin":"device"}}"#

  @Test(
    arguments: [
      // What a cuff measured is in the field of the class, and among the extras as what it is.
      ([pressure, pulse], #""systolic":120,"resting_heartrate":61,"extras":{"pulse":61,\#(tail)"#),
      (
        [Metric(.diastolic, 80), pulse],
        #""diastolic":80,"resting_heartrate":61,"extras":{"pulse":61,\#(tail)"#
      ),
      // In a unit that nobody can convert, it stays what it is.
      (
        [pressure, Metric(.pulse, 1, unit: "1/s")],
        #""systolic":120,"extras":{"pulse":1,"pulse_unit":"1/s",\#(tail)"#
      ),
      // A resting heart rate that was measured as such goes first.
      (
        [pressure, pulse, resting],
        #""systolic":120,"resting_heartrate":54,"extras":{"pulse":61,\#(tail)"#
      ),
      // Nobody knows whether an oximeter or a strap was used at rest.
      ([Metric(.oxygenSaturation, 97), pulse], #""spo2":97,"extras":{"pulse":61,\#(tail)"#),
      ([pulse], #""extras":{"pulse":61,\#(tail)"#),
      ([pressure], #""systolic":120,"extras":{\#(tail)"#),
      // Another class has no field for it.
      (
        [Metric(.bodyWeight, 70), pressure, pulse],
        #""weight":70,"extras":{"pulse":61,"received":"2023-11-21T06:00:00Z",\#(systolicTail)"#
      ),
    ] as [([Metric], String)])
  func `has the pulse of a cuff where readers look for it`(
    metrics: [Metric], fields: String
  ) throws {
    let record = HealthRecord(
      logID: "a",
      time: RecordTime(
        start: KindExample.morning, origin: .device, received: KindExample.morning),
      source: RecordSource(type: .bluetooth), metrics: metrics)
    #expect(
      try text(record) == #"""
        {"timestamp":"2023-11-21T06:00:00+00:00","source":"validicmobile",\#
        "source_name":"ValidicMobile","intermediary_source":"ValidicMobile Bluetooth",\#
        "activity_id":"a",\#(fields)
        """#)
  }

  @Test(arguments: MetricTable.rows.filter { !$0.legacyFields.isEmpty })
  func `has every field of every class`(row: MetricDefinition) throws {
    let kinds: [LegacyRecord: RecordKind] = [
      .routine: .summary, .fitness: .workout, .sleep: .sleep, .nutrition: .nutrition,
    ]
    for (recordClass, field) in row.legacyFields {
      var record = Example.record
      record.kind = kinds[recordClass] ?? .measurement
      record.metrics = [Metric(row.type, 1.25)]
      let form = try record.legacyForm()
      #expect(form.recordClass == recordClass)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(form.json)) as? [String: Any])
      #expect(object[field] as? Double == 1.25)
    }
  }

  @Test func `drops nothing of any record`() throws {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<500 {
      let record = HealthRecord.random(using: &random)
      guard record.hasLegacyForm else { continue }
      let inform = try JSONParser.parse(record.informJSON()).leaves
      let legacy = Set(try JSONParser.parse(record.legacyForm().json).leaves)
      let converted = record.metrics.compactMap { metric in
        metric.standardValue.map { (metric.value, $0) }
      }
      let other = Dictionary(converted, uniquingKeysWith: { first, _ in first })
      for leaf in inform where !leaf.isSpelledOtherwise(in: record) {
        var isKept = legacy.contains(leaf)
        if case .number(let number) = leaf, let standard = other[number] {
          isKept = isKept || legacy.contains(.number(standard))
        }
        try #require(isKept, "\(leaf)")
      }
    }
  }

  @Test(arguments: MetricTable.rows.filter { $0.legacyRecord == nil })
  func `refuses what no published class takes`(row: MetricDefinition) {
    var record = Example.record
    record.metrics = [Metric(.pulse, 60), Metric(row.type, 1)]
    let error = #expect(throws: RecordError.self) { try record.legacyForm() }
    #expect(error?.path == "metrics[1].type")
    #expect(row.legacyField == nil && row.legacyFields.isEmpty)
  }

  @Test func `refuses a record that is not valid`() {
    var record = Example.record
    record.metrics = []
    #expect(throws: RecordError.self) { try record.legacyForm() }
  }
}

extension JSONValue {
  /// The values that hold no other.
  fileprivate var leaves: [JSONValue] {
    switch self {
    case .object(let members): members.flatMap(\.value.leaves)
    case .array(let values): values.flatMap(\.leaves)
    default: [self]
    }
  }

  /// What the Legacy form says in other words: the kind, the version, the way the record came, what
  /// the table says of a metric, and times and offsets that it writes in its own manner.
  fileprivate func isSpelledOtherwise(in record: HealthRecord) -> Bool {
    let times = [record.time.start, record.time.end, record.lastUpdated].compactMap(\.self)
    var texts = [record.kind.rawValue, "1.0", record.source.type.rawValue, "device"]
    texts += times.map(\.informText) + record.metrics.map(\.type.rawValue)
    texts += record.metrics.compactMap(\.type.definition?.unit)
    texts += record.tags.map(\.name) + record.userNotes.map(\.type)
    let numbers = [record.time.utcOffsetSeconds].compactMap(\.self).map(Double.init)
    return texts.map(JSONValue.string).contains(self)
      || numbers.map(JSONValue.number).contains(self)
      || self == .null
  }
}
