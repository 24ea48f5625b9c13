// SPDX-License-Identifier: Apache-2.0

import BackgroundTasks
import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import Testing

@testable import SantorioHealthKit

@Suite(.timeLimit(.minutes(15)))
struct `Background tasks of HealthKit` {
  private static let rates: Set<HKSampleType> = [HKQuantityType(.heartRate)]

  private func requested(_ app: HealthApp) async -> [String] {
    await app.phone.makeTaskScheduler().pendingTaskRequests().map(\.identifier).sorted()
  }

  @Test func `are asked for with the first subscription, and withdrawn with the last`()
    async throws
  {
    let app = try await HealthApp()
    app.registerTasks()
    #expect(await requested(app).isEmpty)
    try await app.manager.setSubscriptions(Self.rates)
    #expect(await requested(app) == ["long", "refresh"])
    try await app.manager.setSubscriptions([] as Set<HKSampleType>)
    #expect(await requested(app).isEmpty)
  }

  @Test func `read what background delivery has missed`() async throws {
    let app = try await HealthApp()
    app.registerTasks()
    try await app.manager.setSubscriptions(Self.rates)
    app.phone.sendAppToBackground()
    app.phone.isLocked = true
    try app.phone.save([HealthApp.rate(70, 1)], from: HealthApp.watch)
    await app.phone.appHasAnswered()
    #expect(try await app.pending(.pulse).isEmpty)
    app.phone.isLocked = false
    app.phone.terminateApp()
    try await app.launchInBackground()
    app.phone.advance(by: 4 * 3_600)
    await app.phone.appHasAnswered()
    #expect(try await app.pending(.pulse) == [70])
    #expect(app.phone.endedTasks.map(\.identifier) == ["refresh"])
    #expect(await requested(app) == ["long", "refresh"], "The next one is asked for.")
  }

  @Test func `a launch does not put off a task that waits`() async throws {
    let app = try await HealthApp()
    app.registerTasks()
    try await app.manager.setSubscriptions(Self.rates)
    app.phone.advance(by: 3 * 3_600)
    try await app.relaunch()
    app.registerTasks()
    _ = await app.manager.observeCurrentSubscriptions().value
    app.phone.sendAppToBackground()
    app.phone.advance(by: 3_600)
    await app.phone.appHasAnswered()
    #expect(app.phone.endedTasks.map(\.identifier) == ["refresh"])
  }

  @Test func `a long one goes on with history`() async throws {
    let app = try await HealthApp()
    app.registerTasks()
    for day in 1...30 {
      try app.phone.save(
        [HealthApp.steps(Double(day), -1_440 * Double(day), -1_440 * Double(day) + 10)],
        from: HealthApp.watch)
    }
    try await app.manager.setSubscriptions([.routine])
    await app.phone.appHasAnswered()
    // The app ends while history is being fetched.
    let (from, to) = (app.day(30), app.day(1))
    for try await progress in app.manager.fetchHistory([.routine], from: from, to: to)
    where progress.doneDays > 0 { break }
    app.phone.terminateApp()
    try await app.launchInBackground()
    app.phone.advance(by: 86_400)
    await app.phone.appHasAnswered()
    #expect(app.phone.endedTasks.contains(.init(identifier: "long", success: true)))
    #expect(try await app.pending(.steps).count(where: { $0 > 0 }) == 30)
    #expect(try await app.manager.resumeHistory() == nil)
  }

  @Test func `stop between two pages when their time is over`() async throws {
    let app = try await HealthApp()
    app.registerTasks()
    try await app.manager.setSubscriptions(Self.rates)
    try app.phone.save((0..<50).map { HealthApp.rate(60, Double($0)) }, from: HealthApp.watch)
    let time = app.manager.readingTime()
    time.end()
    #expect(await app.manager.catchUp(withHistory: true, within: time) == false)
    // The next one gets all.
    #expect(await app.manager.fetchLatestData(within: app.manager.readingTime()))
    #expect(try await app.pending(.pulse).count == 50)
  }

  @Test func `an observer that has no time left does not end what the app reads`() async throws {
    // Each observer reads one page, and the app's own calls join it or do not.
    for _ in 0..<20 {
      let app = try await HealthApp(backgroundTime: 0)
      try app.phone.save((0..<50).map { HealthApp.rate(60, Double($0)) }, from: HealthApp.watch)
      try await app.manager.setSubscriptions(Self.rates)
      #expect(await app.manager.fetchLatestData())
      #expect(try await app.pending(.pulse).count == 50)
    }
  }

  @Test func `that are refused keep no others from being asked for`() async throws {
    // The one short task that an app may ask for is its own.
    let app = try await HealthApp()
    app.registerTasks()
    try app.phone.makeTaskScheduler().submit(BGAppRefreshTaskRequest(identifier: "own"))
    try await app.manager.setSubscriptions(Self.rates)
    #expect(await requested(app) == ["long", "own"])

    let other = try await HealthApp()
    other.phone.permittedTasks = ["long"]
    #expect(!other.registerTasks())
    try await other.manager.setSubscriptions(Self.rates)
    #expect(await requested(other) == ["long"])
  }

  @Test func `end at once when nobody has kept the manager`() async throws {
    let app = try await HealthApp()
    app.registerTasks()
    try await app.manager.setSubscriptions(Self.rates)
    await app.phone.appHasAnswered()
    weak let manager = app.manager
    app.replaceManager()
    // What it was doing keeps it until that is done.
    while manager != nil { await Task.yield() }
    app.phone.sendAppToBackground()
    app.phone.advance(by: 4 * 3_600)
    await app.phone.appHasAnswered()
    #expect(app.phone.endedTasks == [.init(identifier: "refresh", success: false)])
  }

  @Test func `that wait for the time of a clock that was ahead are asked for anew`() async throws {
    let app = try await HealthApp()
    app.phone.setTime(HealthApp.now + 400 * 86_400)
    app.registerTasks()
    try await app.manager.setSubscriptions(Self.rates)
    app.phone.setTime(HealthApp.now)
    try await app.relaunch()
    app.registerTasks()
    #expect(await app.manager.observeCurrentSubscriptions().value)
    app.phone.sendAppToBackground()
    app.phone.advance(by: 4 * 3_600)
    await app.phone.appHasAnswered()
    #expect(app.phone.endedTasks.map(\.identifier) == ["refresh"])
  }

  @Test func `a launch without subscriptions says nothing`() async throws {
    let app = try await HealthApp(user: nil)
    let events = app.manager.events
    #expect(await app.manager.observeCurrentSubscriptions().value == false)
    app.manager.report(.subscriptionsEnded)
    for await event in events {
      #expect(event == .subscriptionsEnded)
      break
    }
  }

  @Test func `that the system refuses are an event`() async throws {
    let app = try await HealthApp()
    app.phone.permittedTasks = ["refresh"]
    #expect(!app.registerTasks())
    let events = app.manager.events
    try await app.manager.setSubscriptions(Self.rates)
    for await case .backgroundTasksUnavailable(let error) in events {
      #expect(error.message.contains("long"))
      break
    }
    #expect(await requested(app) == ["refresh"])
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Self-test of HealthKit` {
  private func kinds(
    _ app: HealthApp, _ information: [String: Any], saves: Bool = false
  ) async -> [HealthKitSelfTest.Finding.Kind] {
    await HealthKitSelfTest(of: app.manager, information: information, savesReadings: saves).run()
      .map(\.kind)
  }

  private nonisolated(unsafe) static let complete: [String: Any] = [
    "NSHealthShareUsageDescription": "why", "NSHealthUpdateUsageDescription": "why",
    "UIBackgroundModes": ["fetch", "processing"],
    "BGTaskSchedulerPermittedIdentifiers": ["refresh", "long"],
  ]

  @Test func `names all that an app lacks`() async throws {
    let app = try await HealthApp()
    #expect(
      await kinds(app, [:], saves: true) == [
        .shareUsageDescription, .updateUsageDescription, .fetchMode, .processingMode,
        .taskRegistration, .launchCall,
      ])
  }

  @Test func `names the tasks that the Info.plist lacks`() async throws {
    let app = try await HealthApp()
    app.registerTasks()
    _ = await app.manager.observeCurrentSubscriptions().value
    var information = unsafe Self.complete
    information["BGTaskSchedulerPermittedIdentifiers"] = ["refresh"]
    let findings = await HealthKitSelfTest(of: app.manager, information: information).run()
    #expect(findings.map(\.kind) == [.taskIdentifier])
    #expect(findings.first?.message.contains("long") == true)
  }

  @Test func `finds nothing in a complete app, and leaves its subscriptions`() async throws {
    let app = try await HealthApp()
    app.registerTasks()
    _ = await app.manager.observeCurrentSubscriptions().value
    try await app.manager.setSubscriptions([.weight])
    #expect(await kinds(app, unsafe Self.complete, saves: true).isEmpty)
    app.phone.sendAppToBackground()
    try app.phone.save(
      [HealthApp.quantity(.bodyMass, .gramUnit(with: .kilo), 70, 1, 1)], from: HealthApp.watch)
    await app.phone.appHasAnswered()
    #expect(try await app.pending(.bodyWeight) == [70])
  }
}
