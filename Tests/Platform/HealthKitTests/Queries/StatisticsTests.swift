// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import Testing

@Suite struct `Statistics` {
  private static let steps = HKSamplePredicate.quantitySample(type: PhoneFixture.steps)

  private func days(
    _ fixture: PhoneFixture, from anchor: Date, zone: String = "UTC",
    _ options: HKStatisticsOptions = .cumulativeSum
  ) async throws -> HKStatisticsCollection {
    var day = DateComponents(day: 1)
    day.calendar = Calendar(identifier: .gregorian)
    day.timeZone = TimeZone(identifier: zone)
    return try await HKStatisticsCollectionQueryDescriptor(
      predicate: Self.steps, options: options, anchorDate: anchor, intervalComponents: day
    ).result(for: fixture.store)
  }

  private func sums(_ collection: HKStatisticsCollection) -> [Double] {
    collection.statistics().compactMap { $0.sumQuantity()?.doubleValue(for: .count()) }
  }

  @Test func `count each moment once, the watch before the phone`() async throws {
    let fixture = try await PhoneFixture()
    try fixture.phone.save([PhoneFixture.steps(600, 0, 600)], from: PhoneFixture.iPhone)
    try fixture.phone.save([PhoneFixture.steps(400, 300, 500)], from: PhoneFixture.watch)
    try fixture.phone.save([PhoneFixture.steps(50, 0, 100)], from: PhoneFixture.otherApp)
    let statistics = try #require(
      try await HKStatisticsQueryDescriptor(predicate: Self.steps, options: .cumulativeSum)
        .result(for: fixture.store))
    // 400 of the watch, and of the phone the 400 seconds beside it.
    #expect(statistics.sumQuantity()?.doubleValue(for: .count()) == 800)
    #expect(statistics.startDate == PhoneFixture.time(0))
    #expect(statistics.endDate == PhoneFixture.time(600))
  }

  @Test func `follow the user's own order of sources`() async throws {
    let fixture = try await PhoneFixture()
    try fixture.phone.save([PhoneFixture.steps(600, 0, 600)], from: PhoneFixture.iPhone)
    try fixture.phone.save([PhoneFixture.steps(400, 300, 500)], from: PhoneFixture.watch)
    fixture.phone.preferredSources = [PhoneFixture.iPhone.source]
    let statistics = try await HKStatisticsQueryDescriptor(
      predicate: Self.steps, options: [.cumulativeSum, .separateBySource]
    ).result(for: fixture.store)
    #expect(statistics?.sumQuantity()?.doubleValue(for: .count()) == 600)
    #expect(
      statistics?.sumQuantity(for: PhoneFixture.watch.source)?.doubleValue(for: .count()) == 400)
    #expect(
      Set(statistics?.sources ?? []) == [PhoneFixture.iPhone.source, PhoneFixture.watch.source])
  }

  @Test func `divide a sample that crosses midnight`() async throws {
    let fixture = try await PhoneFixture()
    let midnight = try #require(
      Calendar(identifier: .gregorian).date(
        from: DateComponents(timeZone: .gmt, year: 2023, month: 5, day: 2)))
    let sample = HKQuantitySample(
      type: PhoneFixture.steps, quantity: HKQuantity(unit: .count(), doubleValue: 100),
      start: midnight - 180, end: midnight + 120)
    try await fixture.store.save(sample)
    #expect(sums(try await days(fixture, from: midnight)) == [60, 40])
  }

  @Test(arguments: [
    ("Europe/Rome", 2023, 3, 26, 23.0), ("Europe/Rome", 2023, 10, 29, 25.0),
    ("Europe/Rome", 2023, 7, 1, 24.0),
  ])
  func `of a day on which clocks change have its hours`(
    _ zone: String, _ year: Int, _ month: Int, _ day: Int, _ hours: Double
  ) async throws {
    let fixture = try await PhoneFixture()
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let start = try #require(
      calendar.date(from: DateComponents(year: year, month: month, day: day)))
    // One step each half an hour, from a day before to a day after.
    let samples = (-48..<98).map { half in
      HKQuantitySample(
        type: PhoneFixture.steps, quantity: HKQuantity(unit: .count(), doubleValue: 1),
        start: start + Double(half) * 1800, end: start + Double(half) * 1800 + 60)
    }
    try await fixture.store.save(samples)
    let anchor = try #require(calendar.date(from: DateComponents(year: 2023, month: 1, day: 1)))
    let collection = try await days(fixture, from: anchor, zone: zone)
    let statistics = try #require(collection.statistics(for: start + 6 * 3600))
    #expect(statistics.startDate == start)
    #expect(statistics.endDate.timeIntervalSince(start) == hours * 3600)
    #expect(statistics.sumQuantity()?.doubleValue(for: .count()) == hours * 2)
  }

  @Test func `of days without samples have no quantities`() async throws {
    let fixture = try await PhoneFixture()
    let anchor = PhoneFixture.time(0)
    try await fixture.store.save([
      PhoneFixture.steps(1, 10, 20), PhoneFixture.steps(2, 3 * 86_400 + 10, 3 * 86_400 + 20),
    ])
    let collection = try await days(fixture, from: anchor)
    #expect(sums(collection) == [1, 2])
    nonisolated(unsafe) var found: [Double?] = []
    collection.enumerateStatistics(from: anchor, to: anchor + 4 * 86_400) { statistics, _ in
      found.append(statistics.sumQuantity()?.doubleValue(for: .count()))
    }
    #expect(found == [1, nil, nil, 2])
  }

  @Test func `of a heart rate are average, limits and the latest`() async throws {
    let fixture = try await PhoneFixture()
    try await fixture.store.save(
      [60, 90, 75].enumerated().map { PhoneFixture.rate($1, Double($0)) })
    let statistics = try #require(
      try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: PhoneFixture.heartRate),
        options: [.discreteAverage, .discreteMin, .discreteMax, .mostRecent]
      ).result(for: fixture.store))
    let unit = HKUnit(from: "count/min")
    #expect(statistics.averageQuantity()?.doubleValue(for: unit) == 75)
    #expect(statistics.minimumQuantity()?.doubleValue(for: unit) == 60)
    #expect(statistics.maximumQuantity()?.doubleValue(for: unit) == 90)
    #expect(statistics.mostRecentQuantity()?.doubleValue(for: unit) == 75)
    #expect(statistics.mostRecentQuantityDateInterval()?.start == PhoneFixture.time(2))
  }

  @Test func `of nothing are no data`() async throws {
    let fixture = try await PhoneFixture()
    let statistics = try await HKStatisticsQueryDescriptor(
      predicate: Self.steps, options: .cumulativeSum
    ).result(for: fixture.store)
    #expect(statistics == nil)
    let (store, steps) = (fixture.store, PhoneFixture.steps)
    let error: (any Error)? = await withCheckedContinuation { continuation in
      store.execute(
        HKStatisticsQuery(
          quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum
        ) { continuation.resume(returning: $2) })
    }
    #expect((error as? HKError)?.code == .errorNoData)
  }

  @Test func `that change are said again`() async throws {
    let fixture = try await PhoneFixture()
    try await fixture.store.save([
      PhoneFixture.steps(1, 10, 20), PhoneFixture.steps(2, 86_400 + 10, 86_400 + 20),
    ])
    var day = DateComponents(day: 1)
    day.timeZone = .gmt
    var results = HKStatisticsCollectionQueryDescriptor(
      predicate: Self.steps, options: .cumulativeSum, anchorDate: PhoneFixture.time(0),
      intervalComponents: day
    ).results(for: fixture.store).makeAsyncIterator()
    let first = try #require(try await results.next())
    #expect(sums(first.statisticsCollection) == [1, 2])
    #expect(first.updatedStatistics == nil)
    try await fixture.store.save(PhoneFixture.steps(5, 86_400 + 30, 86_400 + 40))
    let second = try #require(try await results.next())
    #expect(sums(second.statisticsCollection) == [1, 7])
    #expect(second.updatedStatistics?.map(\.startDate) == [PhoneFixture.time(86_400)])
  }
}
