// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import Testing

@testable import SantorioHealthKit

@Suite(.timeLimit(.minutes(15))) struct `Ends of subscriptions` {
  private static let rates: Set<HKSampleType> = [HKQuantityType(.heartRate)]
  private static let weight = HKQuantityType(.bodyMass)

  /// How often the system launches an app for a new sample of each type.
  private func launches(_ app: HealthApp, _ samples: [HKSample]) async throws -> Int {
    let count = Locked(0)
    app.phone.terminateApp()
    app.phone.launchApp { count.withLock { $0 += 1 } }
    try app.phone.save(samples, from: HealthApp.watch)
    app.phone.advance(by: 60)
    await app.phone.appHasAnswered()
    return count.withLock { $0 }
  }

  private func order(_ type: HKSampleType, _ store: HKHealthStore) async throws {
    try await store.enableBackgroundDelivery(for: type, frequency: .immediate)
  }

  @Test func `a launch after the end of the session ends background delivery`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions(Self.rates)
    app.phone.terminateApp()
    try await app.relaunch()
    _ = try await app.session.end()
    app.phone.terminateApp()
    try await app.relaunch()
    #expect(await app.manager.observeCurrentSubscriptions().value == false)
    #expect(try await launches(app, [HealthApp.rate(70, 1)]) == 0)
  }

  @Test func `leave the delivery that other code of the app has ordered`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions(Self.rates)
    let store = app.phone.makeHealthStore()
    try await order(Self.weight, store)
    try await app.manager.setSubscriptions([] as Set<HKSampleType>)
    let weight = HealthApp.quantity(.bodyMass, .gramUnit(with: .kilo), 70, 1, 1)
    #expect(try await launches(app, [HealthApp.rate(70, 1)]) == 0)
    app.phone.openApp()
    #expect(try await launches(app, [weight]) == 1)
  }

  @Test func `are noticed by an app that asks for what is new`() async throws {
    let app = try await HealthApp()
    try await app.manager.setSubscriptions(Self.rates)
    let events = app.manager.events
    _ = try await app.session.end()
    await app.manager.fetchLatestData()
    #expect(!app.manager.observes(HKQuantityType(.heartRate)))
    for await event in events {
      #expect(event == .subscriptionsEnded)
      break
    }
  }

  @Test func `correlations alone are read, by the permission for their parts`() async throws {
    let app = try await HealthApp()
    let asked = Locked<Set<String>>([])
    app.phone.answerPermissionRequests { request in
      asked.withLock { $0.formUnion(request.toRead) }
      return .init(share: [], read: request.toRead)
    }
    try await app.manager.setSubscriptions([HKCorrelationType(.bloodPressure)])
    try app.phone.save([HealthApp.pressure(121, 80, 1)], from: HealthApp.watch)
    await app.manager.fetchLatestData()
    #expect(try await app.pending(.systolic) == [121])
    #expect(asked.withLock { $0.count } == 2)
    try await app.manager.setSubscriptions([HKCorrelationType(.food)])
    #expect(asked.withLock { $0.contains("HKQuantityTypeIdentifierDietaryProtein") })
  }

  @Test func `history of nothing is refused`() async throws {
    let app = try await HealthApp()
    await #expect(throws: HealthKitError.self) {
      for try await _ in app.manager.fetchHistory([], from: app.day(1), to: app.day(0)) {}
    }
  }

  @Test func `a reading is saved on a locked phone, and is there when it is unlocked`()
    async throws
  {
    let app = try await HealthApp()
    let store = app.phone.makeHealthStore()
    try await store.requestAuthorization(toShare: [Self.weight], read: [Self.weight])
    app.phone.isLocked = true
    #expect(store.authorizationStatus(for: Self.weight) == .sharingAuthorized)
    try await order(Self.weight, store)
    try await store.save(HealthApp.quantity(.bodyMass, .gramUnit(with: .kilo), 70, 1, 1))
    app.phone.isLocked = false
    let found = try await HKSampleQueryDescriptor(
      predicates: [.sample(type: Self.weight)], sortDescriptors: []
    ).result(for: store)
    #expect(found.count == 1)
  }
}
