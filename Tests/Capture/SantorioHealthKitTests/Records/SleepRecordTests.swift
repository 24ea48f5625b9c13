// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioHealthKit
import Testing

@Suite struct `Records of sleep` {
  private let zones: ZoneHistory
  private let sleep: SleepRecords
  private let computed: Date

  init() throws {
    zones = ZoneHistory(try zone("Europe/Rome"))
    sleep = SleepRecords(zones: zones)
    computed = try instant("2026-07-14T10:00:00")
  }

  /// The samples of a night at Rome, by local times of 13 and 14 July: `inBed 22:30-07:00`.
  private func samples(_ lines: String...) throws -> [HKCategorySample] {
    let names = ["inBed", "asleep", "awake", "core", "deep", "rem"]
    return try lines.map { line in
      let parts = line.split(separator: " ").map(String.init)
      let times = try parts[1].split(separator: "-").map { text in
        let isEvening = text >= "18:00"
        return try instant("2026-07-\(isEvening ? 13 : 14)T\(text):00") - 7200
      }
      let value = try #require(names.firstIndex(of: parts[0]))
      return .of(.sleepAnalysis, value, times[0], to: times[1])
    }
  }

  /// The same as read from a store in which sources have saved them.
  private func saved(
    _ sources: [(HKSourceRevision, [HKCategorySample])]
  ) async throws -> [HKCategorySample] {
    let fixture = try await HealthFixture([HKCategoryType(.sleepAnalysis)])
    for (source, samples) in sources { try fixture.phone.save(samples, from: source) }
    return try await fixture.samples(HKCategoryType(.sleepAnalysis))
      .compactMap { $0 as? HKCategorySample }
  }

  private func records(_ samples: [HKCategorySample]) throws -> [HealthRecord] {
    sleep.records(of: samples, wakingOn: try day("2026-07-14"), computed: computed)
  }

  @Test func `have each stage, the time in bed, and how long it took to fall asleep`() throws {
    let records = try records(
      samples(
        "inBed 22:30-07:00", "core 23:00-01:00", "deep 01:00-02:00", "awake 02:00-02:10",
        "core 02:10-04:00", "rem 04:00-05:00", "awake 05:00-05:05", "core 05:05-06:45",
        "awake 06:45-06:55"))
    #expect(records.count == 1)
    #expect(
      records[0].values == [
        "sleep_duration": 27_000, "light_sleep": 19_800, "deep_sleep": 3600, "rem_sleep": 3600,
        "awake_duration": 1500, "awake_count": 2, "in_bed_duration": 30_600,
        "time_to_fall_asleep": 1800,
      ])
    #expect(records[0].logID == "apple_health-sleep-2026-07-14")
    #expect(records[0].kind == .sleep)
    #expect(try records[0].time.start == instant("2026-07-13T20:30:00"))
    #expect(try records[0].time.end == instant("2026-07-14T05:00:00"))
    #expect(records[0].time.utcOffsetSeconds == 7200)
    #expect(try HealthRecord(informJSON: records[0].informJSON()) == records[0])
    #expect(try records[0].legacyForm().recordClass == .sleep)
    #expect(try FHIREncoder(subject: "Patient/1").observations(of: records[0]).count == 1)
  }

  @Test func `count copies, overlaps and any order once`() throws {
    let night = try samples(
      "asleep 23:00-07:00", "core 23:00-03:00", "core 23:00-03:00", "core 02:00-04:00",
      "deep 03:30-04:30", "awake 05:00-05:30", "core 05:20-05:40")
    let expected: [String: Double] = [
      // 23:00 to 7:00 without 20 minutes awake.
      "sleep_duration": 27_600, "light_sleep": 17_400, "deep_sleep": 3600, "rem_sleep": 0,
      "awake_duration": 1200, "awake_count": 1,
    ]
    #expect(try records(night).map(\.values) == [expected])
    #expect(try records(night.reversed()).map(\.values) == [expected])
  }

  @Test func `of two apps have those of the one with stages`() async throws {
    let night = try await saved([
      (HealthFixture.diary, try samples("asleep 22:45-07:10")),
      (HealthFixture.watch, try samples("core 23:00-05:00", "rem 05:00-06:00")),
    ])
    let records = try records(night)
    #expect(
      records.map(\.values) == [
        [
          "sleep_duration": 25_200, "light_sleep": 21_600, "deep_sleep": 0, "rem_sleep": 3600,
          "awake_duration": 0, "awake_count": 0,
        ]
      ])
    #expect(records[0].extras["source_bundle_id"] == .text("com.apple.health.A1"))
  }

  @Test func `of two sources of one kind have those of the watch`() async throws {
    let night = try await saved([
      (HealthFixture.diary, try samples("asleep 22:00-08:00")),
      (HealthFixture.watch, try samples("asleep 23:00-06:00")),
    ])
    #expect(try records(night).map(\.values) == [["sleep_duration": 25_200]])
  }

  @Test func `take the time in bed from the phone where the watch has none`() async throws {
    let night = try await saved([
      (HealthFixture.iPhone, try samples("inBed 22:30-02:00", "inBed 02:10-07:00")),
      (HealthFixture.watch, try samples("core 23:00-06:30")),
    ])
    let record = try #require(try records(night).first)
    #expect(record.values["in_bed_duration"] == 30_000)
    #expect(record.values["time_to_fall_asleep"] == 1800)
    #expect(record.values["sleep_duration"] == 27_000)
    #expect(try record.time.start == instant("2026-07-13T20:30:00"))
  }

  @Test func `divide the time in bed between two sleeps of a watch`() async throws {
    let night = try await saved([
      (HealthFixture.iPhone, try samples("inBed 22:00-08:00")),
      (HealthFixture.watch, try samples("core 22:30-01:30", "core 03:00-07:30")),
    ])
    let records = try records(night)
    #expect(records.map(\.values["sleep_duration"]) == [16_200, 10_800])
    #expect(records.map(\.values["in_bed_duration"]) == [18_000, 18_000])
    #expect(records.map(\.logID).last == "apple_health-sleep-2026-07-14-2")
  }

  @Test func `of a phone alone have a time in bed, and nothing about sleep`() throws {
    let records = try records(samples("inBed 22:30-02:00", "inBed 02:10-07:00"))
    #expect(records.map(\.values) == [["in_bed_duration": 30_000]])
  }

  @Test func `join what lies within an hour, and not what lies apart`() throws {
    #expect(try records(samples("core 23:00-01:00", "core 02:00-06:00")).count == 1)
    #expect(try records(samples("core 23:00-01:00", "core 02:01-06:00")).count == 2)
  }

  @Test func `of a day begin with the longest, and keep their names when one arrives late`() throws
  {
    let nap = try samples("core 13:00-14:00")
    let night = try samples("core 23:00-06:00")
    let doze = try samples("core 09:00-09:30")
    #expect(try records(nap).map(\.logID) == ["apple_health-sleep-2026-07-14"])
    let all = try records(nap + doze + night)
    #expect(
      all.map(\.logID) == [
        "apple_health-sleep-2026-07-14", "apple_health-sleep-2026-07-14-2",
        "apple_health-sleep-2026-07-14-3",
      ])
    #expect(all.map(\.values["sleep_duration"]) == [25_200, 1800, 3600])
  }

  @Test func `belong to the day of waking up`() throws {
    let night = try samples("core 23:00-06:00")
    #expect(
      sleep.records(of: night, wakingOn: try day("2026-07-13"), computed: computed).isEmpty)
    #expect(
      try sleep.days(touchedBy: night) == ["13", "14", "15"].map { try day("2026-07-\($0)") })
    let interval = try #require(sleep.interval(wakingOn: try day("2026-07-14")))
    #expect(try interval.start == instant("2026-07-12T22:00:00"))
    #expect(try interval.end == instant("2026-07-15T10:00:00"))
  }

  @Test func `have the seconds of a night in which the clocks change`() throws {
    let start = try instant("2026-10-24T21:00:00")
    let night = [HKCategorySample.of(.sleepAnalysis, 3, start, to: start + 9 * 3600)]
    let records = sleep.records(of: night, wakingOn: try day("2026-10-25"), computed: computed)
    #expect(records.map(\.values["sleep_duration"]) == [32_400])
    #expect(records[0].time.utcOffsetSeconds == 7200)
  }

  @Test func `have the zone that the samples name`() throws {
    let start = try instant("2026-07-14T03:00:00")
    let night = [
      HKCategorySample.of(
        .sleepAnalysis, 3, start, to: start + 3600,
        [HKMetadataKeyTimeZone: "America/New_York", HKMetadataKeyWasUserEntered: true])
    ]
    let record = try #require(try records(night).first)
    #expect(record.time.utcOffsetSeconds == -14_400 && record.time.offsetOrigin == .source)
    #expect(record.metrics.allSatisfy { $0.origin == .manual })
  }

  @Test func `leave out samples without length and of other types`() throws {
    let start = try instant("2026-07-14T03:00:00")
    let others = [
      HKCategorySample.of(.sleepAnalysis, 3, start),
      HKCategorySample.of(.sleepAnalysis, 77, start, to: start + 60),
      HKCategorySample.of(.mindfulSession, 0, start, to: start + 60),
    ]
    #expect(try records(others).isEmpty)
  }
}
