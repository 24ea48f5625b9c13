// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import SantorioConcurrency
import Testing

@Suite struct `Permission` {
  @Test func `that was not asked for is an error`() async throws {
    let fixture = try await PhoneFixture(allowing: [])
    do {
      _ = try await fixture.values(PhoneFixture.steps)
      Issue.record("An app that has not asked must not read.")
    } catch {
      #expect((error as? HKError)?.code == .errorAuthorizationNotDetermined)
    }
  }

  @Test func `to read that is denied looks like no data of others`() async throws {
    let fixture = try await PhoneFixture()
    try fixture.phone.save([PhoneFixture.steps(5, 0, 60)], from: PhoneFixture.watch)
    try await fixture.store.save(PhoneFixture.steps(7, 0, 60))
    try fixture.phone.setPermission(for: PhoneFixture.steps, read: false)
    #expect(try await fixture.values(PhoneFixture.steps) == [7])
    #expect(fixture.store.authorizationStatus(for: PhoneFixture.steps) == .sharingAuthorized)
  }

  @Test func `to save that is denied is an error`() async throws {
    let fixture = try await PhoneFixture()
    try fixture.phone.setPermission(for: PhoneFixture.steps, share: false)
    do {
      try await fixture.store.save(PhoneFixture.steps(7, 0, 60))
      Issue.record("It must not be saved.")
    } catch {
      #expect((error as? HKError)?.code == .errorAuthorizationDenied)
    }
  }

  @Test func `is asked for once`() async throws {
    let fixture = try await PhoneFixture(allowing: [])
    let asked = Locked<[SimulatedPhone.PermissionRequest]>([])
    fixture.phone.answerPermissionRequests { request in
      asked.withLock { $0.append(request) }
      return .init(share: [], read: request.toRead)
    }
    let types: Set<HKSampleType> = [PhoneFixture.steps]
    #expect(
      try await fixture.store.statusForAuthorizationRequest(toShare: types, read: types)
        == .shouldRequest)
    for _ in 0..<2 { try await fixture.store.requestAuthorization(toShare: types, read: types) }
    #expect(asked.withLock { $0.count } == 1)
    #expect(
      try await fixture.store.statusForAuthorizationRequest(toShare: types, read: types)
        == .unnecessary)
    #expect(fixture.store.authorizationStatus(for: PhoneFixture.steps) == .sharingDenied)
  }
}

@Suite struct `A locked phone` {
  @Test func `can be written, and read after it was unlocked`() async throws {
    let fixture = try await PhoneFixture()
    fixture.phone.isLocked = true
    try fixture.phone.save([PhoneFixture.steps(5, 0, 60)], from: PhoneFixture.watch)
    do {
      _ = try await fixture.values(PhoneFixture.steps)
      Issue.record("A locked store must not be read.")
    } catch {
      #expect((error as? HKError)?.code == .errorDatabaseInaccessible)
    }
    fixture.phone.isLocked = false
    let samples = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: PhoneFixture.steps)], sortDescriptors: []
    ).result(for: fixture.store)
    #expect(samples.map(\.sourceRevision) == [PhoneFixture.watch])
  }
}

/// An app whose queries are made on the main actor, as view models make them.
@MainActor private struct MainActorApp {
  /// Makes queries whose handlers say nothing of the actor, and starts them one after the other.
  func read(_ store: HKHealthStore) async -> [String] {
    let (called, calls) = AsyncStream.makeStream(of: String.self)
    let type = PhoneFixture.steps
    let collection = HKStatisticsCollectionQuery(
      quantityType: type, quantitySamplePredicate: nil, options: .cumulativeSum,
      anchorDate: .distantPast, intervalComponents: DateComponents(day: 1))
    collection.initialResultsHandler = { _, _, _ in calls.yield("collection") }
    let queries = [
      HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
        calls.yield("observer")
        completion()
      },
      HKSampleQuery(sampleType: type, predicate: nil, limit: 1, sortDescriptors: nil) { _, _, _ in
        calls.yield("sample")
      },
      HKAnchoredObjectQuery(type: type, predicate: nil, anchor: nil, limit: 1) { _, _, _, _, _ in
        calls.yield("anchored")
      },
      HKStatisticsQuery(
        quantityType: type, quantitySamplePredicate: nil, options: .cumulativeSum
      ) { _, _, _ in calls.yield("statistics") }, collection,
      HKSourceQuery(sampleType: type, samplePredicate: nil) { _, _, _ in calls.yield("source") },
      HKActivitySummaryQuery(predicate: nil) { _, _, _ in calls.yield("summary") },
    ]
    var (found, iterator): ([String], _) = ([], called.makeAsyncIterator())
    for query in queries {
      store.execute(query)
      if let name = await iterator.next() { found.append(name) }
    }
    return found
  }
}

@Suite struct `Handlers of queries` {
  // A handler that is not Sendable belongs to the actor, and stops the program on another queue.
  @Test func `need not be of the actor that makes the query`() async throws {
    let fixture = try await PhoneFixture()
    let called = await MainActorApp().read(fixture.store)
    #expect(
      called == [
        "observer", "sample", "anchored", "statistics", "collection", "source", "summary",
      ])
  }
}

/// An app that observes heart rates, and counts how often it is called.
private final class ObservingApp: Sendable {
  let calls = Locked(0)
  let answers: Bool
  private let (stream, continuation) = AsyncStream.makeStream(of: Int.self)

  init(answers: Bool = true) { self.answers = answers }

  func launch(_ phone: SimulatedPhone) {
    let query = HKObserverQuery(sampleType: PhoneFixture.heartRate, predicate: nil) {
      [self] _, completion, _ in
      if answers { completion() }
      continuation.yield(
        calls.withLock {
          $0 += 1; return $0
        })
    }
    phone.makeHealthStore().execute(query)
  }

  /// Waits until the app was called so many times in all.
  func called(_ times: Int) async {
    for await number in stream where number >= times { return }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Background delivery` {
  private func fixture(_ app: ObservingApp) async throws -> PhoneFixture {
    let fixture = try await PhoneFixture()
    let phone = fixture.phone
    try await fixture.store.enableBackgroundDelivery(
      for: PhoneFixture.heartRate, frequency: .immediate)
    phone.launchApp { [weak phone] in if let phone { app.launch(phone) } }
    return fixture
  }

  @Test func `launches an app that does not run`() async throws {
    let app = ObservingApp()
    let fixture = try await fixture(app)
    fixture.phone.terminateApp()
    try fixture.phone.save([PhoneFixture.steps(5, 0, 60)], from: PhoneFixture.watch)
    #expect(fixture.phone.appState == .terminated)
    try fixture.phone.save([PhoneFixture.rate(70, 0)], from: PhoneFixture.watch)
    await app.called(1)
    #expect(fixture.phone.appState == .background)
    try fixture.phone.save([PhoneFixture.rate(71, 1)], from: PhoneFixture.watch)
    await app.called(2)
  }

  @Test func `ends after three calls without an answer`() async throws {
    let app = ObservingApp(answers: false)
    let fixture = try await fixture(app)
    fixture.phone.terminateApp()
    try fixture.phone.save([PhoneFixture.rate(70, 0)], from: PhoneFixture.watch)
    await app.called(1)
    fixture.phone.settle()
    for call in 2...3 {
      fixture.phone.advance(by: 31)
      fixture.phone.advance(by: 3600)
      await app.called(call)
      fixture.phone.settle()
    }
    fixture.phone.advance(by: 31)
    for _ in 0..<10 { fixture.phone.advance(by: 3600) }
    try fixture.phone.save([PhoneFixture.rate(71, 1)], from: PhoneFixture.watch)
    fixture.phone.settle()
    #expect(app.calls.withLock { $0 } == 3)
  }

  @Test func `is not more frequent than asked for`() async throws {
    let app = ObservingApp()
    let fixture = try await fixture(app)
    try await fixture.store.enableBackgroundDelivery(
      for: PhoneFixture.heartRate, frequency: .hourly)
    fixture.phone.terminateApp()
    try fixture.phone.save([PhoneFixture.rate(70, 0)], from: PhoneFixture.watch)
    await app.called(1)
    try fixture.phone.save([PhoneFixture.rate(71, 1)], from: PhoneFixture.watch)
    fixture.phone.advance(by: 3000)
    fixture.phone.settle()
    #expect(app.calls.withLock { $0 } == 1)
    fixture.phone.advance(by: 600)
    await app.called(2)
  }

  @Test func `waits for a locked phone`() async throws {
    let app = ObservingApp()
    let fixture = try await fixture(app)
    fixture.phone.terminateApp()
    fixture.phone.isLocked = true
    try fixture.phone.save([PhoneFixture.rate(70, 0)], from: PhoneFixture.watch)
    #expect(fixture.phone.appState == .terminated)
    fixture.phone.isLocked = false
    await app.called(1)
  }
}

@Suite struct `Old workouts` {
  @Test func `are condensed: samples of several values take the place of theirs`() async throws {
    let fixture = try await PhoneFixture()
    let workout = HKWorkout(
      activityType: .running, start: PhoneFixture.time(0), end: PhoneFixture.time(600))
    try await fixture.store.save(workout)
    let rates = (0..<10).map { PhoneFixture.rate(100 + Double($0), Double($0) * 60) }
    try await fixture.store.addSamples(rates, to: workout)
    let before = try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: PhoneFixture.heartRate)], anchor: nil
    ).result(for: fixture.store)
    #expect(try fixture.phone.condenseWorkouts(endingBefore: PhoneFixture.time(1000)) == 10)
    let after = try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: PhoneFixture.heartRate)], anchor: before.newAnchor
    ).result(for: fixture.store)
    #expect(Set(after.deletedObjects.map(\.uuid)) == Set(rates.map(\.uuid)))
    let series = try #require(after.addedSamples.first as? HKDiscreteQuantitySample)
    let unit = HKUnit(from: "count/min")
    #expect(series.count == 10)
    #expect(series.averageQuantity.doubleValue(for: unit) == 104.5)
    #expect(series.minimumQuantity.doubleValue(for: unit) == 100)
    #expect(series.mostRecentQuantity.doubleValue(for: unit) == 109)
    #expect(series.endDate == PhoneFixture.time(540))
    let during = HKQuery.predicateForObjects(from: workout)
    #expect(try await fixture.values(PhoneFixture.heartRate, during) == [104.5])
  }
}
