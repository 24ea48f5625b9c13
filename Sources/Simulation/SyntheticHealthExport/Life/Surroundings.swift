// SPDX-License-Identifier: Apache-2.0

/// Types that no day summary needs, and of which an export has many records.
extension Life {
  func effort(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.effort, day)
    for interval in worn(day).flatMap({ samples(of: $0, &random, 600...1200) }) {
      records.append(
        RecordDraft(.watch, interval, .quantity(random.number(10...64) * 100_000))
          .with("HKPhysicalEffortEstimationType", "1"))
    }
  }

  func audio(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.audio, day)
    let wake = night(day).wake
    for interval in worn(day).flatMap({ samples(of: $0, &random, 1500...1900) })
    where interval.lowerBound > wake {
      records.append(
        RecordDraft(.watch, interval, .quantity(random.number(42_000...81_000) * 1000)))
    }
  }

  func walkingSpeed(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    gait(day, 2_800_000...5_600_000, &records)
  }

  func stepLength(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    gait(day, units.american ? 22_000_000...31_000_000 : 56_000_000...79_000_000, &records)
  }

  func doubleSupport(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    gait(day, 265_000...318_000, &records)
  }

  private func gait(_ day: Int, _ range: ClosedRange<Int>, _ records: inout [RecordDraft]) {
    var random = random(.gait, day &* 4 &+ range.lowerBound)
    for phone in walks(day).compactMap(\.coverage.phone) {
      records.append(
        RecordDraft(
          .phone, phone.lowerBound + 20..<phone.lowerBound + 50,
          .quantity(random.number(range, step: 1000))))
    }
  }

  /// A type whose identifier is of another form, and that has no dates to speak of.
  func sleepGoal(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    guard day == timeline.first else { return }
    records.append(
      RecordDraft(.health, at: timeline.instant(day, 8 * 3600), .quantity(7_500_000)))
  }
}
