// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import SantorioHealthKit
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Steps in the course of a day` {
  private let steps: Set<HKSampleType> = [HKQuantityType(.stepCount)]
  private let isOn = Locked(false)

  private func app(daysBack: Int = 0) async throws -> HealthApp {
    try await HealthApp { [isOn] settings in
      settings.daysBack = daysBack
      settings.sendsIntradaySteps = { isOn.withLock { $0 } }
    }
  }

  /// The steps of each day that wait for the server, by what was sent last.
  private func pending(_ app: HealthApp) async throws -> [Double] {
    try await app.session.pendingRecords().filter { $0.kind == .intraday }
      .sorted { $0.time.start < $1.time.start }
      .compactMap { $0.series.first?.dataPoints.map(\.value).reduce(0, +) }
  }

  private func since(_ minutes: Double) -> NSPredicate {
    HKQuery.predicateForSamples(
      withStart: HealthApp.now + minutes * 60, end: HealthApp.now, options: [])
  }

  @Test func `are made up for when they are wanted again`() async throws {
    let app = try await app(daysBack: 2)
    try app.phone.save(
      [HealthApp.steps(100, -48 * 60, -47 * 60), HealthApp.steps(200, -24 * 60, -23 * 60)],
      from: HealthApp.iPhone)
    try await app.manager.setSubscriptions(steps)
    await app.manager.fetchLatestData()
    #expect(try await pending(app).isEmpty)

    isOn.withLock { $0 = true }
    await app.manager.fetchLatestData()
    #expect(try await pending(app) == [100, 200])
  }

  @Test func `are not made of days before the subscription`() async throws {
    let app = try await app()
    try app.phone.save(
      [HealthApp.steps(200, -24 * 60, -23 * 60), HealthApp.steps(30, -60, -50)],
      from: HealthApp.iPhone)
    try await app.manager.setSubscriptions(steps)
    await app.manager.fetchLatestData()
    isOn.withLock { $0 = true }
    await app.manager.fetchLatestData()
    #expect(try await pending(app) == [30])
  }

  // What is on the server must not stay there when it is gone from HealthKit.
  @Test func `that were sent are kept right while they are not wanted`() async throws {
    let app = try await app()
    isOn.withLock { $0 = true }
    try app.phone.save(
      [HealthApp.steps(100, -60, -50), HealthApp.steps(20, -40, -30)], from: HealthApp.iPhone)
    try await app.manager.setSubscriptions(steps)
    await app.manager.fetchLatestData()
    #expect(try await pending(app) == [120])

    isOn.withLock { $0 = false }
    _ = try app.phone.delete(HKQuantityType(.stepCount), since(-45))
    await app.manager.fetchLatestData()
    #expect(try await pending(app) == [100])
    _ = try app.phone.delete(HKQuantityType(.stepCount), since(-65))
    await app.manager.fetchLatestData()
    #expect(try await pending(app).isEmpty)
  }
}
