// SPDX-License-Identifier: Apache-2.0

extension Ledger {
  /// The days in their public form.
  func truth(_ units: UnitNames, _ days: ClosedRange<Int>) -> [SyntheticHealthExport.Grid] {
    grids.map { grid in
      SyntheticHealthExport.Grid(
        name: grid.grid.name,
        days: grid.days.indices.compactMap { index in
          let number = grid.grid.first + index
          let day = grid.days[index].truth(number, grid.grid.interval(index), units)
          return days.contains(number) || !day.isEmpty ? day : nil
        })
    }
  }
}

extension SyntheticHealthExport.DayTruth {
  fileprivate var isEmpty: Bool {
    steps == nil && meters == nil && flights == nil && activeEnergy == nil
      && exerciseMinutes == nil && stoodHours == nil && mindfulMinutes == nil && heartRate == nil
      && sleep == nil
  }
}

extension DayTotals {
  fileprivate func truth(
    _ number: Int, _ interval: Range<Int>, _ units: UnitNames
  ) -> SyntheticHealthExport.DayTruth {
    let isStanding = stood + idle > 0
    return SyntheticHealthExport.DayTruth(
      date: SyntheticHealthExport.Day(daysSince1970: number), start: interval.lowerBound,
      end: interval.upperBound, steps: steps.truth(1, per: 10),
      meters: distance.truth(units.meters, per: 1_000_000), flights: flights.truth(1, per: 1000),
      activeEnergy: energy.truth(1, per: 1_000_000),
      exerciseMinutes: exerciseSeconds == 0 ? nil : Double(exerciseSeconds) / 60,
      stoodHours: isStanding ? stood : nil, idleHours: isStanding ? idle : nil,
      mindfulMinutes: mindfulSeconds == 0 ? nil : Double(mindfulSeconds) / 60,
      heartRate: heartRate, sleep: night?.truth)
  }

  private var heartRate: SyntheticHealthExport.HeartRate? {
    guard heartCount > 0 else { return nil }
    return SyntheticHealthExport.HeartRate(
      count: heartCount, minimum: heartMinimum, maximum: heartMaximum,
      average: Double(heartSum) / Double(heartCount))
  }
}

extension DayTotals.Sum {
  fileprivate func truth(_ factor: Double, per count: Double) -> SyntheticHealthExport.Sums? {
    guard naive > 0 else { return nil }
    return SyntheticHealthExport.Sums(
      naive: Double(naive) * factor / count, merged: Double(merged) * factor / count)
  }
}

extension NightTotals {
  fileprivate var truth: SyntheticHealthExport.Sleep {
    SyntheticHealthExport.Sleep(
      awake: awake, core: core, deep: deep, rem: rem, unspecified: unspecified,
      unspecifiedOutsideStages: unspecifiedOutsideStages, inBed: inBed)
  }
}
