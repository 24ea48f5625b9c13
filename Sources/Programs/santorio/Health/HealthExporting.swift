// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthKit
import HealthRecords
import SantorioHealthKit

/// Prints the records that a health store's samples make.
struct HealthExporting {
  private enum Kind: String, CaseIterable {
    case day, night, workout, measurement
  }

  private let kinds: [Kind]
  private let zones: ZoneHistory
  private let first: CalendarDay?
  private let last: CalendarDay?
  private let store: HKHealthStore
  private let system: HealthSystem

  init(_ arguments: Arguments, store path: String) throws(UsageError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw UsageError(
        "there is no health store \"\(path.printable)\". \"santorio health import\" makes one.",
        command: "health")
    }
    kinds = try arguments.choice("kind", of: Kind.self).map { [$0] } ?? Kind.allCases
    guard let zone = arguments["zone"].map(TimeZone.init(identifier:)) ?? .current else {
      throw UsageError(
        "--zone takes the name of a time zone such as Europe/Rome, not "
          + "\"\(arguments["zone"]?.printable ?? "")\".", command: "health")
    }
    zones = ZoneHistory(zone)
    first = try Self.day(arguments, "from")
    last = try Self.day(arguments, "to")
    if let first, let last, first > last {
      throw UsageError("--from is later than --to.", command: "health")
    }
    system = HealthSystem(path: path, isMade: false)
    store = HKHealthStore(system: system)
  }

  private static func day(
    _ arguments: Arguments, _ option: String
  ) throws(UsageError) -> CalendarDay? {
    guard let text = arguments[option] else { return nil }
    guard let day = CalendarDay(text) else {
      throw UsageError(
        "--\(option) takes a day such as 2026-07-14, not \"\(text.printable)\".",
        command: "health")
    }
    return day
  }

  func run() async throws -> Int32 {
    let contents = try system.sync { try $0.contents() }
    try warnOfUnfinishedImport(system)
    let types = Set(
      contents.map { HKObjectType.named($0.type, unit: nil) }.compactMap { $0 as? HKSampleType })
    guard let start = contents.map(\.first).min(), let end = contents.map(\.last).max() else {
      return 0
    }
    // Workouts ask for heart rates, also where there are none.
    let asked = Set(types.filter { !($0 is HKCorrelationType) }).union([HKQuantityType(.heartRate)])
    try await store.requestAuthorization(toShare: [], read: asked)
    let days = self.days(from: start, to: end, try system.sync { try $0.stretches() })
    let queries = HealthQueries(store: store)
    for kind in kinds {
      switch kind {
      case .day: try await printDays(days, types, queries)
      case .night:
        guard types.contains(HKCategoryType(.sleepAnalysis)) else { continue }
        for day in days { try show(await queries.nights(wakingOn: day, zones)) }
      case .workout:
        guard types.contains(.workoutType()) else { continue }
        for day in days { try show(await queries.workouts(on: [day], zones)) }
      case .measurement: try await printMeasurements(of: types, queries)
      }
    }
    return 0
  }

  /// The days that were asked for, without those of long gaps.
  private func days(
    from start: Date, to end: Date, _ stretches: [DateInterval]
  ) -> [CalendarDay] {
    var stretches = stretches[...]
    return zones.days(from: start, through: end).filter { day in
      guard day >= first ?? day, day <= last ?? day, let interval = zones.interval(of: day) else {
        return false
      }
      // A night begins on the day before.
      while let next = stretches.first, next.end + Self.margin < interval.start {
        stretches.removeFirst()
      }
      return stretches.first.map { $0.start - Self.margin < interval.end } ?? false
    }
  }

  private static let margin: TimeInterval = 2 * 86_400

  private func printDays(
    _ days: [CalendarDay], _ types: Set<HKSampleType>, _ queries: HealthQueries
  ) async throws {
    let wanted = types.filter { SampleRole($0) == .day }
    for day in days { try show(await queries.summaries(of: [day], wanted, zones)) }
  }

  private func printMeasurements(
    of types: Set<HKSampleType>, _ queries: HealthQueries
  ) async throws {
    let conversion = SampleRecords(zones: zones)
    let feeds = Set(
      types.filter { SampleRole($0) == .record && $0 != .workoutType() }
        .flatMap(HealthFeed.feeds(for:)))
    for feed in feeds.sorted(by: { $0.name < $1.name }) {
      var anchor: HKQueryAnchor?
      while true {
        let page = try await HKAnchoredObjectQueryDescriptor(
          predicates: [.sample(type: feed.type, predicate: predicate(feed))], anchor: anchor,
          limit: 500
        ).result(for: store)
        try show(await queries.records(of: page.addedSamples, conversion))
        if page.newAnchor == anchor { break }
        anchor = page.newAnchor
      }
    }
  }

  private func predicate(_ feed: HealthFeed) -> NSPredicate {
    // A day that was skipped over the date line has no time: the next one, and the one before, have.
    let start = first.flatMap { zones.interval(of: $0) ?? zones.interval(of: $0.advanced(by: 1)) }
    let end = last.flatMap { zones.interval(of: $0) ?? zones.interval(of: $0.advanced(by: -1)) }
    return feed.predicate(from: start?.start, to: end?.end)
  }

  private func show(_ records: [HealthRecord]) throws {
    for record in records { print(String(decoding: try record.informJSON(), as: UTF8.self)) }
  }
}
