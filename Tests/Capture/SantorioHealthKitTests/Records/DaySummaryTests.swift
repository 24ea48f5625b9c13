// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioHealthKit
import Testing

@Suite struct `Summary of a day` {
  private func fixture() async throws -> HealthFixture {
    try await HealthFixture(
      Set(DaySummary.quantityTypes as [HKSampleType] + DaySummary.categoryTypes))
  }

  /// The summary as an app makes it of what the store has.
  private func summary(
    _ text: String, _ zones: ZoneHistory, _ fixture: HealthFixture
  ) async throws -> DaySummary {
    var summary = DaySummary(of: try day(text), in: zones)
    let interval = try #require(summary.interval)
    for type in DaySummary.quantityTypes {
      let collection = try await fixture.statistics(
        HKQuantityTypeIdentifier(rawValue: type.identifier), from: interval.start,
        summary.intervalComponents)
      for statistics in collection.statistics() { summary.add(statistics) }
    }
    let categories =
      try await fixture.samples(HKCategoryType(.appleStandHour))
      + fixture.samples(HKCategoryType(.mindfulSession))
    summary.addStandHours(categories.compactMap { $0 as? HKCategorySample })
    summary.addMindfulSessions(categories.compactMap { $0 as? HKCategorySample })
    return summary
  }

  private func steps(_ count: Double, _ start: String, _ end: String) throws -> HKQuantitySample {
    .of(.stepCount, count, "count", try instant(start), to: try instant(end))
  }

  private func hour(_ start: String, _ value: Int) throws -> HKCategorySample {
    .of(.appleStandHour, value, try instant(start), to: try instant(start) + 3600)
  }

  private func mindful(_ start: String, _ end: String) throws -> HKCategorySample {
    .of(.mindfulSession, 0, try instant(start), to: try instant(end))
  }

  @Test func `has what HealthKit has of the day, and one identifier`() async throws {
    let fixture = try await fixture()
    let (start, end) = (try instant("2026-07-14T08:00:00"), try instant("2026-07-14T09:00:00"))
    try fixture.phone.save(
      [
        HKQuantitySample.of(.stepCount, 4321, "count", start, to: end),
        .of(.distanceWalkingRunning, 3.21456, "km", start, to: end),
        .of(.distanceCycling, 9, "km", start, to: end),
        .of(.flightsClimbed, 7, "count", start, to: end),
        .of(.activeEnergyBurned, 310.26, "kcal", start, to: end),
        .of(.basalEnergyBurned, 1650.5, "kcal", start, to: end),
        .of(.appleExerciseTime, 31, "min", start, to: end),
      ], from: HealthFixture.watch)
    try fixture.phone.save(
      [try steps(5000, "2026-07-14T08:00:00", "2026-07-14T09:00:00")],
      from: HealthFixture.iPhone)

    let zones = ZoneHistory(try zone("Europe/Rome"))
    let computed = try instant("2026-07-15T05:00:00")
    let record = try #require(
      try await summary("2026-07-14", zones, fixture).record(computed: computed))
    #expect(
      record.values == [
        "steps": 4321, "distance": 3214.6, "floors_climbed": 7, "active_energy_burned": 310.3,
        "basal_energy_burned": 1650.5, "energy_burned": 1960.8, "active_duration": 1860,
      ])
    #expect(record.kind == .summary && record.category == "daily")
    #expect(record.logID == "apple_health-summary-2026-07-14")
    #expect(try record.time.start == instant("2026-07-13T22:00:00"))
    #expect(try record.time.end == instant("2026-07-14T22:00:00"))
    #expect(record.time.utcOffsetSeconds == 7200 && record.time.offsetOrigin == .profile)
    #expect(record.lastUpdated == computed)
    #expect(record.source == RecordSource(type: .appleHealth))
    #expect(try HealthRecord(informJSON: record.informJSON()) == record)
    #expect(try record.legacyForm().recordClass == .routine)
    #expect(try FHIREncoder(subject: "Patient/1").observations(of: record).count == 7)
  }

  @Test func `has no metric of what nothing is known of, and no record of nothing`() async throws {
    let fixture = try await fixture()
    let zones = ZoneHistory(.gmt)
    let empty = try await summary("2026-07-14", zones, fixture)
    #expect(try empty.record(computed: instant("2026-07-15T05:00:00")) == nil)

    try fixture.phone.save(
      [try hour("2026-07-14T09:00:00", 1)], from: HealthFixture.watch)
    let record = try await summary("2026-07-14", zones, fixture)
      .record(computed: try instant("2026-07-15T05:00:00"))
    #expect(record?.values == ["stand_hours_count": 0, "idle_hours_count": 1])
  }

  @Test func `has its part of a sample over midnight, rounded down`() async throws {
    let fixture = try await fixture()
    try fixture.phone.save(
      [try steps(101, "2026-07-13T23:57:00", "2026-07-14T00:02:00")], from: HealthFixture.watch)
    let zones = ZoneHistory(.gmt)
    let computed = try instant("2026-07-15T05:00:00")
    let before = try await summary("2026-07-13", zones, fixture).record(computed: computed)
    let after = try await summary("2026-07-14", zones, fixture).record(computed: computed)
    // 60.6 and 40.4
    #expect(before?.values == ["steps": 60])
    #expect(after?.values == ["steps": 40])
  }

  @Test func `rounds a sum that is short of a whole number by the computer's arithmetic`()
    async throws
  {
    let fixture = try await fixture()
    let start = try instant("2026-07-14T08:00:00")
    let samples = (0..<30).map { index in
      HKQuantitySample.of(
        .stepCount, 0.1, "count", start + Double(index) * 60, to: start + Double(index) * 60 + 30)
    }
    try fixture.phone.save(samples, from: HealthFixture.watch)
    let record = try await summary("2026-07-14", ZoneHistory(.gmt), fixture)
      .record(computed: start)
    #expect(record?.values == ["steps": 3])
  }

  @Test(arguments: [("2026-03-29", 23.0), ("2026-10-25", 25), ("2026-07-14", 24)])
  func `has all hours of a day on which clocks change`(text: String, hours: Double) async throws {
    let fixture = try await fixture()
    let zones = ZoneHistory(try zone("Europe/Rome"))
    let start = try #require(zones.interval(of: try day(text))).start
    // A step each half an hour, and an hour of standing each hour, from the day before to the next.
    let samples: [HKSample] =
      (-48..<98).map { half in
        let time = start + Double(half) * 1800
        return HKQuantitySample.of(.stepCount, 1, "count", time, to: time + 60)
      }
      + (-24..<49).map { hour in
        let time = start + Double(hour) * 3600
        return HKCategorySample.of(.appleStandHour, hour % 2 == 0 ? 0 : 1, time, to: time + 3600)
      }
    try fixture.phone.save(samples, from: HealthFixture.watch)
    let record = try await summary(text, zones, fixture).record(computed: start)
    #expect(record?.values["steps"] == hours * 2)
    #expect(
      (record?.values["stand_hours_count"] ?? 0) + (record?.values["idle_hours_count"] ?? 0)
        == hours)
    #expect(record?.values["stand_hours_count"] == (hours / 2).rounded(.up))
  }

  @Test func `of travel has what happened in both places, once`() async throws {
    let fixture = try await fixture()
    let zones = ZoneHistory(
      try zone("Europe/Rome"),
      [.init(start: try instant("2026-07-14T08:00:00"), zone: try zone("America/New_York"))])
    try fixture.phone.save(
      [
        // 13 July, 23:30 in Rome; 14 July, 1:00 in Rome; 14 July, 23:00 and 15 July, 1:00 in New York.
        try steps(1, "2026-07-13T21:30:00", "2026-07-13T21:31:00"),
        try steps(10, "2026-07-13T23:00:00", "2026-07-13T23:01:00"),
        try steps(100, "2026-07-15T03:00:00", "2026-07-15T03:01:00"),
        try steps(1000, "2026-07-15T05:00:00", "2026-07-15T05:01:00"),
      ], from: HealthFixture.iPhone)
    let computed = try instant("2026-07-16T12:00:00")
    let records = try await [
      summary("2026-07-13", zones, fixture), summary("2026-07-14", zones, fixture),
      summary("2026-07-15", zones, fixture),
    ].map { $0.record(computed: computed) }
    #expect(records.map { $0?.values["steps"] } == [1, 110, 1000])
    #expect(records.map { $0?.time.utcOffsetSeconds } == [7200, 7200, -14_400])
  }

  @Test func `leaves out statistics of another day, by their middle`() async throws {
    let fixture = try await fixture()
    try fixture.phone.save(
      [
        try steps(10, "2026-07-14T12:00:00", "2026-07-14T12:01:00"),
        try steps(20, "2026-07-15T12:00:00", "2026-07-15T12:01:00"),
      ], from: HealthFixture.watch)
    let anchor = try instant("2026-07-13T23:00:00")
    let buckets = try await fixture.statistics(.stepCount, from: anchor, DateComponents(day: 1))
      .statistics()
    let zones = ZoneHistory(.gmt)
    #expect(
      try buckets.map { DaySummary.day(of: $0, in: zones) }
        == [day("2026-07-14"), day("2026-07-15")])
    var summary = DaySummary(of: try day("2026-07-14"), in: zones)
    for bucket in buckets { summary.add(bucket) }
    #expect(summary.record(computed: anchor)?.values == ["steps": 10])
  }

  @Test func `counts an hour of two watches once, and standing before idling`() async throws {
    var summary = DaySummary(of: try day("2026-07-14"), in: ZoneHistory(try zone("Asia/Kolkata")))
    summary.addStandHours([
      try hour("2026-07-14T04:30:00", 1), try hour("2026-07-14T04:30:00", 0),
      try hour("2026-07-14T05:30:00", 1), try hour("2026-07-14T05:30:00", 1),
      try hour("2026-07-14T06:30:00", 0),
      // The first and the last hour of the day at Kolkata, and their neighbours.
      try hour("2026-07-13T17:30:00", 0), try hour("2026-07-13T18:30:00", 0),
      try hour("2026-07-14T17:30:00", 0), try hour("2026-07-14T18:30:00", 0),
    ])
    let record = summary.record(computed: try instant("2026-07-15T05:00:00"))
    #expect(record?.values == ["stand_hours_count": 4, "idle_hours_count": 1])
  }

  @Test func `counts mindful time once, and what lies within the day`() throws {
    var summary = DaySummary(of: try day("2026-07-14"), in: ZoneHistory(.gmt))
    summary.addMindfulSessions([
      try mindful("2026-07-13T23:50:00", "2026-07-14T00:05:00"),
      try mindful("2026-07-14T07:00:00", "2026-07-14T07:10:00"),
      try mindful("2026-07-14T07:05:00", "2026-07-14T07:12:30"),
      try mindful("2026-07-14T23:59:00", "2026-07-15T00:30:00"),
      try mindful("2026-07-15T07:00:00", "2026-07-15T07:10:00"),
    ])
    let record = summary.record(computed: try instant("2026-07-15T05:00:00"))
    #expect(record?.values == ["mindful_duration": 300 + 750 + 60])
  }

  @Test func `is the same record when it is made again`() throws {
    func record(_ order: [String]) throws -> HealthRecord? {
      var summary = DaySummary(of: try day("2026-07-14"), in: ZoneHistory(.gmt))
      summary.addMindfulSessions(try order.map { try mindful($0 + ":00:00", $0 + ":10:00") })
      return summary.record(computed: try instant("2026-07-15T05:00:00"))
    }
    #expect(
      try record(["2026-07-14T06", "2026-07-14T09"]) == record(["2026-07-14T09", "2026-07-14T06"]))
  }

  // MARK: - In the course of the day

  @Test func `in its course has points that add up to its steps`() async throws {
    let fixture = try await fixture()
    let zones = ZoneHistory(try zone("Europe/Rome"))
    try fixture.phone.save(
      [
        try steps(100, "2026-07-14T06:10:00", "2026-07-14T06:17:00"),
        try steps(50, "2026-07-14T06:25:00", "2026-07-14T06:35:00"),
        try steps(7, "2026-07-14T21:59:00", "2026-07-14T22:01:00"),
        try steps(9, "2026-07-14T23:00:00", "2026-07-14T23:01:00"),
      ], from: HealthFixture.watch)
    let intraday = IntradaySteps(of: try day("2026-07-14"), in: zones)
    let computed = try instant("2026-07-15T05:00:00")
    let collection = try await fixture.statistics(
      .stepCount, from: try #require(intraday.interval).start, intraday.intervalComponents)
    let record = try #require(intraday.record(of: collection, computed: computed))
    // 71.43, 28.57 + 25, 25, 3.5
    let points = record.series[0].dataPoints
    #expect(points.map(\.value) == [71, 54, 25, 3])
    #expect(
      try points.map(\.time) == [
        instant("2026-07-14T06:00:00"), instant("2026-07-14T06:15:00"),
        instant("2026-07-14T06:30:00"), instant("2026-07-14T21:45:00"),
      ])
    #expect(record.kind == .intraday && record.granularity == .minutes(15))
    #expect(record.logID == "apple_health-steps-2026-07-14")
    #expect(try record.time.start == instant("2026-07-13T22:00:00"))
    #expect(record.metrics.isEmpty)
    let total = try await summary("2026-07-14", zones, fixture).record(computed: computed)
    #expect(total?.values["steps"] == points.map(\.value).reduce(0, +))
    #expect(try HealthRecord(informJSON: record.informJSON()) == record)
    #expect(try FHIREncoder(subject: "Patient/1").observations(of: record).count == 1)
  }

  @Test func `in its course has no record without steps`() async throws {
    let fixture = try await fixture()
    let intraday = IntradaySteps(of: try day("2026-07-14"), in: ZoneHistory(.gmt), minutes: 60)
    let collection = try await fixture.statistics(
      .stepCount, from: try #require(intraday.interval).start, intraday.intervalComponents)
    #expect(intraday.record(of: collection, computed: Date()) == nil)
  }
}
