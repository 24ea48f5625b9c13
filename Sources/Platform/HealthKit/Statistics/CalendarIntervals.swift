// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Intervals of a calendar, such as days, that start from an instant: a day on which clocks change has
/// 23 or 25 hours.
struct CalendarIntervals {
  let anchor: Date
  let components: DateComponents

  private var calendar: Calendar {
    var calendar = components.calendar ?? .current
    if let zone = components.timeZone { calendar.timeZone = zone }
    return calendar
  }

  init(anchor: Date, components: DateComponents) {
    self.anchor = anchor
    self.components = components
    precondition(
      border(1) > anchor, "The interval of a statistics collection must be longer than nothing.")
  }

  /// The start of an interval that is some steps from the anchor.
  private func border(_ step: Int) -> Date {
    var sum = DateComponents()
    sum.era = components.era.map { $0 * step }
    sum.year = components.year.map { $0 * step }
    sum.month = components.month.map { $0 * step }
    sum.day = components.day.map { $0 * step }
    sum.hour = components.hour.map { $0 * step }
    sum.minute = components.minute.map { $0 * step }
    sum.second = components.second.map { $0 * step }
    sum.nanosecond = components.nanosecond.map { $0 * step }
    sum.weekOfYear = (components.weekOfYear ?? components.weekOfMonth).map { $0 * step }
    return calendar.date(byAdding: sum, to: anchor) ?? anchor
  }

  /// The starts of the intervals that a time touches, and the end of the last one.
  func borders(from start: Date, to end: Date) -> [Double] {
    let length = border(1).timeIntervalSince(anchor)
    var step = Int((start.timeIntervalSince(anchor) / length).rounded(.down))
    while border(step) > start { step -= 1 }
    while border(step + 1) <= start { step += 1 }
    var borders = [border(step)]
    repeat {
      step += 1
      borders.append(border(step))
    } while borders[borders.count - 1] <= end
    return borders.map(\.timeIntervalSinceReferenceDate)
  }
}
