// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthRecords
@unsafe @preconcurrency import HealthKit
import SantorioCore

extension FeedReader {
  /// How many days before today are made anew after a deletion, which does not say when the sample was.
  private static var daysAfterDeletion: Int { 7 }

  /// What has to be made anew after changes, and how far they were read.
  private struct Touched {
    var days: Set<CalendarDay> = []
    var changes: [StateChange] = []
    var type: HKSampleType?
  }

  // MARK: - Days

  /// Makes the summaries of the days that changes of the subscribed types touch.
  func readDays(_ kept: KeptSubscriptions, until deadline: Date) async throws {
    let types = kept.sampleTypes.filter { SampleRole($0) == .day }
    let zones = try await state.zones(now: settings.now(), zone: settings.zone())
    var touched = Touched()
    for type in types.sorted(by: { $0.identifier < $1.identifier }) {
      guard let since = kept.types[type.identifier] else { continue }
      let feed = Feed(type: type, isAlone: false)
      try await collect(&touched, feed, kept, since, zones, until: deadline) { samples in
        samples.flatMap { zones.days(from: $0.startDate, through: $0.endDate) }
      }
    }
    guard !touched.changes.isEmpty else { return }
    let records = try await summaries(of: touched.days, types, zones)
    try await submit(records, [], touched, kept)
  }

  /// The summaries of days, of these types; a day without data has none.
  func summaries(
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
      if let record = summary.record(computed: settings.now()) { records.append(record) }
    }
    return records
  }

  // A collection divides a sample that crosses midnight, which a query of one interval does not.
  private func sum(of type: HKQuantityType, in interval: DateInterval) async throws -> HKStatistics? {
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
  func intradaySteps(of day: CalendarDay, _ zones: ZoneHistory) async throws -> HealthRecord? {
    let steps = IntradaySteps(of: day, in: zones)
    guard let interval = steps.interval else { return nil }
    let collection = try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(
        type: HKQuantityType(.stepCount),
        predicate: HKQuery.predicateForSamples(withStart: interval.start, end: interval.end)),
      options: .cumulativeSum, anchorDate: interval.start,
      intervalComponents: steps.intervalComponents
    ).result(for: store)
    return steps.record(of: collection, computed: settings.now())
  }

  // MARK: - Nights

  /// Makes the records of the nights that changes touch.
  func readSleep(_ kept: KeptSubscriptions, since: Date, until deadline: Date) async throws {
    let zones = try await state.zones(now: settings.now(), zone: settings.zone())
    let nights = SleepRecords(zones: zones)
    let feed = Feed(type: HKCategoryType(.sleepAnalysis), isAlone: false)
    var touched = Touched()
    try await collect(&touched, feed, kept, since, zones, until: deadline) { samples in
      nights.days(touchedBy: samples.compactMap { $0 as? HKCategorySample })
    }
    guard !touched.changes.isEmpty else { return }
    let today = zones.day(of: settings.now())
    var records: [HealthRecord] = []
    var deletions: [RecordDeletion] = []
    for day in touched.days.sorted() where day <= today {
      guard let interval = nights.interval(wakingOn: day) else { continue }
      let samples = try await categories(HKCategoryType(.sleepAnalysis), in: interval)
      let found = nights.records(of: samples, wakingOn: day, computed: settings.now())
      records += found
      let before = try await state.nightCount(of: day, session: kept.session)
      for number in (found.count + 1)..<max(found.count + 1, before + 1) {
        deletions.append(
          RecordDeletion(
            of: SampleIdentity.sleepLogID(wakingOn: day, number: number),
            noticed: settings.now(), kind: .sleep, reason: .atSource))
      }
      touched.changes.append(
        HealthKitState.nightCount(found.count, of: day, session: kept.session))
    }
    try await submit(records, deletions, touched, kept)
  }

  // MARK: - Support

  /// Reads the changes of a feed, and the days that they touch.
  private func collect(
    _ touched: inout Touched, _ feed: Feed, _ kept: KeptSubscriptions, _ since: Date,
    _ zones: ZoneHistory, until deadline: Date, _ days: ([HKSample]) -> [CalendarDay]
  ) async throws {
    let first = zones.day(of: since)
    let today = zones.day(of: settings.now())
    var position = try await state.position(of: feed, session: kept.session, since: since)
    var last: Page?
    repeat {
      let page = try await page(of: feed, at: position)
      if page.isLast, page.position.isCaughtUp == position.isCaughtUp { break }
      touched.days.formUnion(days(page.added).filter { $0 >= first })
      if !page.deleted.isEmpty {
        let recent = (0...Self.daysAfterDeletion).map { today.advanced(by: -$0) }
        touched.days.formUnion(recent.filter { $0 >= first })
      }
      position = page.position
      last = page
    } while last?.isLast == false && settings.now() < deadline
    guard let last else { return }
    touched.type = touched.type ?? feed.type
    touched.changes.append(HealthKitState.change(position, of: feed, in: last.generation))
  }

  private func submit(
    _ records: [HealthRecord], _ deletions: [RecordDeletion], _ touched: Touched,
    _ kept: KeptSubscriptions
  ) async throws {
    let (new, digests) = try await state.changed(among: records, session: kept.session)
    try await session.submit(
      new, deletions: deletions, changing: touched.changes + digests, inSession: kept.session)
    if let type = touched.type { announce(new, deletions.count, of: type) }
  }
}
