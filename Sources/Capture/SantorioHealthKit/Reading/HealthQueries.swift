// SPDX-License-Identifier: Apache-2.0

package import CivilCalendar
package import Foundation
package import HealthRecords
@unsafe @preconcurrency package import HealthKit

/// Asks a health store for what records are made of.
package struct HealthQueries: Sendable {
  let store: HKHealthStore
  let now: @Sendable () -> Date

  /// Questions to a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - now: The time at which records are made.
  package init(store: HKHealthStore, now: @escaping @Sendable () -> Date = { Date() }) {
    self.store = store
    self.now = now
  }

  // MARK: - Samples

  /// The records of samples that make one each, those of workouts with their heart rates.
  package func records(
    of samples: [HKSample], _ conversion: SampleRecords
  ) async throws -> [HealthRecord] {
    var records = conversion.records(
      of: samples.filter { !($0 is HKWorkout) }, received: now())
    for case let workout as HKWorkout in samples where !conversion.isOwn(workout) {
      let rates = try await heartRates(of: workout)
      if let record = conversion.record(of: workout, heartRate: rates, received: now()) {
        records.append(record)
      }
    }
    return records
  }

  /// The heart rates of a workout that has none in its own figures.
  private func heartRates(of workout: HKWorkout) async throws -> HKStatistics? {
    guard let predicate = SampleRecords.predicateForHeartRates(of: workout) else { return nil }
    return try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: HKQuantityType(.heartRate), predicate: predicate),
      options: [.discreteAverage, .discreteMin, .discreteMax]
    ).result(for: store)
  }

  /// The workouts that began on some days.
  package func workouts(
    on days: [CalendarDay], _ zones: ZoneHistory
  ) async throws -> [HealthRecord] {
    let intervals = days.compactMap { zones.interval(of: $0) }
    guard let start = intervals.map(\.start).min(), let end = intervals.map(\.end).max() else {
      return []
    }
    let workouts = try await HKSampleQueryDescriptor(
      predicates: [
        .workout(
          HKQuery.predicateForSamples(withStart: start, end: end, options: .strictStartDate))
      ], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
    return try await records(of: workouts, SampleRecords(zones: zones))
  }

  // MARK: - Days

  /// The summaries of days, of these types; a day without data has none.
  package func summaries(
    of days: some Collection<CalendarDay>, _ types: Set<HKSampleType>, _ zones: ZoneHistory
  ) async throws -> [HealthRecord] {
    var records: [HealthRecord] = []
    for day in days.sorted() {
      var summary = DaySummary(of: day, in: zones)
      guard let interval = summary.interval else { continue }
      for type in types {
        if let type = type as? HKQuantityType {
          if let statistics = try await sum(of: type, in: interval) { summary.add(statistics) }
        } else if let type = type as? HKCategoryType {
          let samples = try await categories(type, in: interval)
          summary.addStandHours(samples)
          summary.addMindfulSessions(samples)
        }
      }
      if let record = summary.record(computed: now()) { records.append(record) }
    }
    return records
  }

  // A collection divides a sample that crosses midnight, which a query of one interval does not.
  private func sum(of type: HKQuantityType, in interval: DateInterval) async throws -> HKStatistics?
  {
    let collection = try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(
        type: type,
        predicate: HKQuery.predicateForSamples(withStart: interval.start, end: interval.end)),
      options: .cumulativeSum, anchorDate: interval.start,
      intervalComponents: DateComponents(second: Int(interval.duration.rounded()))
    ).result(for: store)
    return collection.statistics().first { $0.startDate == interval.start }
  }

  private func categories(
    _ type: HKCategoryType, in interval: DateInterval
  ) async throws -> [HKCategorySample] {
    try await HKSampleQueryDescriptor(
      predicates: [
        .categorySample(
          type: type,
          predicate: HKQuery.predicateForSamples(withStart: interval.start, end: interval.end))
      ], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
  }

  /// The steps in the course of a day; nil without data.
  package func intradaySteps(
    of day: CalendarDay, _ zones: ZoneHistory
  ) async throws -> HealthRecord? {
    let steps = IntradaySteps(of: day, in: zones)
    guard let interval = steps.interval else { return nil }
    let collection = try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(
        type: HKQuantityType(.stepCount),
        predicate: HKQuery.predicateForSamples(withStart: interval.start, end: interval.end)),
      options: .cumulativeSum, anchorDate: interval.start,
      intervalComponents: steps.intervalComponents
    ).result(for: store)
    return steps.record(of: collection, computed: now())
  }

  /// The nights that ended on a day.
  package func nights(
    wakingOn day: CalendarDay, _ zones: ZoneHistory
  ) async throws -> [HealthRecord] {
    let nights = SleepRecords(zones: zones)
    guard let interval = nights.interval(wakingOn: day) else { return [] }
    let samples = try await categories(HKCategoryType(.sleepAnalysis), in: interval)
    return nights.records(of: samples, wakingOn: day, computed: now())
  }
}
