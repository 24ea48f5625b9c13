// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import SantorioSQLite
import TestSupport
import Testing

@Suite struct `What was saved` {
  @Test func `is read as it was`() async throws {
    let fixture = try await PhoneFixture()
    let device = HKDevice(
      name: "Cuff", manufacturer: "A&D", model: "UA-651", hardwareVersion: nil,
      firmwareVersion: "1.2", softwareVersion: nil, localIdentifier: "aa", udiDeviceIdentifier: nil)
    let zone: [String: Any] = [
      HKMetadataKeyTimeZone: "Europe/Rome", HKMetadataKeyWasUserEntered: true, "depth": 3,
      "goal": HKQuantity(unit: .meter(), doubleValue: 4.5), "at": PhoneFixture.time(5),
    ]
    let sample = HKQuantitySample(
      type: PhoneFixture.mass, quantity: HKQuantity(unit: .pound(), doubleValue: 150.3),
      start: PhoneFixture.time(0.25), end: PhoneFixture.time(1.5), device: device, metadata: zone)
    try await fixture.store.save(sample)

    let read = try #require(
      try await HKSampleQueryDescriptor(
        predicates: [.quantitySample(type: PhoneFixture.mass)], sortDescriptors: []
      ).result(for: fixture.store).first)
    #expect(read.uuid == sample.uuid)
    #expect(read.quantity.doubleValue(for: .pound()) == 150.3)
    #expect(read.quantity.description == "150.3 lb")
    #expect((read.startDate, read.endDate) == (sample.startDate, sample.endDate))
    #expect(read.device == device)
    #expect(read.sourceRevision.source == .default())
    #expect(read is HKDiscreteQuantitySample)
    #expect(read.metadata?.count == 5)
    #expect(read.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
    #expect(read.metadata?["depth"] as? Int == 3)
    #expect((read.metadata?["goal"] as? HKQuantity)?.doubleValue(for: .meter()) == 4.5)
    #expect(read.metadata?["at"] as? Date == PhoneFixture.time(5))
  }

  @Test func `is there after the app was started again`() async throws {
    let fixture = try await PhoneFixture()
    try await fixture.store.save(PhoneFixture.steps(10, 0, 60))
    let again = SimulatedPhone(store: fixture.folder.url.appendingPathComponent("health.sqlite"))
    let samples = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: PhoneFixture.steps)], sortDescriptors: []
    ).result(for: again.makeHealthStore())
    #expect(samples.map { $0.quantity.doubleValue(for: .count()) } == [10])
  }

  @Test func `is saved once`() async throws {
    let fixture = try await PhoneFixture()
    let sample = PhoneFixture.steps(10, 0, 60)
    try await fixture.store.save(sample)
    await #expect(throws: HKError.self) { try await fixture.store.save(sample) }
    #expect(try await fixture.values(PhoneFixture.steps) == [10])
  }

  @Test func `is saved all or not at all`() async throws {
    let fixture = try await PhoneFixture()
    let sample = PhoneFixture.steps(10, 0, 60)
    await #expect(throws: HKError.self) {
      try await fixture.store.save([PhoneFixture.steps(5, 0, 60), sample, sample])
    }
    #expect(try await fixture.values(PhoneFixture.steps).isEmpty)
    try await fixture.store.save(sample)
    #expect(try await fixture.values(PhoneFixture.steps) == [10])
  }

  @Test func `replaces what has the same sync identifier and a lower version`() async throws {
    let fixture = try await PhoneFixture()
    func save(_ count: Double, _ version: Int) async throws {
      try await fixture.store.save(
        PhoneFixture.steps(
          count, 0, 60,
          metadata: [HKMetadataKeySyncIdentifier: "a", HKMetadataKeySyncVersion: version]))
    }
    try await save(10, 2)
    try await save(11, 2)
    try await save(12, 1)
    #expect(try await fixture.values(PhoneFixture.steps) == [10])
    try await save(13, 3)
    #expect(try await fixture.values(PhoneFixture.steps) == [13])
  }

  @Test func `keeps both values of a blood pressure together`() async throws {
    let fixture = try await PhoneFixture()
    let pressure = PhoneFixture.pressure(121, 79, 0)
    try await fixture.store.save(pressure)
    let read = try #require(
      try await HKSampleQueryDescriptor(
        predicates: [.correlation(type: HKCorrelationType(.bloodPressure))], sortDescriptors: []
      ).result(for: fixture.store).first)
    #expect(read.objects == pressure.objects)
    #expect(try await fixture.values(PhoneFixture.systolic) == [121])
    let alone = HKQuery.predicateForObjectsWithNoCorrelation()
    #expect(try await fixture.values(PhoneFixture.systolic, alone).isEmpty)
  }

  @Test func `is a workout with its pauses and figures`() async throws {
    let fixture = try await PhoneFixture()
    func event(_ type: HKWorkoutEventType, _ at: Double) -> HKWorkoutEvent {
      HKWorkoutEvent(
        type: type, dateInterval: DateInterval(start: PhoneFixture.time(at), duration: 0),
        metadata: nil)
    }
    let workout = HKWorkout(
      activityType: .running, start: PhoneFixture.time(0), end: PhoneFixture.time(600),
      workoutEvents: [event(.pause, 100), event(.resume, 160)],
      totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 90),
      totalDistance: HKQuantity(unit: .meter(), doubleValue: 1500), metadata: ["a": 1])
    #expect(workout.duration == 540)
    try await fixture.store.save(workout)
    try await fixture.store.addSamples([PhoneFixture.rate(140, 30)], to: workout)
    let read = try #require(
      try await HKSampleQueryDescriptor(
        predicates: [.workout()], sortDescriptors: [SortDescriptor(\.startDate)]
      ).result(for: fixture.store).first)
    #expect(read.workoutActivityType == .running)
    #expect(read.duration == 540)
    #expect(read.workoutEvents == workout.workoutEvents)
    #expect(read.totalDistance?.doubleValue(for: .meter()) == 1500)
    let during = HKQuery.predicateForObjects(from: read)
    #expect(try await fixture.values(PhoneFixture.heartRate, during).count == 1)
  }

  @Test func `can be archived`() throws {
    let samples: [HKSample] = [
      PhoneFixture.steps(10, 0, 60, metadata: ["a": "b"]), PhoneFixture.pressure(120, 80, 0),
      HKCategorySample(
        type: PhoneFixture.sleep, value: HKCategoryValueSleepAnalysis.asleepREM.rawValue,
        start: PhoneFixture.time(0), end: PhoneFixture.time(90)),
      HKWorkout(activityType: .walking, start: PhoneFixture.time(0), end: PhoneFixture.time(9)),
    ]
    for sample in samples {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: sample, requiringSecureCoding: true)
      let read = try #require(
        try NSKeyedUnarchiver.unarchivedObject(ofClass: type(of: sample), from: data))
      #expect(read == sample)
      #expect(read.description == sample.description)
    }
  }
}

@Suite struct `What was deleted` {
  @Test func `is gone, and later queries say so once`() async throws {
    let fixture = try await PhoneFixture()
    let (kept, gone) = (PhoneFixture.steps(1, 0, 60), PhoneFixture.steps(2, 60, 120))
    try await fixture.store.save([kept, gone])
    let query = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: PhoneFixture.steps)], anchor: nil)
    let first = try await query.result(for: fixture.store)
    #expect(first.addedSamples.count == 2)
    try await fixture.store.delete(gone)
    let second = try await HKAnchoredObjectQueryDescriptor(
      predicates: query.predicates, anchor: first.newAnchor
    ).result(for: fixture.store)
    #expect(second.addedSamples.isEmpty)
    #expect(second.deletedObjects.map(\.uuid) == [gone.uuid])
    let third = try await HKAnchoredObjectQueryDescriptor(
      predicates: query.predicates, anchor: second.newAnchor
    ).result(for: fixture.store)
    #expect(third.deletedObjects.isEmpty)
    #expect(third.newAnchor == second.newAnchor)
    #expect(try await fixture.values(PhoneFixture.steps) == [1])
  }

  @Test func `keeps its sync identifier, and nothing else`() async throws {
    let fixture = try await PhoneFixture()
    let sample = PhoneFixture.steps(
      1, 0, 60, metadata: [HKMetadataKeySyncIdentifier: "x", HKMetadataKeySyncVersion: 4, "a": 1])
    try await fixture.store.save(sample)
    try await fixture.store.delete(sample)
    let changes = try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: PhoneFixture.steps)], anchor: nil
    ).result(for: fixture.store)
    let deleted = try #require(changes.deletedObjects.first)
    #expect(deleted.metadata?.count == 2)
    #expect(deleted.metadata?[HKMetadataKeySyncIdentifier] as? String == "x")
    #expect(deleted.metadata?[HKMetadataKeySyncVersion] as? Int == 4)
  }

  @Test func `must be the app's own`() async throws {
    let fixture = try await PhoneFixture()
    let sample = PhoneFixture.steps(1, 0, 60)
    try fixture.phone.save([sample], from: PhoneFixture.watch)
    await #expect(throws: HKError.self) { try await fixture.store.delete(sample) }
    #expect(try await fixture.values(PhoneFixture.steps) == [1])
    #expect(try fixture.phone.delete(PhoneFixture.steps) == 1)
    #expect(try await fixture.values(PhoneFixture.steps).isEmpty)
  }
}

@Suite struct `The file of a health store` {
  @Test(arguments: [
    ("text.txt", "Good morning", "no health store"), ("other.sqlite", "", "not a health store"),
  ])
  func `is refused if it is something else`(
    _ name: String, _ content: String, _ reason: String
  ) async throws {
    let folder = try TemporaryFolder()
    if content.isEmpty {
      let database = try SQLiteDatabase(path: folder.path(name))
      try database.execute("CREATE TABLE something(a)")
    } else {
      try Data(content.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    }
    let error = #expect(throws: HealthStoreError.self) {
      try HealthSystem(path: folder.path(name)).sync { try $0.contents() }
    }
    #expect(error?.description.contains(reason) == true)
  }

  @Test func `is one of the user alone, and its folder is made`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a/b/health.sqlite")
    #expect(try HealthSystem(path: path).sync { try $0.contents() }.isEmpty)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("a/b"))
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("a/b")) {
      let file = try FileManager.default.attributesOfItem(atPath: folder.path("a/b/\(name)"))
      #expect(file[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }
}
