// SPDX-License-Identifier: Apache-2.0

public import CivilCalendar
public import Foundation
public import HealthRecords
public import HealthKit

/// Makes records of nights from the samples of `sleepAnalysis`.
///
/// - **Sessions.** Samples of one source with less than ``gap`` between them are one session.
/// - **Sources.** Of sessions of several sources that overlap, the one that says most is kept: one with
///   stages before one that only knows sleep, and that before a time in bed; then a watch before
///   others, then the longer sleep. The others count for nothing but the time in bed, where the kept one
///   has none. So two apps that watch one night do not make it twice as long.
/// - **Stages.** Each is the union of its samples. Where a source contradicts itself, deep sleep goes
///   before REM, that before light sleep, that before being awake, and that before sleep of which no
///   stage is known. Sleep is the sum of the four kinds of it, so no second counts twice.
/// - **In bed** is apart: it is neither sleep nor being awake. The time to fall asleep is that from its
///   start to the first sleep, where it starts first.
/// - **Awake** counts the times between the first and the last sleep.
/// - **What the source did not watch** is no metric. All are whole seconds.
/// - **The day** is that of the last waking up. Its longest sleep is the record without a number, others
///   follow in the order of time. So a record is replaced when samples arrive late, by whatever source. If
///   a day then has fewer sessions than before, the records of the higher numbers do not count any more;
///   ``SampleIdentity/sleepLogID(wakingOn:number:)`` names them.
public struct SleepRecords: Hashable, Sendable {
  /// Where the person was.
  public var zones: ZoneHistory
  /// How many seconds may lie between two samples of one session.
  public var gap: TimeInterval

  /// Makes the conversion.
  ///
  /// - Parameters:
  ///   - zones: Where the person was.
  ///   - gap: How many seconds may lie between two samples of one session.
  public init(zones: ZoneHistory, gap: TimeInterval = 3600) {
    self.zones = zones
    self.gap = gap
  }

  /// The time of which all samples are needed for the nights that end on a day: from a day before it
  /// to half a day after it.
  ///
  /// - Parameter day: The day of waking up.
  /// - Returns: The time; nil for a day that was skipped over the date line.
  public func interval(wakingOn day: CalendarDay) -> DateInterval? {
    zones.interval(of: day).map {
      DateInterval(
        start: $0.start.addingTimeInterval(-86_400), end: $0.end.addingTimeInterval(43_200))
    }
  }

  /// The days whose nights samples may change.
  ///
  /// - Parameter samples: The samples that have arrived.
  /// - Returns: The days, in their order.
  public func days(touchedBy samples: [HKCategorySample]) -> [CalendarDay] {
    let days = samples.filter { !$0.hasUndeterminedDuration }.flatMap { sample in
      let days = zones.days(from: sample.startDate, through: sample.endDate)
      // A session that a sample makes longer may end on the next day.
      return days + [days[days.count - 1].advanced(by: 1)]
    }
    return Set(days).sorted()
  }

  /// The records of the nights that end on a day.
  ///
  /// - Parameters:
  ///   - samples: All samples that touch ``interval(wakingOn:)``.
  ///   - day: The day of waking up.
  ///   - computed: When the samples were read.
  /// - Returns: The records: the longest sleep first, others in the order of time.
  public func records(
    of samples: [HKCategorySample], wakingOn day: CalendarDay, computed: Date
  ) -> [HealthRecord] {
    var sessions = sessions(of: samples).filter { zones.day(of: $0.wakeUp) == day }
    let longest = sessions.indices.max { sessions[$0].length < sessions[$1].length }
    if let longest { sessions.insert(sessions.remove(at: longest), at: 0) }
    return sessions.enumerated().map { index, session in
      record(of: session, wakingOn: day, number: index + 1, computed: computed)
    }
  }

  // MARK: - Sessions

  /// The sessions that are kept, in the order of time.
  private func sessions(of samples: [HKCategorySample]) -> [SleepSession] {
    let known = samples.filter {
      $0.categoryType.identifier == HKCategoryTypeIdentifier.sleepAnalysis.rawValue
        && HKCategoryValueSleepAnalysis(rawValue: $0.value) != nil
        && !$0.hasUndeterminedDuration && $0.endDate > $0.startDate
    }
    let sources = Dictionary(grouping: known, by: \.sourceRevision.source.bundleIdentifier)
    let all = sources.values.flatMap { SleepSession.sessions(of: $0, joining: gap) }
      .sorted { $0.isPreferred(to: $1) }
    var kept: [SleepSession] = []
    var others: [SleepSession] = []
    for session in all {
      if kept.contains(where: { $0.span.overlaps(session.span) }) {
        others.append(session)
      } else {
        kept.append(session)
      }
    }
    kept.sort { $0.span.start < $1.span.start }
    return kept.indices.map { index in
      var session = kept[index]
      if session.inBed.isEmpty { session.inBed = inBed(of: index, in: kept, others) }
      return session
    }
  }

  /// The time in bed that another source knows of a session; that between two sessions belongs to the
  /// first of them.
  private func inBed(
    of index: Int, in kept: [SleepSession], _ others: [SleepSession]
  ) -> IntervalSet {
    let session = kept[index]
    let times = others.first { !$0.inBed.isEmpty && $0.span.overlaps(session.span) }?.inBed
    guard let times else { return IntervalSet() }
    let start = index > 0 ? session.span.start : .distantPast
    let end = index + 1 < kept.count ? kept[index + 1].span.start : .distantFuture
    return times.clipped(to: DateInterval(start: start, end: end))
  }

  // MARK: - Records

  private func record(
    of session: SleepSession, wakingOn day: CalendarDay, number: Int, computed: Date
  ) -> HealthRecord {
    let isManual = session.samples.allSatisfy(\.isUserEntered)
    let start = min(session.span.start, session.inBed.start ?? .distantFuture)
    let end = max(session.span.end, session.inBed.end ?? .distantPast)
    let first = session.samples.min { $0.startDate < $1.startDate } ?? session.samples[0]
    var time = SampleRecords(zones: zones, ownBundleIdentifier: "")
      .time(of: first, isManual: isManual, received: computed.roundedToMilliseconds)
    (time.start, time.end) = (start.roundedToMilliseconds, end.roundedToMilliseconds)
    var record = HealthRecord(
      logID: SampleIdentity.sleepLogID(wakingOn: day, number: number), kind: .sleep, time: time,
      source: first.recordSource, metrics: session.metrics(isManual ? .manual : .device))
    record.extras = first.sourceExtras
    record.lastUpdated = computed.roundedToMilliseconds
    return record
  }
}

extension SleepSession {
  /// What the longest sleep is found by; without sleep the time in bed.
  fileprivate var length: Double { asleep.duration + span.duration / 1e6 }
}

extension DateInterval {
  /// Whether both have more in common than an instant.
  fileprivate func overlaps(_ other: DateInterval) -> Bool {
    start < other.end && other.start < end
  }
}
