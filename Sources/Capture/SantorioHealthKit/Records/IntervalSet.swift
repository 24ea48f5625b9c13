// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Times without overlaps, in their order.
struct IntervalSet: Hashable, Sendable {
  private(set) var intervals: [DateInterval] = []

  init() {}

  /// The union of times, which may overlap and be in any order; those that touch become one.
  ///
  /// - Parameters:
  ///   - times: The times.
  ///   - gap: How many seconds may lie between two that become one.
  init(_ times: some Sequence<DateInterval>, joining gap: TimeInterval = 0) {
    for time in times.sorted(by: { $0.start < $1.start }) {
      if let last = intervals.last, time.start.timeIntervalSince(last.end) <= gap {
        intervals[intervals.count - 1].end = max(last.end, time.end)
      } else {
        intervals.append(time)
      }
    }
  }

  /// The seconds of all times together.
  var duration: TimeInterval { intervals.reduce(0) { $0 + $1.duration } }
  var isEmpty: Bool { intervals.isEmpty }
  var start: Date? { intervals.first?.start }
  var end: Date? { intervals.last?.end }

  /// What lies within a time.
  func clipped(to bounds: DateInterval) -> IntervalSet {
    var result = IntervalSet()
    result.intervals = intervals.compactMap { time in
      guard time.intersects(bounds), let common = time.intersection(with: bounds),
        common.duration > 0 || time.duration == 0
      else { return nil }
      return common
    }
    return result
  }

  func union(_ other: IntervalSet) -> IntervalSet { IntervalSet(intervals + other.intervals) }

  /// What lies in none of the other times.
  func subtracting(_ other: IntervalSet) -> IntervalSet {
    var result = IntervalSet()
    for time in intervals {
      var start = time.start
      for hole in other.intervals where hole.end > start && hole.start < time.end {
        if hole.start > start {
          result.intervals.append(DateInterval(start: start, end: hole.start))
        }
        start = hole.end
      }
      if start < time.end { result.intervals.append(DateInterval(start: start, end: time.end)) }
    }
    return result
  }
}
