// SPDX-License-Identifier: Apache-2.0

/// What several sources measured of the same event, each at a constant rate.
///
/// Events of one metric do not touch each other in time, so that sums can be computed event by event
/// and in closed form.
struct SharedEvent {
  /// One interval, or several that do not touch.
  var watch: [Range<Int>] = []
  var phone: Range<Int>?
  var app: Range<Int>?
  /// Counts a second, in the metric's own small unit.
  var watchRate = 0
  var phoneRate = 0
  var appRate = 0
}

/// What is counted day by day.
struct DayTotals {
  /// The sum over all samples, and the one that counts each moment once.
  struct Sum {
    var naive = 0
    var merged = 0
  }

  /// In tenths of a step.
  var steps = Sum()
  /// In millionths of the unit of distance.
  var distance = Sum()
  /// In thousandths of a flight.
  var flights = Sum()
  /// In millionths of a kilocalorie.
  var energy = Sum()
  var exerciseSeconds = 0
  var stood = 0
  var idle = 0
  var mindfulSeconds = 0
  var heartCount = 0
  var heartSum = 0
  var heartMinimum = 0
  var heartMaximum = 0
  var night: NightTotals?
}

/// The seconds of a night.
struct NightTotals {
  var awake = 0
  var core = 0
  var deep = 0
  var rem = 0
  var unspecified = 0
  var unspecifiedOutsideStages = 0
  var inBed = 0

  /// Two nights, which end on one day of the zone at home after a long way east.
  static func + (one: Self, other: Self) -> Self {
    Self(
      awake: one.awake + other.awake, core: one.core + other.core, deep: one.deep + other.deep,
      rem: one.rem + other.rem, unspecified: one.unspecified + other.unspecified,
      unspecifiedOutsideStages: one.unspecifiedOutsideStages + other.unspecifiedOutsideStages,
      inBed: one.inBed + other.inBed)
  }
}

/// Adds up the truth while the document is written.
struct Ledger {
  struct GridTotals {
    let grid: DayGrid
    var days: [DayTotals]

    init(_ grid: DayGrid) {
      self.grid = grid
      days = Array(repeating: DayTotals(), count: grid.count)
    }
  }

  /// The first is that of the zone at home, the last that of the place.
  var grids: [GridTotals]
  var workouts: [SyntheticHealthExport.Workout] = []
  var pressures: [SyntheticHealthExport.BloodPressure] = []
  /// Whether nothing more counts, because the document is cut here.
  var isClosed = false

  init(_ timeline: Timeline) {
    grids = [GridTotals(DayGrid(home: timeline))]
    if timeline.hasStayAbroad { grids.append(GridTotals(DayGrid(local: timeline))) }
  }

  /// Adds an event to the days that it touches.
  mutating func add(_ sum: WritableKeyPath<DayTotals, DayTotals.Sum>, _ event: SharedEvent) {
    let parts = event.watch + [event.phone, event.app].compactMap(\.self)
    guard let first = parts.map(\.lowerBound).min(), let last = parts.map(\.upperBound).max()
    else { return }
    each(first..<last) { totals, day in
      let (naive, merged) = event.sums(in: day)
      totals[keyPath: sum].naive += naive
      totals[keyPath: sum].merged += merged
    }
  }

  /// Adds what has no duration and so belongs whole to the day of its moment.
  mutating func add(
    _ sum: WritableKeyPath<DayTotals, DayTotals.Sum>, at instant: Int, whole value: Int
  ) {
    on(instant) {
      $0[keyPath: sum].naive += value
      $0[keyPath: sum].merged += value
    }
  }

  /// Adds the parts of a duration to the days that it touches.
  mutating func add(_ seconds: WritableKeyPath<DayTotals, Int>, _ interval: Range<Int>) {
    each(interval) { totals, day in totals[keyPath: seconds] += interval.meet(day).count }
  }

  /// Changes the totals of the day of an instant, in each grid.
  mutating func on(_ instant: Int, _ change: (inout DayTotals) -> Void) {
    guard !isClosed else { return }
    for index in grids.indices {
      guard let day = grids[index].grid.index(of: instant) else { continue }
      change(&grids[index].days[day])
    }
  }

  private mutating func each(
    _ interval: Range<Int>, _ change: (inout DayTotals, Range<Int>) -> Void
  ) {
    guard !isClosed, !interval.isEmpty else { return }
    for index in grids.indices {
      let grid = grids[index].grid
      guard let first = grid.index(of: interval.lowerBound),
        let last = grid.index(of: interval.upperBound - 1)
      else { continue }
      for day in first...last { change(&grids[index].days[day], grid.interval(day)) }
    }
  }
}

extension SharedEvent {
  /// The sums of a day: those of all samples, and those of the model that gives each moment to the
  /// best source (watch, then phone, then another app), by inclusion and exclusion.
  func sums(in day: Range<Int>) -> (naive: Int, merged: Int) {
    let watch = self.watch.map { $0.meet(day) }
    let watchSeconds = watch.reduce(0) { $0 + $1.count }
    let phone = (self.phone ?? 0..<0).meet(day)
    let app = (self.app ?? 0..<0).meet(day)
    func shared(_ interval: Range<Int>) -> Int {
      watch.reduce(0) { $0 + $1.meet(interval).count }
    }
    let phoneFree = phone.count - shared(phone)
    let common = app.meet(phone)
    let appFree = app.count - shared(app) - common.count + shared(common)
    return (
      watchRate * watchSeconds + phoneRate * phone.count + appRate * app.count,
      watchRate * watchSeconds + phoneRate * phoneFree + appRate * appFree
    )
  }
}
