// SPDX-License-Identifier: Apache-2.0

public import CivilCalendar
public import Foundation
public import HealthRecords
public import HealthKit

/// The steps in the course of a calendar day, which become one record of the kind `intraday`.
///
/// A point is the steps of one interval of a statistics collection, at the interval's start. An interval
/// without data has no point. The points are whole numbers and add up to the steps of the day so far,
/// rounded down: what an interval has beyond whole ones goes to the next. The record has the identifier
/// of its day and takes the place of the one before, whatever its granularity.
public struct IntradaySteps: Hashable, Sendable {
  /// The day.
  public let day: CalendarDay
  /// Where the person was.
  public let zones: ZoneHistory
  /// The length of an interval in minutes, 1 or more.
  public let minutes: Int

  /// Makes the conversion.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - zones: Where the person was.
  ///   - minutes: The length of an interval in minutes; 1 where it is less.
  public init(of day: CalendarDay, in zones: ZoneHistory, minutes: Int = 15) {
    self.day = day
    self.zones = zones
    self.minutes = max(1, minutes)
  }

  /// The interval of the query, whose anchor is the start of ``interval``.
  public var intervalComponents: DateComponents { DateComponents(minute: minutes) }

  /// From when to when the day lasted; nil for one that was skipped over the date line.
  public var interval: DateInterval? { zones.interval(of: day) }

  /// The record of a collection.
  ///
  /// - Parameters:
  ///   - collection: The steps with the option `cumulativeSum`.
  ///   - computed: When they were asked for.
  /// - Returns: The record; nil without data.
  public func record(of collection: HKStatisticsCollection, computed: Date) -> HealthRecord? {
    record(of: collection.statistics(), computed: computed)
  }

  /// The record of the statistics of a collection.
  ///
  /// Intervals of other days, by their middle, and of other quantities are left out: a query also gives
  /// incomplete ones outside of its time.
  ///
  /// - Parameters:
  ///   - statistics: The steps with the option `cumulativeSum`.
  ///   - computed: When they were asked for.
  /// - Returns: The record; nil without data.
  public func record(of statistics: [HKStatistics], computed: Date) -> HealthRecord? {
    guard let interval else { return nil }
    let sums = statistics.filter {
      $0.quantityType.identifier == HKQuantityTypeIdentifier.stepCount.rawValue
        && DaySummary.day(of: $0, in: zones) == day && $0.startDate >= interval.start
    }
    .sorted { $0.startDate < $1.startDate }
    .compactMap { bucket in
      bucket.sumQuantity()?.value(as: .steps).map { (bucket.startDate, $0) }
    }
    var (total, written) = (0.0, 0.0)
    let points = sums.map { start, value in
      total += value
      let steps = DaySummary.rounded(total, .steps) - written
      written += steps
      return DataPoint(time: start.roundedToMilliseconds, value: steps)
    }
    guard !points.isEmpty else { return nil }
    var record = HealthRecord(
      logID: SampleIdentity.stepsLogID(of: day), kind: .intraday,
      time: RecordTime(of: interval, in: zones, computed: computed),
      source: RecordSource(type: .appleHealth), metrics: [],
      series: [MetricSeries(.steps, points)])
    record.granularity = .minutes(minutes)
    record.lastUpdated = computed.roundedToMilliseconds
    return record
  }
}
