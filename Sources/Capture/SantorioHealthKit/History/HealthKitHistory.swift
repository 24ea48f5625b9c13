// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
public import Foundation
import HealthRecords
@unsafe @preconcurrency import HealthKit
import SantorioCore

/// What can be fetched of the time before a subscription.
public enum HealthKitHistorySet: Int, Hashable, Sendable, CaseIterable, Codable {
  /// The summaries of days.
  case routine
  /// Workouts.
  case fitness
  /// Steps in the course of days; of the last seven days only.
  case intraday

  /// How many days before today it can go back.
  var mostDays: Int { self == .intraday ? 6 : 179 }

  /// The first day of which anything can be fetched.
  static func earliest(_ today: CalendarDay) -> CalendarDay {
    today.advanced(by: -routine.mostDays)
  }

  /// The types that are read for it.
  var types: Set<HKSampleType> {
    switch self {
    case .routine: HealthKitSubscriptionSet.routine.sampleTypes
    case .fitness: HealthKitSubscriptionSet.fitness.sampleTypes
    case .intraday: [HKQuantityType(.stepCount)]
    }
  }
}

/// How far a fetch of history is.
public struct HealthKitHistoryProgress: Hashable, Sendable {
  /// Days that are done, the newest ones first.
  public var doneDays: Int
  /// Days of the whole range.
  public let totalDays: Int
  /// How many records the days had so far in this fetch, by set; an interrupted one counts anew.
  public var records: [HealthKitHistorySet: Int] = [:]
  /// Whether everything is done.
  public var isComplete: Bool { doneDays == totalDays }
}

extension HealthKitManager {
  /// How many days are read and stored at once.
  private static var daysAtOnce: Int { 10 }

  /// Fetches what was before a subscription, the newest days first.
  ///
  /// The user may be asked for permission. All records of some days are stored at once, and with them
  /// that they are: a fetch that was interrupted goes on where it was when the same is asked for again
  /// in the same session. A day that was sent before is sent again only if it has changed; a workout is
  /// sent again, under the same identifier.
  ///
  /// - Parameters:
  ///   - sets: What to fetch.
  ///   - from: The first day: year, month and day. Not more than 179 days before today.
  ///   - to: The last day.
  /// - Returns: How far it is, after each few days; it ends when everything is stored.
  ///   It throws ``HealthKitError``: of code `invalidRange` for days that cannot be fetched, `noUser`
  ///   without a user's session, `locked`, `notAuthorized`, `submissionFailure`.
  public func fetchHistory(
    _ sets: Set<HealthKitHistorySet>, from: DateComponents, to: DateComponents
  ) -> AsyncThrowingStream<HealthKitHistoryProgress, any Error> {
    fetchHistory(sets, from: from, to: to, inSession: nil)
  }

  /// Fetches history for one session, or for the current one.
  func fetchHistory(
    _ sets: Set<HealthKitHistorySet>, from: DateComponents, to: DateComponents,
    inSession session: Int64?
  ) -> AsyncThrowingStream<HealthKitHistoryProgress, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await fetch(sets, from, to, session) { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: HealthKitError(error))
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Goes on with a fetch of history that was interrupted, by the end of the app or of its time in the
  /// background.
  ///
  /// - Returns: How far it is, as of ``fetchHistory(_:from:to:)``; nil if no fetch of this session is
  ///   unfinished.
  public func resumeHistory() async throws(HealthKitError)
    -> AsyncThrowingStream<HealthKitHistoryProgress, any Error>?
  {
    do {
      guard let number = try await session.currentNumber(),
        let history = try await state.unfinishedHistory(session: number)
      else { return nil }
      let zones = try await state.zones(now: settings.now(), zone: settings.zone())
      guard let range = history.range(today: zones.day(of: settings.now())) else { return nil }
      return fetchHistory(
        Set(history.sets.compactMap(HealthKitHistorySet.init)), from: range.lowerBound.components,
        to: range.upperBound.components, inSession: number)
    } catch {
      throw HealthKitError(error)
    }
  }

  private func fetch(
    _ sets: Set<HealthKitHistorySet>, _ from: DateComponents, _ to: DateComponents,
    _ session: Int64?, _ show: (HealthKitHistoryProgress) -> Void
  ) async throws {
    guard !sets.isEmpty else {
      throw HealthKitError(.invalidRange, "No set of history was asked for.")
    }
    let number = try await userSession()
    guard session == nil || session == number else {
      throw HealthKitError(.noUser, "The session is over whose user's history was to be fetched.")
    }
    let zones = try await state.zones(now: settings.now(), zone: settings.zone())
    let today = zones.day(of: settings.now())
    let (first, last) = try Self.range(from, to, today)
    let types = Set(sets.flatMap(\.types))
    try await store.askForPermission(toRead: Self.permissions(for: types))
    let days = try await summaryTypes(with: sets, number)
    let wanted = HistoryState(
      session: number, sets: sets.map(\.rawValue).sorted(), first: "\(first)", last: "\(last)",
      doneDays: 0)
    let range = Array(sequence(first: last) { $0 > first ? $0.advanced(by: -1) : nil })
    let done = try await state.begin(wanted, days: range.count)
    var progress = HealthKitHistoryProgress(doneDays: done, totalDays: range.count)
    show(progress)
    while progress.doneDays < range.count {
      try Task.checkCancellation()
      let some = range[progress.doneDays..<min(range.count, progress.doneDays + Self.daysAtOnce)]
      progress.doneDays += some.count
      let (done, isComplete) = (progress.doneDays, progress.isComplete)
      let records = try await oneAtATime {
        let records = try await self.records(of: sets, on: Array(some), days, zones, today)
        var state = wanted
        state.doneDays = done
        try await self.submit(records, state, isComplete: isComplete, number)
        return records
      }
      for (set, records) in records { progress.records[set, default: 0] += records.count }
      show(progress)
    }
  }

  /// The types of a day's summary: those of the set and those that are subscribed to, here and there.
  private func summaryTypes(
    with sets: Set<HealthKitHistorySet>, _ number: Int64
  ) async throws -> Set<HKSampleType> {
    let subscribed = try await state.subscriptions()?.sampleTypes ?? []
    let known = try await state.summaryTypes(session: number)
    let types = known.union(subscribed.filter { SampleRole($0) == .day })
    guard sets.contains(.routine) else { return types }
    let all = types.union(HealthKitHistorySet.routine.types)
    try await state.keep(summaryTypes: all, session: number)
    return all
  }

  private static func range(
    _ from: DateComponents, _ to: DateComponents, _ today: CalendarDay
  ) throws -> (CalendarDay, CalendarDay) {
    guard let first = CalendarDay(from), let last = CalendarDay(to) else {
      throw HealthKitError(
        .invalidRange, "A range of days needs the year, the month and the day of both ends.")
    }
    guard first <= last, last <= today else {
      throw HealthKitError(
        .invalidRange, "The days from \(first) to \(last) are none, or not all of them have begun.")
    }
    let earliest = HealthKitHistorySet.earliest(today)
    guard first >= earliest else {
      throw HealthKitError(
        .invalidRange, "History goes back to \(earliest) at most, and \(first) was asked for.")
    }
    return (first, last)
  }

  private func records(
    of sets: Set<HealthKitHistorySet>, on days: [CalendarDay], _ types: Set<HKSampleType>,
    _ zones: ZoneHistory, _ today: CalendarDay
  ) async throws -> [HealthKitHistorySet: [HealthRecord]] {
    var records: [HealthKitHistorySet: [HealthRecord]] = [:]
    for set in sets {
      let some = days.filter { $0 >= today.advanced(by: -set.mostDays) }
      switch set {
      case .routine: records[set] = try await reader.queries.summaries(of: some, types, zones)
      case .fitness: records[set] = try await reader.queries.workouts(on: some, zones)
      case .intraday:
        for day in some {
          if let steps = try await reader.queries.intradaySteps(of: day, zones) {
            records[set, default: []].append(steps)
          }
        }
      }
    }
    return records
  }

  private func submit(
    _ records: [HealthKitHistorySet: [HealthRecord]], _ history: HistoryState, isComplete: Bool,
    _ number: Int64
  ) async throws {
    let all = records.values.flatMap { $0 }
    let news = try await state.news(
      among: all.filter { $0.kind != .workout }, session: number)
    try await session.submit(
      news.records + all.filter { $0.kind == .workout },
      changing: news.changes + [HealthKitState.change(history, isComplete: isComplete)],
      inSession: number)
  }
}

/// How far a fetch of history was.
struct HistoryState: Codable, Sendable {
  let session: Int64
  let sets: [Int]
  let first: String
  let last: String
  var doneDays: Int

  /// Its days, as far as they can still be fetched.
  func range(today: CalendarDay) -> ClosedRange<CalendarDay>? {
    guard let first = CalendarDay(first), let last = CalendarDay(last) else { return nil }
    let start = max(first, HealthKitHistorySet.earliest(today))
    return start <= last ? start...last : nil
  }
}

extension HealthKitState {
  private static let history = StateName(source: source, key: "history")

  /// Notes that a fetch was begun, unless it was before.
  ///
  /// A fetch whose first days have become too old meanwhile is the same one: its days are counted from
  /// the last.
  ///
  /// - Returns: How many days of it are done.
  func begin(_ wanted: HistoryState, days: Int) async throws -> Int {
    if let kept = try await unfinishedHistory(session: wanted.session),
      kept.sets == wanted.sets, kept.last == wanted.last, let keptFirst = CalendarDay(kept.first),
      let first = CalendarDay(wanted.first), keptFirst <= first
    {
      if kept.doneDays < days { return kept.doneDays }
      try await session.changeState(of: Self.source) { _ in
        [Self.change(wanted, isComplete: true)]
      }
      return days
    }
    try await session.changeState(of: Self.source) { _ in
      [Self.change(wanted, isComplete: false)]
    }
    return 0
  }

  /// The fetch of a session that was begun last, if it is not finished.
  func unfinishedHistory(session number: Int64) async throws -> HistoryState? {
    let kept = try await value(Self.history, as: HistoryState.self)
    return kept?.session == number ? kept : nil
  }

  /// The change that notes how far a fetch is.
  static func change(_ state: HistoryState, isComplete: Bool) -> StateChange {
    .fact(history, isComplete ? nil : bytes(state))
  }
}

extension CalendarDay {
  fileprivate var components: DateComponents {
    DateComponents(year: year, month: month, day: day)
  }

  /// The day of year, month and day; nil without one of them, or for a day that no calendar has.
  init?(_ components: DateComponents) {
    guard let year = components.year, let month = components.month, let day = components.day
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
