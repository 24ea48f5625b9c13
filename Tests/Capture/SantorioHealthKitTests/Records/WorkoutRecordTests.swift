// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioHealthKit
import Testing

@Suite struct `Records of workouts` {
  private let start = Date(timeIntervalSince1970: 1_784_013_000)
  private let records = SampleRecords(
    zones: ZoneHistory(.gmt), ownBundleIdentifier: "org.example.readings")

  private func figures(
    _ type: HKQuantityTypeIdentifier, sum: Double? = nil, rates: [Double] = [], _ unit: String
  ) -> (HKQuantityType, HKStatistics) {
    func quantity(_ value: Double?) -> HKQuantity? {
      value.map { HKQuantity(unit: HKUnit(from: unit), doubleValue: $0) }
    }
    var figures = HKStatistics.Figures()
    figures.sum = quantity(sum)
    (figures.minimum, figures.maximum) = (quantity(rates.min()), quantity(rates.max()))
    figures.average = rates.isEmpty ? nil : quantity(rates.reduce(0, +) / Double(rates.count))
    let type = HKQuantityType(type)
    return (type, HKStatistics(type, start, start + 3600, figures))
  }

  /// A workout of Apple's app, which has statistics.
  private func workout(
    _ activity: HKWorkoutActivityType, _ statistics: [(HKQuantityType, HKStatistics)],
    _ metadata: [String: Any]? = nil
  ) -> HKWorkout {
    var content = HKWorkout.Content(activity, duration: 3120.5)
    content.statistics = Dictionary(uniqueKeysWithValues: statistics)
    return HKWorkout(content, start, start + 3600, ObjectFacts(metadata: metadata))
  }

  private func record(_ workout: HKWorkout, _ rates: HKStatistics? = nil) throws -> HealthRecord {
    try #require(records.record(of: workout, heartRate: rates, received: start + 4000))
  }

  @Test func `have the duration without pauses and what was measured meanwhile`() throws {
    let workout = workout(
      .running,
      [
        figures(.distanceWalkingRunning, sum: 10.0425, "km"),
        figures(.activeEnergyBurned, sum: 712.25, "kcal"),
        figures(.heartRate, rates: [120, 150, 171], "count/min"),
      ],
      [
        HKMetadataKeyIndoorWorkout: false,
        HKMetadataKeyElevationAscended: HKQuantity(unit: HKUnit(from: "cm"), doubleValue: 4180),
      ])
    let record = try record(workout)
    #expect(
      record.values == [
        "active_duration": 3120.5, "distance": 10_042.5, "energy_burned": 712.25,
        "elevation": 41.8, "avg_heart_rate": 147, "min_heart_rate": 120, "max_heart_rate": 171,
      ])
    #expect(record.kind == .workout)
    #expect(record.category == "running" && record.name == "Running")
    #expect(record.findings == ["indoor": "false"])
    #expect(record.time.end.timeIntervalSince(record.time.start) == 3600)
    #expect(record.logID == SampleIdentity.logID(of: workout.uuid))
    #expect(SampleRecords.predicateForHeartRates(of: workout) == nil)
    #expect(try HealthRecord(informJSON: record.informJSON()) == record)
    let legacy = try record.legacyForm()
    #expect(legacy.recordClass == .fitness)
    #expect(String(decoding: legacy.json, as: UTF8.self).contains(#""duration":3120.5"#))
    #expect(try FHIREncoder(subject: "Patient/1").observations(of: record).count == 1)
  }

  @Test(arguments: [
    (HKWorkoutActivityType.cycling, HKQuantityTypeIdentifier.distanceCycling),
    (.handCycling, .distanceCycling), (.swimming, .distanceSwimming),
    (.wheelchairRunPace, .distanceWheelchair), (.snowboarding, .distanceDownhillSnowSports),
    (.hiking, .distanceWalkingRunning),
  ])
  func `have the distance of the type that fits the activity`(
    activity: HKWorkoutActivityType, type: HKQuantityTypeIdentifier
  ) throws {
    let all: [HKQuantityTypeIdentifier] = [
      .distanceCycling, .distanceSwimming, .distanceWheelchair, .distanceDownhillSnowSports,
      .distanceWalkingRunning,
    ]
    let workout = workout(
      activity, all.map { figures($0, sum: $0 == type ? 7 : 1000, "m") })
    #expect(try record(workout).values["distance"] == 7)
  }

  @Test func `of several activities have the sum of their distances`() throws {
    let workout = workout(
      .swimBikeRun,
      [
        figures(.distanceSwimming, sum: 750, "m"), figures(.distanceCycling, sum: 20, "km"),
        figures(.distanceWalkingRunning, sum: 5, "km"),
      ])
    #expect(try record(workout).values["distance"] == 25_750)
  }

  @Test func `of another app have its totals and the heart rates beside it`() async throws {
    let fixture = try await HealthFixture([HKQuantityType(.heartRate), .workoutType()])
    let rates = [90.0, 110].enumerated().map { index, rate in
      HKQuantitySample.of(.heartRate, rate, "count/min", start + Double(index) * 600)
    }
    let outside = HKQuantitySample.of(.heartRate, 60, "count/min", start + 86_400)
    try fixture.phone.save(rates + [outside], from: HealthFixture.watch)
    let saved = HKWorkout(
      activityType: .rowing, start: start, end: start + 1800, workoutEvents: nil,
      totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 200),
      totalDistance: HKQuantity(unit: .meter(), doubleValue: 5000),
      metadata: [HKMetadataKeyWorkoutBrandName: "Rowers' Club"])
    let read = try await fixture.saved([saved], from: HealthFixture.diary)
    let workout = try #require(read.first as? HKWorkout)

    let predicate = try #require(SampleRecords.predicateForHeartRates(of: workout))
    let statistics = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: HKQuantityType(.heartRate), predicate: predicate),
      options: [.discreteAverage, .discreteMin, .discreteMax]
    ).result(for: fixture.store)
    let record = try record(workout, statistics)
    #expect(
      record.values == [
        "active_duration": 1800, "distance": 5000, "energy_burned": 200, "avg_heart_rate": 100,
        "min_heart_rate": 90, "max_heart_rate": 110,
      ])
    #expect(record.name == "Rowers' Club" && record.category == "rowing")
  }

  @Test func `without measurements have a duration`() throws {
    let workout = HKWorkout(activityType: .yoga, start: start, end: start + 1800)
    #expect(try record(workout).values == ["active_duration": 1800])
  }

  @Test func `leave out pauses`() throws {
    let events = [
      HKWorkoutEvent(
        type: .pause, dateInterval: DateInterval(start: start + 600, duration: 0), metadata: nil),
      HKWorkoutEvent(
        type: .resume, dateInterval: DateInterval(start: start + 900, duration: 0), metadata: nil),
    ]
    let workout = HKWorkout(
      activityType: .walking, start: start, end: start + 1800, workoutEvents: events,
      totalEnergyBurned: nil, totalDistance: nil, metadata: nil)
    #expect(try record(workout).values == ["active_duration": 1500])
  }

  @Test func `have a name for every activity, each another one`() throws {
    let types = (1...84).filter { $0 != 81 }.compactMap {
      HKWorkoutActivityType(rawValue: UInt($0))
    }
    #expect(types.count == 83)
    let names = try types.compactMap {
      try record(HKWorkout(activityType: $0, start: start, end: start + 60)).category
    }
    #expect(names.count == 83)
    #expect(Set(names).count == 83)
    #expect(names.allSatisfy { !$0.hasPrefix("activity_") })
  }
}
