// SPDX-License-Identifier: Apache-2.0

/// The days of a life: where each was spent, when it began and ended.
struct Timeline: Sendable {
  let first: Int
  let last: Int
  let home: ZoneClock
  private let away: (clock: ZoneClock, days: ClosedRange<Int>)?
  /// Local midnights, from that of the day before the first one on.
  private let starts: [Int]
  /// The day before the first one, in which nights begin.
  private var margin: Int { first - 3 }

  init(_ options: SyntheticHealthExport.Options, days: Int) throws(SyntheticHealthExportError) {
    last = options.lastDay.daysSince1970
    first = last - days + 1
    let period = (first - 5) * 86_400..<(last + 6) * 86_400
    home = try Self.clock(options.timeZone, period)
    away =
      if let abroad = options.abroad {
        (
          try Self.clock(abroad.timeZone, period),
          abroad.first.daysSince1970...max(abroad.first, abroad.last).daysSince1970
        )
      } else { nil }
    let (home, away, firstDay, lastDay) = (home, away, first, last)
    starts = (firstDay - 3...lastDay + 4).map { day in
      let clock = away.map { $0.days.contains(day) ? $0.clock : home } ?? home
      return clock.instant(ofLocal: day * 86_400)
    }
  }

  private static func clock(
    _ name: String, _ period: Range<Int>
  ) throws(SyntheticHealthExportError) -> ZoneClock {
    guard let clock = ZoneClock(name, period) else {
      throw .option("There is no time zone \(name): give a name such as Europe/Berlin.")
    }
    return clock
  }

  var days: ClosedRange<Int> { first...last }
  var hasStayAbroad: Bool { away != nil }

  /// When a day begins where it is spent.
  func start(_ day: Int) -> Int { starts[day - margin] }
  /// When the next day begins where that is spent; 15 hours later or 33, if one travels far.
  func end(_ day: Int) -> Int { starts[day + 1 - margin] }

  /// The zone in which a day is spent.
  func clock(_ day: Int) -> ZoneClock {
    if let away, away.days.contains(day) { away.clock } else { home }
  }

  /// The zone in which one is at an instant.
  func clock(at instant: Int) -> ZoneClock {
    guard let away else { return home }
    let stay = start(max(away.days.lowerBound, margin))..<end(min(away.days.upperBound, last + 3))
    return stay.contains(instant) ? away.clock : home
  }

  /// When local clocks show a time of a day.
  func instant(_ day: Int, _ secondOfDay: Int) -> Int {
    clock(day).instant(ofLocal: day * 86_400 + secondOfDay)
  }

  /// Whether the next day is spent in another zone.
  func isTravel(_ day: Int) -> Bool { clock(day).name != clock(day + 1).name }

  /// When the export is made: at 9:15:42 on the day after the last one, at home.
  var export: Int { home.instant(ofLocal: (last + 1) * 86_400 + 33_342) }
}
