// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import SantorioHealthKit
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Subscriptions` {
  private static let rates: Set<HKSampleType> = [HKQuantityType(.heartRate)]

  @Test func `are refused for the default user and without a session`() async throws {
    for user in [nil, SantorioUser.default] {
      let app = try await HealthApp(user: user)
      do throws(HealthKitError) {
        try await app.manager.setSubscriptions(Self.rates)
        Issue.record("It must be refused.")
      } catch {
        #expect(error.code == .noUser)
      }
      #expect(try await app.manager.subscriptions().isEmpty)
    }
  }

  @Test func `ask for permission, and only they`() async throws {
    let app = try await HealthApp()
    let asked = Locked(0)
    app.phone.answerPermissionRequests { request in
      asked.withLock { $0 += 1 }
      return .init(share: [], read: request.toRead)
    }
    #expect(await app.manager.observeCurrentSubscriptions().value == false)
    #expect(asked.withLock { $0 } == 0)
    try await app.manager.setSubscriptions([.biometrics])
    #expect(asked.withLock { $0 } == 1)
    try await app.relaunch()
    #expect(await app.manager.observeCurrentSubscriptions().value)
    await app.manager.fetchLatestData()
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func `are kept until they are emptied`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions(HealthKitSubscriptionSet.allCases)
    try await app.relaunch()
    let all = Set(HealthKitSubscriptionSet.allCases.flatMap(\.sampleTypes))
    #expect(try await app.manager.subscriptions() == all)
    try await app.manager.setSubscriptions([] as Set<HKSampleType>)
    #expect(try await app.manager.subscriptions().isEmpty)
    try await app.relaunch()
    #expect(await app.manager.observeCurrentSubscriptions().value == false)
  }

  @Test func `end with the session`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions(Self.rates)
    _ = try await app.session.end()
    try await app.session.start(SantorioUser(userID: "b", organizationID: "ward", accessToken: "t"))
    try app.phone.save([HealthApp.rate(70, 1)], from: HealthApp.watch)
    await app.manager.fetchLatestData()
    #expect(try await app.manager.subscriptions().isEmpty)
    #expect(try await app.session.pendingRecords().isEmpty)
  }

  @Test func `of an unknown identifier are refused`() async throws {
    let app = try await HealthApp()
    do throws(HealthKitError) {
      try await app.manager.setSubscriptions(identifiers: ["HKQuantityTypeIdentifierNothing"])
      Issue.record("It must be refused.")
    } catch {
      #expect(error.code == .unsupportedType)
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `What is new in HealthKit` {
  @Test func `is submitted once, whatever happens in between`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions([HKQuantityType(.heartRate)])
    var expected: [Double] = []
    for round in 0..<6 {
      let rates = (0..<10).map { 60 + Double(round * 10 + $0) }
      expected += rates
      try app.phone.save(
        rates.enumerated().map { HealthApp.rate($1, Double(round * 10 + $0)) },
        from: HealthApp.watch)
      if round.isMultiple(of: 2) { try await app.relaunch() }
      let manager = app.manager
      async let first = manager.fetchLatestData()
      async let second = manager.fetchLatestData()
      _ = await (first, second)
    }
    #expect(try await app.pending(.pulse) == expected)
  }

  @Test func `arrives by itself in an app that is observed`() async throws {
    let app = try await HealthApp()
    var events = app.manager.events.makeAsyncIterator()
    try await app.manager.setSubscriptions([HKQuantityType(.heartRate)])
    try app.phone.save([HealthApp.rate(70, 1)], from: HealthApp.watch)
    let event = await events.next()
    #expect(
      event
        == .recordsProcessed(
          type: HKQuantityTypeIdentifier.heartRate.rawValue, kind: .measurement, count: 1))
    #expect(try await app.pending(.pulse) == [70])
  }

  @Test func `before the day of the subscription is left out`() async throws {
    let app = try await HealthApp()
    try app.phone.save(
      [HealthApp.rate(50, -24 * 60), HealthApp.rate(60, -60)], from: HealthApp.watch)
    try await app.manager.setSubscriptions([HKQuantityType(.heartRate)])
    await app.manager.fetchLatestData()
    #expect(try await app.pending(.pulse) == [60])
  }

  @Test func `is read though the clock was ahead when it was subscribed to`() async throws {
    let app = try await HealthApp()
    app.phone.setTime(HealthApp.now + 400 * 86_400)
    try await app.manager.setSubscriptions([HKQuantityType(.heartRate)])
    await app.phone.appHasAnswered()
    app.phone.setTime(HealthApp.now)
    try app.phone.save([HealthApp.rate(70, 1)], from: HealthApp.watch)
    try await app.relaunch()
    #expect(await app.manager.observeCurrentSubscriptions().value)
    #expect(await app.manager.fetchLatestData())
    #expect(try await app.pending(.pulse) == [70])
  }

  @Test func `that was deleted is deleted at the server, too`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions([HKQuantityType(.heartRate)])
    try app.phone.save(
      [HealthApp.rate(70, 1), HealthApp.rate(71, 2)], from: HealthApp.watch)
    await app.manager.fetchLatestData()
    let records = try await app.session.pendingRecords()
    let wrong = try #require(records.first { $0.value(.pulse) == 71 })
    let unit = HKUnit(from: "count/min")
    try app.phone.delete(
      HKQuantityType(.heartRate),
      HKQuery.predicateForQuantitySamples(
        with: .equalTo, quantity: HKQuantity(unit: unit, doubleValue: 71)))
    await app.manager.fetchLatestData()
    #expect(try await app.pending(.pulse) == [70])
    let deletions = try await app.session.pendingDeletions()
    #expect(deletions.map(\.logID) == [wrong.logID])
    #expect(deletions.first?.kind == .measurement)
    #expect(deletions.first?.metrics == [.pulse])
  }

  @Test func `of a blood pressure is one record of both values`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions([.biometrics])
    try app.phone.save([HealthApp.pressure(121, 79, 1)], from: HealthApp.watch)
    await app.manager.fetchLatestData()
    let records = try await app.session.pendingRecords()
    #expect(records.count == 1)
    #expect(records.first?.value(.systolic) == 121)
    #expect(records.first?.value(.diastolic) == 79)
  }

  @Test func `of a meal is read once when another nutrient is subscribed to later`() async throws {
    let app = try await HealthApp()
    func meal(_ minutes: Double) -> HKCorrelation {
      HKCorrelation(
        type: HKCorrelationType(.food), start: HealthApp.now + minutes * 60,
        end: HealthApp.now + minutes * 60,
        objects: [
          HealthApp.quantity(.dietaryProtein, .gram(), 20, minutes, minutes),
          HealthApp.quantity(.dietaryFatTotal, .gram(), 10, minutes, minutes),
        ])
    }
    try await app.manager.setSubscriptions([HKQuantityType(.dietaryProtein)])
    try app.phone.save([meal(1)], from: HealthApp.iPhone)
    await app.manager.fetchLatestData()
    app.phone.advance(by: 2 * 86_400)
    try await app.manager.setSubscriptions([
      HKQuantityType(.dietaryProtein), HKQuantityType(.dietaryFatTotal),
    ])
    try app.phone.save([meal(2 * 1440 + 1)], from: HealthApp.iPhone)
    await app.manager.fetchLatestData()
    #expect(try await app.session.pendingRecords().count == 2)
    try app.phone.delete(HKCorrelationType(.food))
    await app.manager.fetchLatestData()
    #expect(try await app.session.pendingRecords().isEmpty)
    #expect(try await app.session.pendingDeletions().count == 2)
  }

  @Test func `on a locked phone is owed, and paid when it is unlocked`() async throws {
    let app = try await HealthApp()
    var events = app.manager.events.makeAsyncIterator()
    try await app.manager.setSubscriptions([HKQuantityType(.heartRate)])
    await app.manager.fetchLatestData()
    app.phone.isLocked = true
    try app.phone.save([HealthApp.rate(70, 1)], from: HealthApp.watch)
    await app.manager.fetchLatestData()
    guard case .failed(_, let error)? = await events.next() else {
      Issue.record("A locked phone must be reported.")
      return
    }
    #expect(error.code == .locked)
    #expect(try await app.pending(.pulse).isEmpty)
    app.phone.isLocked = false
    await app.manager.deviceWasUnlocked()
    #expect(try await app.pending(.pulse) == [70])
  }

  @Test func `launches the app, which answers`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions([HKQuantityType(.heartRate)])
    await app.manager.fetchLatestData()
    try await app.relaunch()
    app.phone.terminateApp()
    let manager = app.manager
    app.phone.launchApp { manager.observeCurrentSubscriptions() }
    var events = manager.events.makeAsyncIterator()
    for round in 0..<5 {
      try app.phone.save([HealthApp.rate(70 + Double(round), Double(round))], from: HealthApp.watch)
      guard case .recordsProcessed(_, _, let count)? = await events.next() else {
        Issue.record("It must be read.")
        return
      }
      #expect(count == 1)
      await app.phone.appHasAnswered()
      app.phone.advance(by: 60)
    }
    #expect(try await app.pending(.pulse) == [70, 71, 72, 73, 74])
  }

  @Test func `that this app has saved itself is not submitted again`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions([HKQuantityType(.bodyMass)])
    let record = HealthRecord(
      logID: "reading-1",
      time: RecordTime(start: HealthApp.now, origin: .device, received: HealthApp.now),
      source: RecordSource(type: .bluetooth), metrics: [Metric(.bodyWeight, 71.5)])
    #expect(try await app.manager.save([record]) == 1)
    #expect(try await app.manager.save([record]) == 1)
    await app.manager.fetchLatestData()
    #expect(try await app.session.pendingRecords().isEmpty)
    let saved = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(.bodyMass))], sortDescriptors: []
    ).result(for: app.phone.makeHealthStore())
    #expect(saved.count == 1)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Days and nights` {
  private static let steps: Set<HKSampleType> = [HKQuantityType(.stepCount)]

  @Test func `are one record a day that follows what is added and deleted`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions(Self.steps)
    try app.phone.save([HealthApp.steps(100, 0, 10)], from: HealthApp.iPhone)
    try app.phone.save([HealthApp.steps(80, 0, 10)], from: HealthApp.watch)
    await app.manager.fetchLatestData()
    #expect(try await app.pending(.steps) == [80])
    try app.phone.save([HealthApp.steps(50, 20, 30)], from: HealthApp.watch)
    await app.manager.fetchLatestData()
    #expect(try await app.pending(.steps) == [130])
    try app.phone.delete(
      HKQuantityType(.stepCount), HKQuery.predicateForObjects(from: HealthApp.watch.source))
    await app.manager.fetchLatestData()
    #expect(try await app.pending(.steps) == [100])
    let record = try #require(try await app.session.pendingRecords().first)
    #expect(record.kind == .summary)
    #expect(record.logID == "apple_health-summary-2026-07-14")
    #expect(record.time.utcOffsetSeconds == 7200)
  }

  @Test func `of which nothing is left are withdrawn`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions(Self.steps)
    try app.phone.save([HealthApp.steps(100, 0, 10)], from: HealthApp.watch)
    await app.manager.fetchLatestData()
    try app.phone.delete(HKQuantityType(.stepCount))
    await app.manager.fetchLatestData()
    #expect(try await app.session.pendingRecords().isEmpty)
    let deletions = try await app.session.pendingDeletions()
    #expect(deletions.map(\.logID) == ["apple_health-summary-2026-07-14"])
    await app.manager.fetchLatestData()
    #expect(try await app.session.pendingDeletions() == deletions)
  }

  @Test func `that have not changed are not sent again`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions(Self.steps)
    try app.phone.save([HealthApp.steps(100, 0, 10)], from: HealthApp.watch)
    await app.manager.fetchLatestData()
    let first = try await app.session.pendingRecords()
    app.phone.advance(by: 600)
    // Other steps at the same time, of a source that does not count there.
    try app.phone.save([HealthApp.steps(90, 0, 10)], from: HealthApp.iPhone)
    await app.manager.fetchLatestData()
    #expect(try await app.session.pendingRecords() == first)
  }

  @Test func `of the place where the phone was`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions(Self.steps)
    // 23:00 in Rome is 17:00 in New York, where the phone is from 20:00 (Rome) on.
    try app.phone.save([HealthApp.steps(10, 60, 70)], from: HealthApp.watch)
    await app.manager.fetchLatestData()
    app.phone.advance(by: 11 * 3600)
    app.travel(to: "America/New_York")
    await app.manager.fetchLatestData()
    try app.phone.save([HealthApp.steps(20, 16 * 60, 16 * 60 + 10)], from: HealthApp.watch)
    app.phone.advance(by: 6 * 3600)
    await app.manager.fetchLatestData()
    let records = try await app.session.pendingRecords()
    #expect(records.map(\.logID) == ["apple_health-summary-2026-07-14"])
    #expect(records.first?.value(.steps) == 30)
  }

  @Test func `of sleep are not longer because two apps have watched`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions([.sleep])
    func sleep(_ value: HKCategoryValueSleepAnalysis, _ from: Double, _ to: Double) -> HKSample {
      HKCategorySample(
        type: HKCategoryType(.sleepAnalysis), value: value.rawValue,
        start: HealthApp.now + from * 60, end: HealthApp.now + to * 60)
    }
    // The night ended at 7:00, two hours before the app was opened.
    try app.phone.save(
      [
        sleep(.asleepCore, -420, -300), sleep(.asleepDeep, -300, -240),
        sleep(.asleepREM, -240, -120),
      ],
      from: HealthApp.watch)
    try app.phone.save([sleep(.asleepUnspecified, -430, -110)], from: HealthApp.iPhone)
    await app.manager.fetchLatestData()
    let records = try await app.session.pendingRecords()
    #expect(records.map(\.logID) == ["apple_health-sleep-2026-07-14"])
    #expect(records.first?.value(.sleepDuration) == 18_000)
  }
}
