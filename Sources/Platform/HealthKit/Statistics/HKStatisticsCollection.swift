// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Statistics of intervals that follow each other, such as days.
open class HKStatisticsCollection: NSObject, @unchecked Sendable {
  private let populated: [HKStatistics]
  private let intervals: CalendarIntervals
  private let type: HKQuantityType
  private let isSeparate: Bool

  init(
    _ statistics: [HKStatistics], _ intervals: CalendarIntervals, _ type: HKQuantityType,
    isSeparate: Bool
  ) {
    populated = statistics
    self.intervals = intervals
    self.type = type
    self.isSeparate = isSeparate
  }

  /// The statistics of the interval of a date; without quantities if there are no samples.
  @discardableResult
  open func statistics(for date: Date) -> HKStatistics? {
    let borders = intervals.borders(from: date, to: date)
    return statistics(from: borders[0], to: borders[1])
  }

  /// Hands over the statistics of all intervals from a date to another one, in their order.
  ///
  /// Those of an interval without samples have no quantities.
  open func enumerateStatistics(
    from startDate: Date, to endDate: Date,
    with block: @escaping (HKStatistics, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    guard endDate >= startDate else { return }
    let borders = intervals.borders(from: startDate, to: endDate)
    var stop = ObjCBool(false)
    for (start, end) in zip(borders, borders.dropFirst()) {
      // An interval that begins with the end has nothing of the time, unless it is an instant.
      if start >= endDate.timeIntervalSinceReferenceDate, endDate > startDate { return }
      block(statistics(from: start, to: end), &stop)
      if stop.boolValue { return }
    }
  }

  /// The statistics of the intervals that have samples, in their order.
  @discardableResult
  open func statistics() -> [HKStatistics] { populated }

  /// Who made the samples; nobody unless sources were asked for apart.
  @discardableResult
  open func sources() -> Set<HKSource> {
    isSeparate ? Set(populated.flatMap { $0.sources ?? [] }) : []
  }

  private func statistics(from start: Double, to end: Double) -> HKStatistics {
    let date = Date(timeIntervalSinceReferenceDate: start)
    var (low, high) = (0, populated.count)
    while low < high {
      let middle = (low + high) / 2
      if populated[middle].startDate < date { low = middle + 1 } else { high = middle }
    }
    if low < populated.count, populated[low].startDate == date { return populated[low] }
    return HKStatistics(
      type, date, Date(timeIntervalSinceReferenceDate: end), HKStatistics.Figures(),
      bySource: isSeparate ? [:] : nil)
  }
}
