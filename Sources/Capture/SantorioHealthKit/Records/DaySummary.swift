// SPDX-License-Identifier: Apache-2.0

public import CivilCalendar
public import Foundation
public import HealthRecords
public import HealthKit

/// The totals of a calendar day, which become one record of the kind `summary`.
///
/// A total is HealthKit's own, merged over all sources as the Health app shows it: samples that are
/// added up count twice where a phone and a watch were worn. Ask for a collection of statistics with the
/// start of ``interval`` as its anchor and with ``intervalComponents``, and add all of it: the day is one
/// of its intervals, and of samples over midnight it has its part. A collection by calendar days has those
/// of the phone's present zone, so that it fits only as long as the phone has not left it.
///
/// What HealthKit has no data of is no metric, and never 0. A day of which it has nothing makes no
/// record. The record has the identifier of its day, so that it takes the place of the one before
/// when it is made again (`lastUpdated` says when), also with less in it.
///
/// **Rounding.** Steps, floors and pushes are rounded down to whole ones, as the Health app does: a
/// sample over midnight is divided in proportion. Less than a millionth below a whole one is that one.
/// Metres and kilocalories are rounded to a tenth, seconds to whole ones.
///
/// **Energy.** Active and basal energy are metrics, and where both are known their sum, too.
public struct DaySummary: Hashable, Sendable {
  /// The day.
  public let day: CalendarDay
  /// Where the person was.
  public let zones: ZoneHistory
  private var values: [MetricType: Double] = [:]

  /// Makes a summary without totals.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - zones: Where the person was.
  public init(of day: CalendarDay, in zones: ZoneHistory) {
    self.day = day
    self.zones = zones
  }

  /// From when to when the day lasted; nil for one that was skipped over the date line.
  public var interval: DateInterval? { zones.interval(of: day) }

  /// The length of the day, as a query of a collection takes it.
  public var intervalComponents: DateComponents {
    DateComponents(second: Int(interval?.duration ?? 86_400))
  }

  /// The quantities that make up a day.
  public static var quantityTypes: [HKQuantityType] {
    quantities.keys.map(\.rawValue).sorted()
      .map { HKQuantityType(HKQuantityTypeIdentifier(rawValue: $0)) }
  }

  /// The categories that make up a day.
  public static var categoryTypes: [HKCategoryType] { categories.map { HKCategoryType($0) } }

  /// The day that the statistics of an interval belong to: that of the interval's middle.
  ///
  /// In a day in which the clocks are changed, an interval may begin an hour before its day.
  ///
  /// - Parameters:
  ///   - statistics: Statistics of about a day.
  ///   - zones: Where the person was.
  /// - Returns: The day.
  public static func day(of statistics: HKStatistics, in zones: ZoneHistory) -> CalendarDay {
    let length = statistics.endDate.timeIntervalSince(statistics.startDate)
    return zones.day(of: statistics.startDate.addingTimeInterval(length / 2))
  }

  // MARK: - Totals

  /// Adds the total of a quantity; nothing where HealthKit has no data.
  ///
  /// Statistics of another day, see ``day(of:in:)``, and of a quantity that is no part of a day are
  /// left out.
  ///
  /// - Parameter statistics: The statistics of the day with the option `cumulativeSum`.
  public mutating func add(_ statistics: HKStatistics) {
    let identifier = HKQuantityTypeIdentifier(rawValue: statistics.quantityType.identifier)
    guard let type = Self.quantities[identifier], Self.day(of: statistics, in: zones) == day,
      let units = MetricUnits(type), let sum = statistics.sumQuantity(),
      sum.is(compatibleWith: units.unit)
    else { return }
    let value = sum.doubleValue(for: units.unit)
    guard value.isFinite else { return }
    values[type] = Self.rounded(value, type)
  }

  /// Counts the hours in which the person stood up, and those in which not.
  ///
  /// An hour in which one of two watches saw the person stand up is one of standing. Of an hour
  /// without a watch nothing is known. Hours of other days are left out.
  ///
  /// - Parameter samples: The samples of `appleStandHour` that touch the day.
  public mutating func addStandHours(_ samples: [HKCategorySample]) {
    var hours: [Date: Bool] = [:]
    for sample in samples
    where sample.categoryType.identifier == HKCategoryTypeIdentifier.appleStandHour.rawValue {
      let length = sample.endDate.timeIntervalSince(sample.startDate)
      let middle = sample.startDate.addingTimeInterval(length / 2)
      guard let value = HKCategoryValueAppleStandHour(rawValue: sample.value),
        zones.day(of: middle) == day
      else { continue }
      let minute = Date(
        timeIntervalSince1970: (sample.startDate.timeIntervalSince1970 / 60).rounded() * 60)
      hours[minute] = hours[minute] ?? false || value == .stood
    }
    guard !hours.isEmpty else { return }
    let stood = hours.values.filter(\.self).count
    values[.standHoursCount] = Double(stood)
    values[.idleHoursCount] = Double(hours.count - stood)
  }

  /// Adds how long the person was mindful: what lies within the day, and nothing twice.
  ///
  /// - Parameter samples: The samples of `mindfulSession` that touch the day.
  public mutating func addMindfulSessions(_ samples: [HKCategorySample]) {
    guard let interval else { return }
    let times = samples.filter {
      $0.categoryType.identifier == HKCategoryTypeIdentifier.mindfulSession.rawValue
        && !$0.hasUndeterminedDuration
    }
    let union = IntervalSet(times.map { DateInterval(start: $0.startDate, end: $0.endDate) })
      .clipped(to: interval)
    guard !union.isEmpty else { return }
    values[.mindfulDuration] = union.duration.rounded()
  }

  // MARK: - The record

  /// The record of the day.
  ///
  /// - Parameter computed: When the totals were asked for.
  /// - Returns: The record; nil where nothing is known of the day.
  public func record(computed: Date) -> HealthRecord? {
    guard let interval, !values.isEmpty else { return nil }
    var values = values
    if let active = values[.activeEnergyBurned], let basal = values[.basalEnergyBurned] {
      values[.energyBurned] = Self.rounded(active + basal, .energyBurned)
    }
    // In the order of the table of metrics, so that equal days are equal records.
    let metrics = MetricTable.rows.compactMap { row in
      values[row.type].map { Metric(row.type, $0) }
    }
    var record = HealthRecord(
      logID: SampleIdentity.summaryLogID(of: day), kind: .summary,
      time: RecordTime(of: interval, in: zones, computed: computed),
      source: RecordSource(type: .appleHealth), metrics: metrics)
    record.category = "daily"
    record.lastUpdated = computed.roundedToMilliseconds
    return record
  }

  static let quantities: [HKQuantityTypeIdentifier: MetricType] = [
    .stepCount: .steps, .distanceWalkingRunning: .distance, .flightsClimbed: .floors,
    .activeEnergyBurned: .activeEnergyBurned, .basalEnergyBurned: .basalEnergyBurned,
    .appleExerciseTime: .activeDuration, .distanceWheelchair: .wheelchairDistance,
    .pushCount: .wheelchairPushes,
  ]

  static let categories: [HKCategoryTypeIdentifier] = [.appleStandHour, .mindfulSession]

  static func rounded(_ value: Double, _ type: MetricType) -> Double {
    switch type.definition?.unit {
    case "count": (value + 0.000_001).rounded(.down)
    case "s": value.rounded()
    default: (value * 10).rounded() / 10
    }
  }
}

extension RecordTime {
  /// The time of a day, with the offset that was in force when it began.
  init(of interval: DateInterval, in zones: ZoneHistory, computed: Date) {
    self.init(
      start: interval.start.roundedToMilliseconds, end: interval.end.roundedToMilliseconds,
      utcOffsetSeconds: zones.utcOffsetSeconds(at: interval.start), offsetOrigin: .profile,
      origin: .device, received: computed.roundedToMilliseconds)
  }
}
