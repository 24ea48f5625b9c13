// SPDX-License-Identifier: Apache-2.0

/// The night before a day.
struct Night {
  enum Stage { case awake, core, deep, rem }

  /// When one went to bed, fell asleep, woke up and rose.
  var bed: Int
  var asleep: Int
  var wake: Int
  var rise: Int
  var isWatchWorn: Bool
  /// The phone's times in bed, one or two that do not touch.
  var phone: [Range<Int>] = []
  /// What a second app takes for sleep, and for time in bed.
  var appAsleep: Range<Int>?
  var appInBed: Range<Int>?
}

extension Life {
  /// The night that ends on a day.
  func night(_ day: Int) -> Night {
    var random = random(.night, day)
    let bed = timeline.start(day) + random.number(-9000...2400)
    let wake = timeline.instant(day, random.number(6 * 3600...8 * 3600))
    var night = Night(
      bed: bed, asleep: bed + random.number(240...1800), wake: wake,
      rise: wake + random.number(60...900),
      isWatchWorn: random.chance(85) && isWatchWorn(day) && isWatchWorn(day - 1))
    if random.chance(80) {
      night.phone =
        random.chance(25)
        ? [bed..<bed + 10_800, bed + 11_400..<night.rise] : [bed..<night.rise]
    }
    if random.chance(30) {
      night.appAsleep =
        night.asleep + random.number(-900...900)..<night.wake + random.number(-900...1500)
      night.appInBed = bed + random.number(-600...600)..<night.rise + random.number(-300...900)
    }
    return night
  }

  /// The stages that the watch recorded of a night, without a gap.
  func stages(_ day: Int, _ night: Night) -> [(interval: Range<Int>, stage: Night.Stage)] {
    guard night.isWatchWorn else { return [] }
    var random = random(.stages, day)
    var (stages, time) = ([(interval: Range<Int>, stage: Night.Stage)](), night.asleep)
    let order: [Night.Stage] = [.core, .deep, .core, .rem, .awake]
    while time < night.wake {
      let stage = order[stages.count % order.count]
      let length = random.number(stage == .awake ? 30...600 : 300...2700, step: 30)
      stages.append((time..<min(night.wake, time + length), stage))
      time += length
    }
    return stages
  }

  private func name(_ stage: Night.Stage) -> StaticString {
    if stage == .awake { return "HKCategoryValueSleepAnalysisAwake" }
    if version == .version8 { return "HKCategoryValueSleepAnalysisAsleep" }
    return switch stage {
    case .deep: "HKCategoryValueSleepAnalysisAsleepDeep"
    case .rem: "HKCategoryValueSleepAnalysisAsleepREM"
    default: "HKCategoryValueSleepAnalysisAsleepCore"
    }
  }

  /// The records of the night that ends on a day.
  func sleep(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    let night = night(day)
    let stages = stages(day, night)
    let zone = timeline.clock(day).name
    for (interval, stage) in stages {
      records.append(
        RecordDraft(
          .watch, interval, .category(name(stage)), delay: night.rise - interval.upperBound
        )
        .with("HKTimeZone", zone))
    }
    for interval in night.phone {
      records.append(
        RecordDraft(.phone, interval, .category("HKCategoryValueSleepAnalysisInBed"))
          .with("HKTimeZone", zone))
    }
    if let inBed = night.appInBed, let asleep = night.appAsleep {
      let unspecified: StaticString =
        version == .version8
        ? "HKCategoryValueSleepAnalysisAsleep" : "HKCategoryValueSleepAnalysisAsleepUnspecified"
      records.append(
        RecordDraft(.nightly, inBed, .category("HKCategoryValueSleepAnalysisInBed"), delay: 300))
      records.append(RecordDraft(.nightly, asleep, .category(unspecified), delay: 300))
    }
    guard !stages.isEmpty || !night.phone.isEmpty || night.appInBed != nil else { return }
    let totals = totals(night, stages)
    ledger.on(night.rise) { $0.night = ($0.night ?? NightTotals()) + totals }
  }

  private func totals(
    _ night: Night, _ stages: [(interval: Range<Int>, stage: Night.Stage)]
  ) -> NightTotals {
    var totals = NightTotals()
    for (interval, stage) in stages {
      switch (stage, version) {
      case (.awake, _): totals.awake += interval.count
      case (_, .version8): totals.unspecified += interval.count
      case (.core, _): totals.core += interval.count
      case (.deep, _): totals.deep += interval.count
      case (.rem, _): totals.rem += interval.count
      }
    }
    let watch = stages.isEmpty ? 0..<0 : night.asleep..<night.wake
    if let app = night.appAsleep {
      totals.unspecifiedOutsideStages = app.count - app.meet(watch).count
      if stages.isEmpty { totals.unspecified += app.count }
    }
    totals.inBed = night.phone.reduce(0) { $0 + $1.count }
    if let app = night.appInBed {
      totals.inBed += app.count - night.phone.reduce(0) { $0 + $1.meet(app).count }
    }
    return totals
  }
}
