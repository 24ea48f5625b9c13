// SPDX-License-Identifier: Apache-2.0

extension Life {
  func heartRate(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.heart, day)
    let exertion = exertion(day)
    let workout = exertion.map { heartRates(day, $0) } ?? []
    let busy = workout.isEmpty ? 0..<0 : (exertion?.interval ?? 0..<0)
    let wake = night(day).wake
    for (time, rate) in workout { heartRate(time, rate, motion: 2, &records, &ledger) }
    for piece in worn(day) {
      var time = piece.lowerBound + random.number(0...60)
      while time < piece.upperBound {
        let isAsleep = time < wake
        let rate = random.number(isAsleep ? 46...66 : 58...112)
        let motion = isAsleep ? 1 : random.number(0...2)
        if !busy.contains(time) { heartRate(time, rate, motion: motion, &records, &ledger) }
        time += pause(&random, 170...430)
      }
    }
  }

  private func heartRate(
    _ time: Int, _ rate: Int, motion: Int, _ records: inout [RecordDraft],
    _ ledger: inout Ledger
  ) {
    records.append(
      RecordDraft(.watch, at: time, .quantity(rate * 1_000_000), delay: 211)
        .with("HKMetadataKeyHeartRateMotionContext", "\(motion)"))
    ledger.on(time) { totals in
      let isFirst = totals.heartCount == 0
      totals.heartMinimum = isFirst ? rate : min(totals.heartMinimum, rate)
      totals.heartMaximum = max(totals.heartMaximum, rate)
      totals.heartCount += 1
      totals.heartSum += rate
    }
  }

  /// Variability with the beats that it was computed from.
  func variability(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.variability, day)
    for piece in worn(day) {
      var time = piece.lowerBound + random.number(600...9000)
      while time + 60 < piece.upperBound {
        var record = RecordDraft(
          .watch, time..<time + 60, .quantity(random.number(18_000_000...96_000_000)))
        var beat = random.number(20...90)
        while beat < 5900, record.beats.count < 42 {
          let rate = random.number(49...84)
          record.beats.append((rate, beat))
          beat += 6000 / rate
        }
        records.append(record)
        time += random.number(9000...20_000)
      }
    }
  }

  /// A value a day, over the whole of it.
  func restingHeartRate(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    daily(day, 51...59, &records)
  }

  func walkingHeartRate(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    daily(day, 88...104, &records)
  }

  private func daily(_ day: Int, _ range: ClosedRange<Int>, _ records: inout [RecordDraft]) {
    guard isWatchWorn(day) else { return }
    var random = random(.fitness, day &* 200 &+ range.lowerBound)
    let interval = timeline.start(day) + 240..<timeline.end(day) - 600
    records.append(
      RecordDraft(.watch, interval, .quantity(random.number(range) * 1_000_000), delay: 600))
  }

  func fitness(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.fitness, day)
    guard let exertion = exertion(day), exertion.source == .watch, exertion.activity != .strength
    else { return }
    records.append(
      RecordDraft(
        .watch, at: exertion.interval.upperBound, .quantity(random.number(3_800...4_600) * 10_000)
      ).with("HKVO2MaxTestType", "2"))
  }

  /// A fraction, not per cent.
  func oxygen(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.oxygen, day)
    for piece in worn(day) {
      var time = piece.lowerBound + random.number(300...5000)
      while time < piece.upperBound {
        records.append(
          RecordDraft(
            .watch, time..<time + 15, .quantity(random.number(93...100) * 10_000)
          )
          .with("HKMetadataKeyBarometricPressure", "\(random.number(98...103)) kPa"))
        time += random.number(4000...11_000)
      }
    }
  }

  func breathing(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    let night = night(day)
    guard night.isWatchWorn else { return }
    var random = random(.breathing, day)
    var time = night.asleep + 300
    while time < night.wake {
      records.append(
        RecordDraft(.watch, at: time, .quantity(random.number(24...38) * 500_000), delay: 1500))
      time += random.number(900...1500)
    }
  }
}
