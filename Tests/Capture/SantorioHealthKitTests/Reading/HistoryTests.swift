// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioCore
import Testing

@testable import SantorioHealthKit

@Suite(.timeLimit(.minutes(15))) struct `History` {
  private func day(_ back: Int) -> DateComponents {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "Europe/Rome") ?? .gmt
    return calendar.dateComponents(
      [.year, .month, .day], from: HealthApp.now - Double(back) * 86_400)
  }

  /// Steps on each of some days, as many as the day is back.
  private func fill(_ app: HealthApp, days: Int) throws {
    let samples = (1...days).map {
      HealthApp.steps(Double($0), -Double($0) * 1440, -Double($0) * 1440 + 10)
    }
    try app.phone.save(samples, from: HealthApp.watch)
  }

  @Test func `comes in whole days, the newest first`() async throws {
    let app = try await HealthApp()
    try fill(app, days: 40)
    var seen: [Int] = []
    for try await progress in app.manager.fetchHistory([.routine], from: day(30), to: day(1)) {
      seen.append(progress.doneDays)
      #expect(progress.totalDays == 30)
    }
    #expect(seen == [0, 10, 20, 30])
    let values = try await app.pending(.steps)
    #expect(values == (1...30).reversed().map(Double.init))
  }

  @Test func `goes on where it was interrupted`() async throws {
    let app = try await HealthApp()
    try fill(app, days: 40)
    for try await progress in app.manager.fetchHistory([.routine], from: day(30), to: day(1)) {
      if progress.doneDays == 10 { break }
    }
    try await app.relaunch()
    var first: Int?
    for try await progress in app.manager.fetchHistory([.routine], from: day(30), to: day(1)) {
      first = first ?? progress.doneDays
    }
    #expect((first ?? 0) >= 10)
    #expect(try await app.pending(.steps) == (1...30).reversed().map(Double.init))
  }

  @Test func `goes on also when its first days have become too old meanwhile`() async throws {
    let app = try await HealthApp()
    try fill(app, days: 179)
    for try await progress in app.manager.fetchHistory([.routine], from: day(179), to: day(0))
    where progress.doneDays == 100 { break }
    app.phone.advance(by: 86_400)
    try await app.relaunch()
    var seen: [HealthKitHistoryProgress] = []
    for try await progress in try #require(try await app.manager.resumeHistory()) {
      seen.append(progress)
    }
    #expect(try #require(seen.first).doneDays >= 100)
    #expect(seen.last?.isComplete == true && seen.last?.totalDays == 179)
    #expect(try await app.manager.resumeHistory() == nil)

    // Nothing may be left of it.
    for try await progress in app.manager.fetchHistory([.routine], from: day(178), to: day(0))
    where progress.doneDays == 100 { break }
    app.phone.advance(by: 120 * 86_400)
    try await app.relaunch()
    for try await progress in try #require(try await app.manager.resumeHistory()) {
      #expect(progress.isComplete)
    }
    #expect(try await app.manager.resumeHistory() == nil)
  }

  @Test func `of a session is not fetched for the next one`() async throws {
    let app = try await HealthApp()
    try fill(app, days: 5)
    let number = try #require(try await app.session.currentNumber())
    let other = SantorioUser(userID: "other", organizationID: "ward", accessToken: "token")
    try await app.session.start(other)
    do {
      let days = app.manager.fetchHistory(
        [.routine], from: day(5), to: day(1), inSession: number)
      for try await _ in days {}
      Issue.record("It must be refused.")
    } catch let error as HealthKitError {
      #expect(error.code == .noUser)
    }
    #expect(try await app.session.pendingRecords().isEmpty)
  }

  @Test func `has the workouts and the steps of the last days`() async throws {
    let app = try await HealthApp()
    try fill(app, days: 10)
    let start = HealthApp.now - 2 * 86_400
    try app.phone.save(
      [HKWorkout(activityType: .running, start: start, end: start + 1800)], from: HealthApp.watch)
    for try await _ in app.manager.fetchHistory([.fitness, .intraday], from: day(9), to: day(0)) {}
    let kinds = Dictionary(grouping: try await app.session.pendingRecords(), by: \.kind)
    #expect(kinds[.workout]?.count == 1)
    #expect(kinds[.intraday]?.count == 6)
  }

  @Test(arguments: [(180, 1), (3, 5), (2, -1)]) func `of other days is refused`(
    _ from: Int, _ to: Int
  ) async throws {
    let app = try await HealthApp()
    do {
      for try await _ in app.manager.fetchHistory([.routine], from: day(from), to: day(to)) {}
      Issue.record("It must be refused.")
    } catch let error as HealthKitError {
      #expect(error.code == .invalidRange)
    }
  }
}
