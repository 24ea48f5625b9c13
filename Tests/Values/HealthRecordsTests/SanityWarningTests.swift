// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `Sanity warnings` {
  private let now = FHIRExample.instant + 3600

  private func warnings(_ record: HealthRecord) -> [String] {
    record.sanityWarnings(now: now).map { "\($0.path) \($0.code.rawValue)" }
  }

  private func warnings(_ metrics: Metric...) -> [String] {
    warnings(FHIRExample.measurement(metrics))
  }

  @Test func `are silent about what is right`() throws {
    #expect(
      warnings(
        Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.meanArterialPressure, 80),
        Metric(.minimumHeartRate, 60), Metric(.averageHeartRate, 60), Metric(.pulse, 60),
        Metric(.bodyTemperature, 98.6, unit: "°F"), Metric(.bodyWeight, 154, unit: "lb")) == [])
    let present = Date(timeIntervalSince1970: 1_800_000_000)
    for record in try Fixture.records() {
      #expect(record.sanityWarnings(now: present) == [], "\(record.logID)")
    }
  }

  @Test(arguments: [
    Metric(.oxygenSaturation, 980), Metric(.bodyTemperature, 98.6), Metric(.systolic, 2047),
    Metric(.bloodGlucose, 104, unit: "mmol/L"), Metric(.bodyWeight, 2000, unit: "lb"),
    Metric(.bodyTemperature, 36.6, unit: "°F"),
  ])
  func `doubt what no living person has, in any known unit`(metric: Metric) {
    #expect(warnings(Metric(.bmi, 22), metric) == ["metrics[1].value implausible"])
  }

  @Test func `doubt no value in an unknown unit, and none that is absent`() {
    #expect(
      warnings(
        Metric(.bodyWeight, 9999, unit: "cattie"), Metric(.systolic, 16, unit: "kPa"),
        Metric(.bloodGlucose, absent: .aboveRange), Metric(MetricType(rawValue: "other"), 1e9))
        == [])
  }

  @Test func `doubt values of series and of parts of meals`() {
    var record = KindExample.intraday.record
    record.series[0].dataPoints[1].value = -1
    #expect(
      record.sanityWarnings(now: .distantFuture).map(\.path)
        == ["metrics[0].data_points[1].value"])
    record = KindExample.cgm.record
    record.series[0].readingLog[2].value = 9000
    #expect(
      record.sanityWarnings(now: .distantFuture).map(\.path)
        == ["metrics[1].reading_log[2].value"])
    record = KindExample.nutrition.record
    record.segments[0].food[0].metrics[0].value = -5
    record.segments[1].metrics[0].value = 1e6
    #expect(
      record.sanityWarnings(now: .distantFuture).map(\.path) == [
        "segments[0].food[0].metrics[0].value", "segments[1].metrics[0].value",
      ])
  }

  @Test(arguments: [
    ([Metric(.systolic, 80), Metric(.diastolic, 120)], ["metrics[0].value"]),
    ([Metric(.systolic, 80), Metric(.diastolic, 80)], ["metrics[0].value"]),
    (
      [
        Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.systolic, 81),
        Metric(.diastolic, 124),
      ], ["metrics[2].value"]
    ),
    (
      [Metric(.systolic, 16, unit: "kPa"), Metric(.diastolic, 80)], []
    ),
    (
      [Metric(.systolic, 10, unit: "kPa"), Metric(.diastolic, 16, unit: "kPa")],
      ["metrics[0].value"]
    ),
    (
      [Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.meanArterialPressure, 79)],
      ["metrics[2].value"]
    ),
    (
      [Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.meanArterialPressure, 121)],
      ["metrics[0].value"]
    ),
    ([Metric(.minimumHeartRate, 70), Metric(.maximumHeartRate, 60)], ["metrics[1].value"]),
    (
      [Metric(.averageOxygenSaturation, 99), Metric(.maximumOxygenSaturation, 98)],
      ["metrics[1].value"]
    ),
  ])
  func `doubt values that contradict each other`(metrics: [Metric], paths: [String]) {
    let found = FHIRExample.measurement(metrics).sanityWarnings(now: now)
    #expect(found.map(\.path) == paths)
    #expect(found.allSatisfy { $0.code == .contradiction })
  }

  @Test func `doubt times that have not come yet`() {
    var record = FHIRExample.measurement([Metric(.pulse, 60)])
    record.time.start = now + 300
    record.time.end = now + 86_400
    #expect(warnings(record) == [])
    record.time.start = now + 301
    #expect(warnings(record) == ["start_time future"])
    record.time.start = now
    record.time.end = now + 86_401
    record.time.received = now + 301
    record.lastUpdated = now + 400
    #expect(
      warnings(record) == ["end_time future", "time.received future", "updated_at future"])
  }

  @Test func `doubt the start alone where the receipt is not known`() {
    var record = FHIRExample.measurement([Metric(.pulse, 60)])
    let far = Date(timeIntervalSince1970: 4_070_908_800)
    record.time = RecordTime(start: far, origin: .unknown, received: far)
    #expect(warnings(record) == ["start_time future"])
  }

  @Test func `doubt the times of points`() {
    var record = KindExample.intraday.record
    let past = KindExample.morning - 86_400
    record.time = RecordTime(start: past, origin: .device, received: past)
    #expect(
      record.sanityWarnings(now: KindExample.morning).map(\.path)
        == ["metrics[0].data_points[2].time"])
    record = KindExample.cgm.record
    record.time = RecordTime(start: past, origin: .device, received: past)
    #expect(
      record.sanityWarnings(now: past).map(\.path) == [
        "metrics[1].reading_log[0].time", "metrics[1].reading_log[1].time",
        "metrics[1].reading_log[2].time",
      ])
  }

  @Test func `are described without the value`() {
    let found = FHIRExample.measurement([
      Metric(.oxygenSaturation, 618.625), Metric(.systolic, 80), Metric(.diastolic, 119),
    ]).sanityWarnings(now: now)
    #expect(
      found.map(\.description) == [
        "metrics[0].value: no living person has such a value of spo2",
        "metrics[1].value: systolic is not above diastolic",
      ])
  }
}
