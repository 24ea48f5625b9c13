// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `A workout builder` {
  private func builder(_ fixture: PhoneFixture) -> HKWorkoutBuilder {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    return HKWorkoutBuilder(
      healthStore: fixture.store, configuration: configuration, device: .local())
  }

  private static let pause = HKWorkoutEvent(
    type: .pause, dateInterval: DateInterval(start: PhoneFixture.time(100), duration: 0),
    metadata: nil)
  private static let resume = HKWorkoutEvent(
    type: .resume, dateInterval: DateInterval(start: PhoneFixture.time(160), duration: 0),
    metadata: nil)

  private func code(_ body: () async throws -> Void) async -> HKError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? HKError)?.code
    }
  }

  @Test func `saves a workout of which its samples are a part`() async throws {
    let fixture = try await PhoneFixture()
    let builder = builder(fixture)
    try await builder.beginCollection(at: PhoneFixture.time(0))
    let rates = [PhoneFixture.rate(120, 10), PhoneFixture.rate(240, 20)]
    try await builder.addSamples(rates)
    try await builder.addSamples([PhoneFixture.steps(300, 0, 100)])
    try await fixture.store.save(PhoneFixture.rate(80, 30))
    try await builder.addWorkoutEvents([Self.resume, Self.pause])
    try await builder.addMetadata([HKMetadataKeyIndoorWorkout: true])
    try await builder.endCollection(at: PhoneFixture.time(600))
    #expect(builder.elapsedTime(at: PhoneFixture.time(130)) == 100)
    #expect(builder.elapsedTime(at: PhoneFixture.time(10_000)) == 540)

    let workout = try #require(try await builder.finishWorkout())
    let saved = try #require(
      try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [])
        .result(for: fixture.store).first)
    #expect(saved == workout)
    #expect(saved.workoutActivityType == .running)
    #expect(saved.duration == 540)
    #expect(saved.workoutEvents?.map(\.type) == [.pause, .resume])
    #expect(saved.metadata?[HKMetadataKeyIndoorWorkout] as? Bool == true)
    #expect(saved.device == .local())
    let perSecond = HKUnit(from: "count/s")
    let beats = saved.statistics(for: PhoneFixture.heartRate)
    #expect(beats?.averageQuantity()?.doubleValue(for: perSecond) == 3)
    #expect(
      saved.statistics(for: PhoneFixture.steps)?.sumQuantity()?.doubleValue(for: .count()) == 300)
    let during = try await HKSampleQueryDescriptor(
      predicates: [
        .quantitySample(
          type: PhoneFixture.heartRate, predicate: HKQuery.predicateForObjects(from: workout))
      ], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: fixture.store)
    #expect(during == rates)
  }

  @Test func `leaves a sample that was saved before as it is`() async throws {
    let fixture = try await PhoneFixture()
    let builder = builder(fixture)
    let steps = PhoneFixture.steps(5, 0, 60)
    try await fixture.store.save(steps)
    try await builder.beginCollection(at: PhoneFixture.time(0))
    try await builder.addSamples([steps])
    try await builder.endCollection(at: PhoneFixture.time(60))
    let workout = try #require(try await builder.finishWorkout())
    #expect(
      try await fixture.values(PhoneFixture.steps, HKQuery.predicateForObjects(from: workout))
        == [5])
    #expect(try await fixture.values(PhoneFixture.steps) == [5])
  }

  @Test func `keeps the order of its steps`() async throws {
    let fixture = try await PhoneFixture()
    let builder = builder(fixture)
    #expect(await code { try await builder.addSamples([]) } == .errorInvalidArgument)
    #expect(
      await code { try await builder.endCollection(at: PhoneFixture.time(1)) }
        == .errorInvalidArgument)
    #expect(await code { try await builder.finishWorkout() } == .errorInvalidArgument)
    try await builder.beginCollection(at: PhoneFixture.time(0))
    #expect(
      await code { try await builder.beginCollection(at: PhoneFixture.time(0)) }
        == .errorInvalidArgument)
    #expect(
      await code { try await builder.addSamples([PhoneFixture.steps(1, -10, 10)]) }
        == .errorInvalidArgument)
    #expect(
      await code { try await builder.endCollection(at: PhoneFixture.time(-1)) }
        == .errorInvalidArgument)
    try await builder.endCollection(at: PhoneFixture.time(1))
    _ = try await builder.finishWorkout()
    #expect(await code { try await builder.finishWorkout() } == .errorInvalidArgument)
    #expect(await code { try await builder.addSamples([]) } == .errorInvalidArgument)
  }

  @Test func `that is discarded leaves its samples`() async throws {
    let fixture = try await PhoneFixture()
    let builder = builder(fixture)
    try await builder.beginCollection(at: PhoneFixture.time(0))
    try await builder.addSamples([PhoneFixture.steps(5, 0, 60)])
    builder.discardWorkout()
    #expect(await code { try await builder.finishWorkout() } == .errorInvalidArgument)
    #expect(try await fixture.values(PhoneFixture.steps) == [5])
  }

  @Test func `has parts that end and get metadata later`() async throws {
    let fixture = try await PhoneFixture()
    let builder = builder(fixture)
    let swim = HKWorkoutConfiguration()
    swim.activityType = .swimming
    let part = HKWorkoutActivity(
      workoutConfiguration: swim, start: PhoneFixture.time(0), end: nil, metadata: nil)
    try await builder.beginCollection(at: PhoneFixture.time(0))
    try await builder.addWorkoutActivity(part)
    try await builder.updateActivity(uuid: part.uuid, end: PhoneFixture.time(50))
    try await builder.updateActivity(uuid: part.uuid, adding: ["lane": "2"])
    #expect(
      await code { try await builder.updateActivity(uuid: UUID(), end: PhoneFixture.time(50)) }
        == .errorInvalidArgument)
    try await builder.endCollection(at: PhoneFixture.time(60))
    let saved = try #require(try await builder.finishWorkout()?.workoutActivities.first)
    #expect(saved.uuid == part.uuid)
    #expect(saved.workoutConfiguration.activityType == .swimming)
    #expect(saved.endDate == PhoneFixture.time(50))
    #expect(saved.metadata?["lane"] as? String == "2")
  }

  @Test func `on a locked phone gives neither a workout nor an error`() async throws {
    let fixture = try await PhoneFixture()
    let builder = builder(fixture)
    try await builder.beginCollection(at: PhoneFixture.time(0))
    try await builder.endCollection(at: PhoneFixture.time(60))
    fixture.phone.isLocked = true
    #expect(try await builder.finishWorkout() == nil)
    fixture.phone.isLocked = false
    let workouts = try await HKSampleQueryDescriptor(
      predicates: [.workout()], sortDescriptors: []
    ).result(for: fixture.store)
    #expect(workouts.map(\.duration) == [60])
  }

  @Test func `needs the permission to save workouts`() async throws {
    let fixture = try await PhoneFixture(allowing: [PhoneFixture.steps])
    let builder = builder(fixture)
    try await builder.beginCollection(at: PhoneFixture.time(0))
    try await builder.endCollection(at: PhoneFixture.time(60))
    #expect(
      await code { try await builder.finishWorkout() } == .errorAuthorizationNotDetermined)
  }
}
