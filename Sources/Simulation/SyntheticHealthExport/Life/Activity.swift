// SPDX-License-Identifier: Apache-2.0

extension Life {
  // MARK: - Energy

  func activeEnergy(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.energy, day)
    let worn = worn(day)
    let asleep = night(day).wake
    for piece in worn {
      for interval in energySamples(of: piece, asleep, &random) {
        // Millionths of a kilocalorie a second.
        let rate = random.number(interval.lowerBound < asleep ? 300...900 : 2_000...19_000)
        records.append(RecordDraft(.watch, interval, .quantity(rate * interval.count), delay: 61))
        ledger.add(\.energy, SharedEvent(watch: [interval], watchRate: rate))
      }
    }
    if let exertion = exertion(day), exertion.source == .runner {
      // The watch's share of this time stands already in its own samples.
      let interval = exertion.interval
      let rate = exertion.energy * 1000 / interval.count
      records.append(RecordDraft(.runner, interval, .quantity(rate * interval.count)))
      ledger.add(\.energy, SharedEvent(watch: worn, app: interval, appRate: rate))
    } else if !isWatchWorn(day) {
      for interval in walks(day).compactMap(\.coverage.phone) {
        records.append(RecordDraft(.phone, interval, .quantity(41_000 * interval.count)))
        ledger.add(\.energy, SharedEvent(phone: interval, phoneRate: 41_000))
      }
    }
  }

  private func energySamples(
    of piece: Range<Int>, _ asleep: Int, _ random: inout SeededRandom
  ) -> [Range<Int>] {
    let night = piece.meet(0..<max(0, asleep))
    let waking = piece.meet(max(0, asleep)..<Int.max)
    return samples(of: night, &random, 500...1100) + samples(of: waking, &random, 90...250)
  }

  func basalEnergy(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.basal, day)
    for interval in worn(day).flatMap({ samples(of: $0, &random, 210...390) }) {
      let rate = random.number(18_000...21_000)
      records.append(RecordDraft(.watch, interval, .quantity(rate * interval.count), delay: 61))
    }
  }

  // MARK: - Minutes and hours

  /// Minutes of exercise, each a sample of one minute.
  func exercise(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    guard isWatchWorn(day) else { return }
    var random = random(.exercise, day)
    let hours = active(day)
    var time = hours.lowerBound + random.number(600...3600)
    while time + 1800 < hours.upperBound {
      for _ in 0..<random.number(4...24) {
        records.append(RecordDraft(.watch, time..<time + 60, .quantity(1_000_000), delay: 95))
        ledger.add(\.exerciseSeconds, time..<time + 60)
        time += 60
      }
      time += random.number(6000...15_000)
    }
  }

  /// The hours of the local clock in which the watch was worn throughout, by day and night.
  private func wornHours(_ day: Int) -> [Range<Int>] {
    let worn = worn(day) + worn(day - 1).suffix(1)
    let begin = timeline.start(day)
    return stride(from: begin, to: timeline.end(day), by: 3600).map { $0..<$0 + 3600 }
      .filter { hour in
        hour.upperBound <= timeline.end(day)
          && worn.reduce(0) { $0 + $1.meet(hour).count } == 3600
      }
  }

  func standHours(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.standing, day)
    let night = night(day)
    for hour in wornHours(day) {
      let isStanding = hour.lowerBound > night.wake && random.chance(75)
      records.append(
        RecordDraft(
          .watch, hour,
          .category(
            isStanding
              ? "HKCategoryValueAppleStandHourStood" : "HKCategoryValueAppleStandHourIdle")))
      ledger.on(hour.lowerBound) {
        if isStanding { $0.stood += 1 } else { $0.idle += 1 }
      }
    }
  }

  func standTime(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.standing, day &+ 1_000_000)
    let wake = night(day).wake
    for hour in wornHours(day) where hour.lowerBound > wake {
      for start in stride(from: hour.lowerBound, to: hour.upperBound, by: 300)
      where random.chance(25) {
        records.append(
          RecordDraft(
            .watch, start..<start + 300, .quantity(random.number(1...5) * 1_000_000), delay: 500))
      }
    }
  }

  /// Mindful minutes: at times two apps record the same ones in part.
  func mindful(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.mindful, day)
    guard random.chance(45) else { return }
    let start = timeline.instant(day, 13 * 3600 + random.number(0...1800))
    let first = start..<start + random.number(120...900)
    guard active(day).meet(first) == first else { return }
    records.append(RecordDraft(.watch, first, .none))
    ledger.add(\.mindfulSeconds, first)
    guard random.chance(50) else { return }
    let begin = start + random.number(30...200)
    let second = begin..<max(begin + 60, first.upperBound + random.number(-20...400))
    records.append(RecordDraft(.calm, second, .none, delay: 12))
    let added = max(first.upperBound, second.lowerBound)
    ledger.add(\.mindfulSeconds, added..<max(added, second.upperBound))
  }
}
