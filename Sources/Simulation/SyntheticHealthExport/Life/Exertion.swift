// SPDX-License-Identifier: Apache-2.0

/// A workout of a day.
struct Exertion {
  enum Activity: String, CaseIterable {
    case walking = "Walking"
    case running = "Running"
    case cycling = "Cycling"
    case strength = "TraditionalStrengthTraining"
  }

  var activity: Activity
  var source: Source
  var interval: Range<Int>
  var pause: Range<Int>?
  /// In thousandths of a kilocalorie.
  var energy: Int
  /// In thousandths of the unit of distance; nil indoors.
  var distance: Int?
  var hasRoute: Bool

  var activeSeconds: Int { interval.count - (pause?.count ?? 0) }
}

extension Life {
  /// The workout of a day, on somewhat less than half of the days.
  func exertion(_ day: Int) -> Exertion? {
    var random = random(.workouts, day)
    guard random.chance(45) else { return nil }
    let activity = Exertion.Activity.allCases[random.number(0...3)]
    // In multiples of three seconds, so that a duration in minutes has few decimals.
    let start = timeline.instant(day, random.number(15 * 3600...17 * 3600))
    let interval = start..<start + random.number(1200...4200, step: 3)
    guard active(day).meet(interval) == interval else { return nil }
    let isApp = !isWatchWorn(day) || random.chance(20)
    var exertion = Exertion(
      activity: activity, source: isApp ? .runner : .watch, interval: interval,
      energy: interval.count * random.number(90...190), hasRoute: false)
    if activity != .strength {
      let speed = [Exertion.Activity.cycling: 7, .running: 3][activity] ?? 1
      exertion.distance = interval.count * speed * (units.american ? 62 : 100) / 100
      exertion.hasRoute = !isApp && day > timeline.last - 45
    }
    if random.chance(35) {
      let begin = start + random.number(300...600)
      exertion.pause = begin..<begin + random.number(90...480, step: 3)
    }
    return exertion
  }

  /// The watch's heart rates during a workout.
  func heartRates(_ day: Int, _ exertion: Exertion) -> [(time: Int, rate: Int)] {
    guard exertion.source == .watch else { return [] }
    var random = random(.workoutHeart, day)
    var (rates, time) = ([(time: Int, rate: Int)](), exertion.interval.lowerBound + 5)
    while time < exertion.interval.upperBound {
      rates.append((time, random.number(104...171)))
      time += pause(&random, 12...24)
    }
    return rates
  }

  /// Distances on a bicycle, of the watch.
  func cycling(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    guard let exertion = exertion(day), exertion.activity == .cycling, exertion.source == .watch
    else { return }
    var random = random(.effort, day &+ 7)
    for interval in samples(of: exertion.interval, &random, 50...110) {
      let speed = units.american ? 4340 : 7000
      records.append(RecordDraft(.watch, interval, .quantity(interval.count * speed)))
    }
  }
}
