// SPDX-License-Identifier: Apache-2.0

/// A walk as the devices that were carried counted it.
struct Walk {
  var coverage = SharedEvent()
  /// Millionths of the unit of distance a second; the rates of `coverage` are tenths of a step.
  var watchSpeed = 0
  var phoneSpeed = 0
  var appSpeed = 0

  /// The same walk, its distance for its steps.
  var distance: SharedEvent {
    var event = coverage
    (event.watchRate, event.phoneRate, event.appRate) = (watchSpeed, phoneSpeed, appSpeed)
    return event
  }
}

extension Life {
  /// The walks of a day, at least five minutes apart from each other in all their parts.
  ///
  /// All lengths are multiples of ten seconds, so that all samples have whole steps.
  func walks(_ day: Int) -> [Walk] {
    var random = random(.walks, day)
    let hours = active(day)
    let worn = isWatchWorn(day)
    var (walks, time) = ([Walk](), hours.lowerBound + 600)
    while true {
      let length = random.number(180...1500, step: 10)
      guard time + length + 900 < hours.upperBound else { break }
      walks.append(walk(time..<time + length, &random, worn: worn))
      time += length + random.number(1200...4200)
    }
    if random.chance(10), !timeline.isTravel(day), night(day + 1).bed > timeline.end(day) + 1200 {
      let midnight = timeline.end(day)
      let begin = midnight - random.number(120...900)
      let isWorn = worn && night(day + 1).isWatchWorn
      walks.append(
        walk(begin..<begin + random.number(1000...1400, step: 10), &random, worn: isWorn))
    }
    return walks
  }

  private func walk(_ time: Range<Int>, _ random: inout SeededRandom, worn: Bool) -> Walk {
    var walk = Walk()
    let cadence = random.number(7...19)
    // 0.4 to 1.3 m/s.
    let speed = cadence * 68 * (units.american ? 621 : 1000) / 1000
    let carried = worn ? random.number(0...99) : 99
    if carried < 80 {
      walk.coverage.watch = watchParts(time, &random)
      (walk.coverage.watchRate, walk.watchSpeed) = (cadence, speed)
    }
    if !(60..<80).contains(carried) {
      walk.coverage.phone =
        time.lowerBound + random.number(-60...60, step: 10)..<time.upperBound
        + random.number(-60...180, step: 10)
      walk.coverage.phoneRate = max(1, cadence + random.number(-2...2))
      walk.phoneSpeed = speed + random.number(-90...90)
    }
    if random.chance(12) {
      walk.coverage.app = time.lowerBound - 90..<time.upperBound + 240
      (walk.coverage.appRate, walk.appSpeed) = (max(1, cadence - 1), speed + 33)
    }
    return walk
  }

  /// The watch's time of a walk: all of it, or with a break in the middle.
  private func watchParts(_ time: Range<Int>, _ random: inout SeededRandom) -> [Range<Int>] {
    guard time.count > 600, random.chance(30) else { return [time] }
    let pause = time.lowerBound + random.number(200...400, step: 10)
    return [time.lowerBound..<pause, pause + random.number(60...150, step: 10)..<time.upperBound]
  }

  /// The samples of an interval of a walk, the same for steps and distance.
  private func chunks(_ interval: Range<Int>, _ source: Source) -> [Range<Int>] {
    var random = random(.chunks, interval.lowerBound &* 4 &+ source.rawValue)
    guard source != .pacer else { return [interval] }
    let longest = source == .watch ? 300 : 480
    var (chunks, time) = ([Range<Int>](), interval.lowerBound)
    while time < interval.upperBound {
      let rest = interval.upperBound - time
      let length = rest <= 120 ? rest : min(rest, random.number(60...longest, step: 10))
      chunks.append(time..<time + length)
      time += length
    }
    return chunks
  }

  /// The samples of an event, `scale` millionths of the unit for each count.
  private func drafts(_ event: SharedEvent, scale: Int) -> [RecordDraft] {
    let parts =
      event.watch.map { (Source.watch, $0, event.watchRate) }
      + [
        event.phone.map { (Source.phone, $0, event.phoneRate) },
        event.app.map { (Source.pacer, $0, event.appRate) },
      ].compactMap(\.self)
    return parts.flatMap { source, interval, rate in
      chunks(interval, source).map {
        RecordDraft(
          source, $0, .quantity(rate * $0.count * scale), delay: source == .watch ? 37 : 419)
      }
    }
  }

  func steps(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    for walk in walks(day) {
      records += drafts(walk.coverage, scale: 100_000)
      ledger.add(\.steps, walk.coverage)
    }
    var random = random(.gait, day)
    guard random.chance(3) else { return }
    // Typed in: one moment, whatever else was counted then.
    let noon = timeline.instant(day, 12 * 3600)
    records.append(
      RecordDraft(.health, at: noon, .quantity(150_000_000), delay: 3600)
        .with("HKWasUserEntered", "1"))
    ledger.add(\.steps, at: noon, whole: 1500)
  }

  func distance(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    for walk in walks(day) {
      records += drafts(walk.distance, scale: 1)
      ledger.add(\.distance, walk.distance)
    }
  }

  // MARK: - Flights of stairs

  func flights(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.climbs, day)
    let hours = active(day)
    var time = hours.lowerBound + random.number(0...3000)
    while time + 200 < hours.upperBound {
      climb(time, &random, worn: isWatchWorn(day), &records, &ledger)
      time += random.number(1800...7200)
    }
  }

  private func climb(
    _ time: Int, _ random: inout SeededRandom, worn: Bool, _ records: inout [RecordDraft],
    _ ledger: inout Ledger
  ) {
    let (count, kind) = (random.number(1...4), random.number(worn ? 0...9 : 7...9))
    var event = SharedEvent()
    switch kind {
    case 0...3:  // The phone's within the watch's.
      (event.watch, event.phone) = ([time..<time + 40], time + 10..<time + 30)
    case 4...5: event.watch = [time..<time + 20]
    case 6:  // Half of the phone's within the watch's.
      (event.watch, event.phone) = ([time..<time + 20], time + 10..<time + 30)
    case 7...8: event.phone = time..<time + 20
    default:  // A moment, on which the watch agrees.
      if worn { event.watch = [time - 10..<time + 10] }
      records.append(RecordDraft(.phone, at: time, .quantity(count * 1_000_000), delay: 419))
      ledger.add(\.flights, at: time, whole: count * 1000)
    }
    event.watchRate = count * 1000 / max(1, event.watch.first?.count ?? 1)
    event.phoneRate = count * 1000 / max(1, event.phone?.count ?? 1)
    for (source, interval) in event.watch.map({ (Source.watch, $0) })
      + [event.phone].compactMap({ $0.map { (Source.phone, $0) } })
    {
      records.append(RecordDraft(source, interval, .quantity(count * 1_000_000), delay: 90))
    }
    ledger.add(\.flights, event)
  }
}
