// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import SantorioHealthKit
import TestSupport
import Testing
import ValidicCore

@testable import ValidicHealthKit

extension ValidicNames {
  @Suite @MainActor final class Health {
    nonisolated static let now = Date(timeIntervalSince1970: 1_718_466_000)

    let app: App
    let phone: SimulatedPhone

    init() async throws {
      app = try App()
      phone = SimulatedPhone(store: app.folder.url.appendingPathComponent("health.sqlite"))
      phone.setTime(Self.now)
      phone.answerPermissionRequests { .init(share: [], read: $0.toRead) }
      try await launch()
    }

    private func launch() async throws {
      try await app.launch(reachesServer: false)
      let phone = phone
      var settings = HealthKitSettings()
      settings.now = { phone.now }
      settings.zone = { .gmt }
      #expect(VLDHealthKitManager.configure(settings, store: phone.makeHealthStore()))
      VLDSession.sharedInstance().start(with: app.user)
    }

    private var manager: VLDHealthKitManager { VLDHealthKitManager.sharedInstance() }

    private static let watch = HKSourceRevision(
      source: HKSource(name: "Watch", bundleIdentifier: "com.apple.health.watch"), version: nil)

    private func addSteps(_ count: Double, hoursAgo: Double) throws {
      let end = Self.now - hoursAgo * 3600
      let sample = HKQuantitySample(
        type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: count),
        start: end - 300, end: end)
      try phone.save([sample], from: Self.watch)
    }

    @Test func `has the sets of the documents`() throws {
      for set in VLDHealthKitSubscriptionSet.allCases {
        #expect(VLDHealthKitSubscription.sampleTypes(for: set)?.isEmpty == false)
      }
      #expect(VLDHealthKitSubscriptionSet.allCases.map(\.rawValue) == Array(0...7))
      #expect(VLDHealthKitHistoricalSet.allCases.map(\.rawValue) == Array(0...2))
      let type = VLDHealthKitSubscription.recordType(for:)
      #expect(type(HKQuantityType(.bodyMass)) == .weight)
      #expect(type(HKQuantityType(.bloodGlucose)) == .diabetes)
      #expect(type(HKQuantityType(.heartRate)) == .biometrics)
      #expect(type(HKQuantityType(.stepCount)) == .routine)
      #expect(type(HKCategoryType(.sleepAnalysis)) == .sleep)
      #expect(type(HKObjectType.workoutType()) == .fitness)
      #expect(type(HKQuantityType(.dietaryWater)) == .nutrition)
      let unit = VLDHealthKitSubscription.unit(forQuantityTypeIdentifier:)
      #expect(unit("HKQuantityTypeIdentifierBodyMass") == .gramUnit(with: .kilo))
      #expect(unit("other") == nil)
      #expect(VLDHealthKitSubscription.workoutActivity(for: .running) == "running")
    }

    @Test func `subscribes, reads, and tells what it made`() async throws {
      let notes = PostedNotes(.vldHealthKitRecordsProcessed)
      let isDone = Locked(false)
      let types = VLDHealthKitSubscription.sampleTypes(for: .routine)
      manager.setSubscriptions(types) { isDone.withLock { $0 = true } }
      #expect(manager.subscriptions() == types)
      await app.wait { isDone.withLock { $0 } }
      #expect(manager.subscriptions() == types)
      try addSteps(500, hoursAgo: 1)
      await app.wait { !notes.all.isEmpty }
      let note = try #require(notes.all.first)
      #expect(note.isOnMainThread)
      #expect(
        note.userInfo["recordType"] as? NSNumber
          == NSNumber(value: VLDRecordType.routine.rawValue))
      #expect(note.userInfo["count"] as? NSNumber == 1)
      #expect(try await pending() == ["summary"])

      // They are known at the next launch.
      try await launch()
      #expect(manager.subscriptions() == types)
      manager.observeCurrentSubscriptions()
      try addSteps(700, hoursAgo: 0.5)
      await app.wait { notes.all.count == 2 }
      manager.setSubscriptions([], completion: nil)
      #expect(manager.subscriptions()?.isEmpty == true)
    }

    private func pending() async throws -> [String] {
      try await VLDSession.sharedInstance().session.pendingRecords().map(\.kind.rawValue)
    }

    @Test func `makes records of each quarter of an hour if it is asked to`() async throws {
      let notes = PostedNotes(.vldHealthKitRecordsProcessed)
      manager.processIntraday = true
      #expect(manager.processIntraday)
      manager.setSubscriptions(VLDHealthKitSubscription.sampleTypes(for: .routine), completion: nil)
      try addSteps(500, hoursAgo: 1)
      await app.wait { !notes.all.isEmpty }
      #expect(Set(try await pending()) == ["summary", "intraday"])
      let records = try await VLDSession.sharedInstance().session.pendingRecords()
      let steps = try #require(records.first { $0.kind == .intraday })
      #expect(steps.series.first?.dataPoints.map(\.value).reduce(0, +) == 500)
      #expect(VLDRecord.record(of: steps).recordType() == .intraDaySteps)
    }

    @Test func `fetches days of the past and counts their records`() async throws {
      try addSteps(500, hoursAgo: 30)
      try addSteps(600, hoursAgo: 54)
      let outcome = Locked<(results: [Int: Int], error: Int?)?>(nil)
      let completion: VLDHealthKitManager.HistoryCompletion = { results, error in
        let counts = (results ?? [:]).reduce(into: [Int: Int]()) { counts, entry in
          let key = (entry.key as? NSNumber)?.intValue ?? -1
          counts[key] = (entry.value as? NSNumber)?.intValue
        }
        outcome.withLock { $0 = (counts, (error as NSError?)?.code) }
      }
      let sets = [VLDHealthKitHistoricalSet.routine, .intraday].map {
        NSNumber(value: $0.rawValue)
      }
      let from = DateComponents(year: 2024, month: 6, day: 12)
      let to = DateComponents(year: 2024, month: 6, day: 15)
      manager.fetchHistoricalSets(sets, from: from, to: to, completion: completion)
      await app.wait { outcome.withLock { $0 != nil } }
      let results = try #require(outcome.withLock { $0 })
      #expect(results.error == nil)
      #expect(results.results[Int(VLDRecordType.routine.rawValue)] == 2)
      #expect(results.results[Int(VLDRecordType.intraDaySteps.rawValue)] == 2)

      outcome.withLock { $0 = nil }
      manager.fetchHistoricalSets(sets, from: to, to: from, completion: completion)
      await app.wait { outcome.withLock { $0 != nil } }
      #expect(
        outcome.withLock { $0 }?.error == VLDHealthKitErrorCode.invalidRange.rawValue)
    }

    @Test func `leaves out what it cannot subscribe to`() async throws {
      let isDone = Locked(false)
      let types = [HKQuantityType(.stepCount), HKQuantityType(.uvExposure)]
      manager.setSubscriptions(types) { isDone.withLock { $0 = true } }
      await app.wait { isDone.withLock { $0 } }
      #expect(manager.subscriptions() == [HKQuantityType(.stepCount)])
    }

    @Test func `leaves out identifiers that HealthKit does not have`() async throws {
      let isDone = Locked(false)
      let names = [HKQuantityTypeIdentifier.stepCount.rawValue, "HKQuantityTypeIdentifierNothing"]
      manager.setSubscriptionsFromIdentifiers(names) { isDone.withLock { $0 = true } }
      await app.wait { isDone.withLock { $0 } }
      #expect(manager.subscriptions() == [HKQuantityType(.stepCount)])
    }

    @Test func `calls the completion also where it may not subscribe`() async throws {
      VLDSession.sharedInstance().start(with: VLDUser.defaultUser())
      let isDone = Locked(false)
      manager.setSubscriptionsFromIdentifiers(["HKQuantityTypeIdentifierBodyMass"]) {
        isDone.withLock { $0 = true }
      }
      await app.wait { isDone.withLock { $0 } }
      #expect(manager.subscriptions()?.isEmpty == true)
    }
  }
}
