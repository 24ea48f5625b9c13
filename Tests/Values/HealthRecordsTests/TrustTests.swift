// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

/// Values that are not there, that are bounds, or that are doubted, in all forms of a record.
@Suite struct `Values that are beyond a device` {
  private static func record(_ metrics: [Metric], _ tags: [RecordTag] = []) -> HealthRecord {
    var record = FHIRExample.measurement(metrics)
    record.tags = tags
    return record
  }

  private static let all: [Metric] = [
    Metric(.bloodGlucose, absent: .aboveRange), Metric(.bloodGlucose, absent: .belowRange),
    Metric(.bloodGlucose, 600, bound: .above), Metric(.bloodGlucose, 10, bound: .below),
    Metric(.bodyTemperature, absent: .unknown),
  ]

  @Test(arguments: all)
  func `are the same after a round trip`(metric: Metric) throws {
    let record = Self.record([metric])
    #expect(try HealthRecord(informJSON: record.informJSON()) == record)
    var log = Self.record([])
    log.kind = .cgm
    var reading = GlucoseReading(time: FHIRExample.instant, value: metric.value)
    (reading.absence, reading.bound) = (metric.absence, metric.bound)
    log.series = [MetricSeries([reading])]
    #expect(try HealthRecord(informJSON: log.informJSON()) == log)
  }

  @Test(arguments: [
    (#"{"type":"x","unit":"1"}"#, "metrics[0].value"),
    (#"{"type":"x","unit":"1","absent":"gone"}"#, "metrics[0].absent"),
    (#"{"type":"x","unit":"1","value":1,"absent":"unknown"}"#, "metrics[0].absent"),
    (#"{"type":"x","unit":"1","absent":"unknown","bound":"above"}"#, "metrics[0].bound"),
    (#"{"type":"x","unit":"1","value":1,"bound":"beside"}"#, "metrics[0].bound"),
    (#"{"type":"x","unit":"1","value":null,"absent":null}"#, "metrics[0].value"),
  ])
  func `are refused where they contradict themselves`(metric: String, path: String) throws {
    var text = String(decoding: try Self.record([Metric(.pulse, 60)]).informJSON(), as: UTF8.self)
    let start = try #require(text.range(of: #""metrics":["#)?.upperBound)
    let end = try #require(text.range(of: "]", range: start..<text.endIndex)?.lowerBound)
    text.replaceSubrange(start..<end, with: metric)
    #expect {
      try HealthRecord(informJSON: Array(text.utf8))
    } throws: { ($0 as? RecordError)?.path == path }
  }

  @Test(arguments: [
    (Metric.Absence.aboveRange, "positive-infinity", ">"),
    (.belowRange, "negative-infinity", "<"),
  ])
  func `are absent in FHIR, with the side`(
    absence: Metric.Absence, reason: String, side: String
  ) throws {
    for type in [MetricType.bloodGlucose, .bloodKetone, .bodyTemperature] {
      let observation = try FHIRExample.objects(Self.record([Metric(type, absent: absence)]))[0]
      #expect(observation["valueQuantity"].value == nil)
      #expect(observation["dataAbsentReason"]["coding"][0]["code"].value as? String == reason)
      #expect(observation["interpretation"][0]["coding"][0]["code"].value as? String == side)
      #expect(observation["status"].value as? String == "final")
    }
    let unknown = try FHIRExample.objects(
      Self.record([Metric(.bodyTemperature, absent: .unknown)]))[0]
    #expect(unknown["dataAbsentReason"]["coding"][0]["code"].value as? String == "unknown")
    #expect(unknown["interpretation"].value == nil)
  }

  @Test(arguments: [(Metric.Bound.above, ">", 600.0), (.below, "<", 10)])
  func `have a comparator in FHIR where the device set a bound`(
    bound: Metric.Bound, sign: String, value: Double
  ) throws {
    let record = Self.record([Metric(.bloodGlucose, value, bound: bound)])
    let observation = try FHIRExample.objects(record)[0]
    #expect(observation["valueQuantity"]["comparator"].value as? String == sign)
    #expect(observation["valueQuantity"]["value"].value as? Double == value)
    #expect(observation["interpretation"][0]["coding"][0]["code"].value as? String == sign)
    let plain = try FHIRExample.objects(Self.record([Metric(.bloodGlucose, 15)]))[0]
    #expect(plain["valueQuantity"]["comparator"].value == nil)
    #expect(plain["interpretation"].value == nil)
  }

  @Test func `are absent in a panel of blood pressure, too`() throws {
    let record = Self.record([Metric(.systolic, absent: .aboveRange), Metric(.diastolic, 130)])
    let panel = try FHIRExample.objects(record)[0]
    #expect(
      panel["component"][0]["dataAbsentReason"]["coding"][0]["code"].value as? String
        == "positive-infinity")
    #expect(panel["component"][1]["valueQuantity"]["value"].value as? Double == 130)
    #expect(panel["interpretation"][0]["coding"][0]["code"].value as? String == ">")
  }

  @Test func `are absent in the log of a glucose monitor`() throws {
    var record = Self.record([])
    record.kind = .cgm
    var reading = GlucoseReading(time: FHIRExample.instant, value: nil)
    reading.absence = .belowRange
    record.series = [MetricSeries([reading])]
    #expect(record.series[0].points.isEmpty)
    let observation = try FHIRExample.objects(record)[0]
    #expect(
      observation["dataAbsentReason"]["coding"][0]["code"].value as? String == "negative-infinity")
  }

  @Test func `have a column of their own in a table`() throws {
    let rows = try RecordCSV().rows(of: Self.record(Self.all)).split(separator: "\r\n")
    let place = try #require(RecordCSV.columns.firstIndex(of: "value"))
    let cells = rows.map { row in
      row.split(separator: ",", omittingEmptySubsequences: false)[place...(place + 1)].map(
        String.init)
    }
    #expect(
      cells == [
        ["", "above_range"], ["", "below_range"], ["600", ">"], ["10", "<"], ["", "unknown"],
      ])
  }

  @Test func `are extras of the Legacy form`() throws {
    func object(_ metric: Metric) throws -> FHIRObject {
      try FHIRObject(Self.record([metric]).legacyForm().json)
    }
    let high = try object(Metric(.bloodGlucose, absent: .aboveRange))
    #expect(high["blood_glucose"].value == nil)
    #expect(high["extras"]["blood_glucose_absent"].value as? String == "above_range")
    let bound = try object(Metric(.bloodGlucose, 600, bound: .above))
    #expect(bound["blood_glucose"].value as? Double == 600)
    #expect(bound["extras"]["blood_glucose_bound"].value as? String == "above")
  }

  @Test func `identify a measurement like any other`() {
    func identity(_ metric: Metric) -> String {
      RecordIdentity(device: "d", sequenceNumber: 1, metrics: [metric]).logID
    }
    #expect(
      identity(Metric(.bloodGlucose, absent: .aboveRange))
        != identity(Metric(.bloodGlucose, absent: .belowRange)))
    #expect(
      identity(Metric(.bloodGlucose, 100)) == identity(Metric(.bloodGlucose, 100, bound: .above)))
  }

  @Test func `are never implausible, and read as on a display`() {
    #expect(Self.all.map(\.valueText) == ["HI", "LO", ">600", "<10", "-"])
    #expect(Metric(.bloodGlucose, absent: .belowRange).isPlausible)
    #expect(Metric(.pulse, 61.5).valueText == "61.5")
  }
}

@Suite struct `Doubts about a value` {
  private static func observation(_ tags: [RecordTag]) throws -> [FHIRObject] {
    var record = FHIRExample.measurement([
      Metric(.oxygenSaturation, 40), Metric(.pulse, 130), Metric(.bodyTemperature, 37),
    ])
    record.tags = tags
    return try FHIRExample.objects(record)
  }

  private static func statuses(_ observation: FHIRObject) -> [String] {
    (0..<4).compactMap { index in
      let coding = observation["interpretation"][index]["coding"][0]
      return coding["system"].value as? String
        == "http://hl7.org/fhir/uv/pocd/CodeSystem/measurement-status"
        ? coding["code"].value as? String : nil
    }
  }

  @Test(arguments: [
    "nonpulsatile_signal", "inadequate_signal", "questionable_pulse", "erratic_signal",
    "poor_signal", "sensor_interference", "signal_processing_irregularity",
  ])
  func `of an oximeter are told of what it measures`(tag: String) throws {
    let observations = try Self.observation([RecordTag(name: tag, value: "true")])
    #expect(observations.map(Self.statuses) == [["questionable"], ["questionable"], []])
    #expect(observations.allSatisfy { $0["status"].value as? String == "final" })
  }

  @Test func `make an early estimate preliminary`() throws {
    let observations = try Self.observation([RecordTag(name: "early_estimate", value: "true")])
    #expect(observations.allSatisfy { $0["status"].value as? String == "preliminary" })
    #expect(Self.statuses(observations[0]) == ["early-indication"])
  }

  @Test func `concern the implausible value and no other`() throws {
    let observations = try Self.observation([
      RecordTag(name: "implausible", value: MetricType.oxygenSaturation.rawValue)
    ])
    #expect(observations.map(Self.statuses) == [["questionable"], [], []])
  }

  @Test func `are none for a low perfusion`() throws {
    let observations = try Self.observation([RecordTag(name: "low_perfusion", value: "true")])
    #expect(observations.map(Self.statuses) == [[], [], []])
  }
}

@Suite struct `Rejected readings` {
  private var record: HealthRecord {
    var record = FHIRExample.measurement([])
    record.kind = .rejected
    record.tags = [RecordTag(name: "rejected", value: "control")]
    return record
  }

  @Test func `are records without metrics`() throws {
    #expect(try HealthRecord(informJSON: record.informJSON()) == record)
    var other = record
    other.kind = .measurement
    #expect(throws: RecordError.self) { try other.validate() }
  }

  @Test func `have no form as a measurement`() {
    #expect(throws: RecordError.self) { try FHIRExample.observations(record) }
    #expect(throws: RecordError.self) { try record.legacyForm() }
    #expect(throws: RecordError.self) { try RecordCSV().rows(of: record) }
  }
}
