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
    /// Whether all changes were read.
    var isComplete = true
  }

  // MARK: - Days

  /// Makes the summaries of the days that changes of the subscribed types touch.
  ///
  /// - Returns: Whether all changes were read.
  func readDays(_ kept: KeptSubscriptions, within time: ReadingTime) async throws -> Bool {
    let types = kept.sampleTypes.filter { SampleRole($0) == .day }
    let zones = try await state.zones(now: settings.now(), zone: settings.zone())
    var touched = Touched()
    for type in types.sorted(by: { $0.identifier < $1.identifier }) {
      guard let since = kept.types[type.identifier] else { continue }
      let feed = HealthFeed(type: type, isAlone: false)
      try await collect(&touched, feed, kept, since, zones, within: time) { samples in
        samples.flatMap { zones.days(from: $0.startDate, through: $0.endDate) }
      }
    }
    let intraday = try await intradayDays(&touched, kept, zones)
    guard !touched.changes.isEmpty else { return touched.isComplete }
    let all = types.union(try await state.summaryTypes(session: kept.session))
    var records = try await queries.summaries(of: touched.days, all, zones)
    var expected = touched.days.map(SampleIdentity.summaryLogID(of:))
    for day in intraday {
      expected.append(SampleIdentity.stepsLogID(of: day))
      if let steps = try await queries.intradaySteps(of: day, zones) { records.append(steps) }
    }
    try await submit(records, [], expected: expected, touched, kept)
    return touched.isComplete
  }

  /// The days of which the steps of each quarter of an hour are to be made anew.
  ///
  /// They are those that changes touch; without the setting, those of them that were sent before. When
  /// the setting is new, they are all recent days of the subscription.
  private func intradayDays(
    _ touched: inout Touched, _ kept: KeptSubscriptions, _ zones: ZoneHistory
  ) async throws -> [CalendarDay] {
    let steps = HKQuantityType(.stepCount)
    guard let since = kept.types[steps.identifier] else { return [] }
    let (wasOn, isOn) = (
      try await state.sentIntraday(session: kept.session), settings.sendsIntradaySteps()
    )
    let today = zones.day(of: settings.now())
    let first = max(
      today.advanced(by: -HealthKitHistorySet.intraday.mostDays), zones.day(of: since))
    var days = touched.days
    if isOn != wasOn {
      touched.changes.append(HealthKitState.change(sendsIntraday: isOn, session: kept.session))
      touched.type = touched.type ?? steps
    }
    if isOn, !wasOn {
      var day = first
      while day <= today {
        days.insert(day)
        day = day.advanced(by: 1)
      }
    }
    let sent = try await state.submittedDays(session: kept.session)
    return days.filter {
      isOn && $0 >= first || sent.contains(SampleIdentity.stepsLogID(of: $0))
    }.sorted()
  }

  // MARK: - Nights

  /// Makes the records of the nights that changes touch.
  ///
  /// - Returns: Whether all changes were read.
  func readSleep(
    _ kept: KeptSubscriptions, since: Date, within time: ReadingTime
  ) async throws -> Bool {
    let zones = try await state.zones(now: settings.now(), zone: settings.zone())
    let nights = SleepRecords(zones: zones)
    let feed = HealthFeed(type: HKCategoryType(.sleepAnalysis), isAlone: false)
    var touched = Touched()
    try await collect(&touched, feed, kept, since, zones, within: time) { samples in
      nights.days(touchedBy: samples.compactMap { $0 as? HKCategorySample })
    }
    guard !touched.changes.isEmpty else { return touched.isComplete }
    let today = zones.day(of: settings.now())
    var records: [HealthRecord] = []
    var deletions: [RecordDeletion] = []
    var expected: [String] = []
    for day in touched.days.sorted() where day <= today {
      let found = try await queries.nights(wakingOn: day, zones)
      records += found
      expected.append(SampleIdentity.sleepLogID(wakingOn: day))
      let before = try await state.nightCount(of: day, session: kept.session)
      for number in max(2, found.count + 1)..<max(2, found.count + 1, before + 1) {
        deletions.append(
          deletion(of: SampleIdentity.sleepLogID(wakingOn: day, number: number), .sleep))
      }
      touched.changes.append(
        HealthKitState.nightCount(found.count, of: day, session: kept.session))
    }
    try await submit(records, deletions, expected: expected, touched, kept)
    return touched.isComplete
  }

  private func deletion(of logID: String, _ kind: RecordKind) -> RecordDeletion {
    RecordDeletion(of: logID, noticed: settings.now(), kind: kind, reason: .atSource)
  }

  // MARK: - Support

  /// Reads the changes of a feed, and the days that they touch.
  private func collect(
    _ touched: inout Touched, _ feed: HealthFeed, _ kept: KeptSubscriptions, _ since: Date,
    _ zones: ZoneHistory, within time: ReadingTime, _ days: ([HKSample]) -> [CalendarDay]
  ) async throws {
    let first = zones.day(of: since)
    let today = zones.day(of: settings.now())
    var position = try await state.position(of: feed, session: kept.session, since: since)
    var last: Page?
    while true {
      let page = try await page(of: feed, at: position)
      if page.isLast { break }
      touched.days.formUnion(days(page.added).filter { $0 >= first })
      if !page.deleted.isEmpty {
        let recent = (0...Self.daysAfterDeletion).map { today.advanced(by: -$0) }
        touched.days.formUnion(recent.filter { $0 >= first })
      }
      position = page.position
      last = page
      if time.isOver {
        touched.isComplete = false
        break
      }
    }
    guard let last else { return }
    touched.type = touched.type ?? feed.type
    touched.changes.append(HealthKitState.change(position, of: feed, in: last.generation))
  }

  private func submit(
    _ records: [HealthRecord], _ deletions: [RecordDeletion], expected: [String],
    _ touched: Touched, _ kept: KeptSubscriptions
  ) async throws {
    let news = try await state.news(among: records, expected: expected, session: kept.session)
    let gone = news.gone.map { deletion(of: $0, Self.kind(of: $0)) }
    try await session.submit(
      news.records, deletions: deletions + gone, changing: touched.changes + news.changes,
      inSession: kept.session)
    guard let type = touched.type else { return }
    announce(news.records, deletions.count + gone.count, of: type)
  }

  /// The kind of a record that is made of a day's samples.
  private static func kind(of logID: String) -> RecordKind {
    if logID.contains("sleep") { return .sleep }
    return logID.contains("steps") ? .intraday : .summary
  }
}
