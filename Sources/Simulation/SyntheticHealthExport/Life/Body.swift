// SPDX-License-Identifier: Apache-2.0

extension Life {
  // MARK: - Body

  /// When one stands on the scale.
  private func weighing(_ day: Int) -> Int? {
    var random = random(.body, day)
    guard random.chance(55), !active(day).isEmpty else { return nil }
    return night(day).rise + random.number(120...900)
  }

  private func body(
    _ day: Int, _ range: ClosedRange<Int>, step: Int, _ records: inout [RecordDraft]
  ) {
    guard let time = weighing(day) else { return }
    var random = random(.body, day &* 100 &+ range.count % 97)
    var record = RecordDraft(
      .scale, at: time, .quantity(random.number(range, step: step)), delay: 147)
    if hasControlCharacter, day % 7 == 0 { record = record.with("Scale Model", "S\u{0b}1") }
    records.append(record)
  }

  func mass(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    body(
      day, units.american ? 158_000_000...162_500_000 : 71_500_000...73_700_000, step: 50_000,
      &records)
  }

  func massIndex(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    body(day, 22_000_000...22_800_000, step: 100, &records)
  }

  func fat(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    body(day, 198_000...214_000, step: 1000, &records)
  }

  func leanMass(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    body(
      day, units.american ? 125_000_000...128_000_000 : 56_800_000...58_100_000, step: 10_000,
      &records)
  }

  func height(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    guard day % 60 == 0 || day == timeline.first else { return }
    records.append(
      RecordDraft(
        .health, at: timeline.instant(day, 12 * 3600 + 600),
        .quantity(units.american ? 71_000_000 : 180_000_000), delay: 35
      ).with("HKWasUserEntered", "1"))
  }

  func temperature(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.temperature, day)
    guard random.chance(15), !active(day).isEmpty else { return }
    records.append(
      RecordDraft(
        .health, at: night(day).rise + 1500,
        .quantity(random.number(units.american ? 973...1004 : 363...380) * 100_000), delay: 71
      ).with("HKWasUserEntered", "1"))
  }

  // MARK: - Blood

  struct Pressure {
    var time: Int
    var systolic: Int
    var diastolic: Int
    var source: Source
  }

  /// The measurements of blood pressure of a day.
  func pressures(_ day: Int) -> [Pressure] {
    var random = random(.pressure, day)
    guard random.chance(60), !active(day).isEmpty else { return [] }
    let morning = night(day).rise + random.number(300...1100)
    return (0...random.number(0...2)).map { index in
      Pressure(
        time: morning + index * random.number(60...90), systolic: random.number(108...148),
        diastolic: random.number(66...94), source: random.chance(20) ? .health : .cuff)
    }
  }

  func draft(_ pressure: Pressure, _ value: Int) -> RecordDraft {
    let record = RecordDraft(
      pressure.source, at: pressure.time, .quantity(value * 1_000_000), delay: 25)
    return pressure.source == .health ? record.with("HKWasUserEntered", "1") : record
  }

  func systolic(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    records += pressures(day).map { draft($0, $0.systolic) }
  }

  func diastolic(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    records += pressures(day).map { draft($0, $0.diastolic) }
  }

  func glucose(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.glucose, day)
    let hours = active(day)
    var time = hours.lowerBound - random.number(100...900)
    while time < hours.upperBound {
      let value = random.number(units.american ? 82...164 : 455...911)
      let source = random.chance(60) ? Source.health : .glucose
      let record = RecordDraft(
        source, at: time, .quantity(units.american ? value * 1_000_000 : value * 10_000), delay: 31)
      records.append(
        (source == .health ? record.with("HKWasUserEntered", "1") : record)
          .with("HKBloodGlucoseMealTime", "\(random.number(1...2))"))
      time += random.number(12_000...19_000)
    }
  }
}
