// SPDX-License-Identifier: Apache-2.0

import SyntheticHealthExport
import Testing

private typealias Options = SyntheticHealthExport.Options

/// Lives that differ in all that changes the truth.
private let lives: [Options] = {
  var plain = Options(size: .days(14), seed: 3)
  plain.offsets = .atCapture
  var american = Options(size: .days(16), seed: 4)
  american.units = .american
  american.faults.duplicateRecords = 0.02
  american.abroad = .init(
    timeZone: "Asia/Kolkata", first: .init(daysSince1970: 20_393),
    last: .init(daysSince1970: 20_400))
  var old = Options(size: .days(14), seed: 5)
  old.version = .version8
  old.timeZone = "Europe/Berlin"
  old.lastDay = .init(daysSince1970: 20_180)
  return [plain, american, old]
}()

/// Each is written and scanned once.
private let written = lives.map { life in
  Result {
    let (truth, bytes) = try ExportScan.write(life)
    return (truth, ExportScan(bytes))
  }
}

@Suite struct `The truth of an export` {
  @Test(arguments: lives.indices) func `has the counts of the document`(_ life: Int) throws {
    let (truth, scan) = try written[life].get()

    #expect(truth.elements == scan.elements)
    #expect(truth.topLevelRecords == scan.records.values.reduce(0) { $0 + $1.count })
    #expect(Set(truth.types.map(\.identifier)) == Set(scan.records.keys))
    for type in truth.types {
      let found = scan.records[type.identifier] ?? []
      #expect(type.count == found.count, "\(type.identifier)")
      #expect(type.distinct == Set(found).count, "\(type.identifier)")
      #expect(found.map(\.start) == found.map(\.start).sorted(), "\(type.identifier)")
      #expect(found.allSatisfy { $0.start <= $0.end }, "\(type.identifier)")
      let values = Set(found).compactMap { $0.value.flatMap(Double.init) }
      #expect(abs(type.sum - values.reduce(0, +)) < 0.001, "\(type.identifier)")
    }
  }

  /// Second by second, from the finished samples: another way than the one that made the truth.
  @Test(arguments: lives.indices) func `gives each second to the best source`(_ life: Int) throws {
    let (truth, scan) = try written[life].get()
    let unit = lives[life].units == .american ? 1609.344 : 1000
    let figures:
      [(String, Double, KeyPath<SyntheticHealthExport.DayTruth, SyntheticHealthExport.Sums?>)] = [
        ("StepCount", 1, \.steps), ("DistanceWalkingRunning", unit, \.meters),
        ("FlightsClimbed", 1, \.flights), ("ActiveEnergyBurned", 1, \.activeEnergy),
      ]

    for (name, factor, path) in figures {
      let records = Set(scan.records["HKQuantityTypeIdentifier" + name] ?? [])
      for day in truth.grids.flatMap(\.days) {
        let found = merge(records, day.start..<day.end)
        let expected = day[keyPath: path]
        #expect(abs(found.naive * factor - (expected?.naive ?? 0)) < 0.01, "\(name) \(day.date)")
        #expect(abs(found.merged * factor - (expected?.merged ?? 0)) < 0.01, "\(name) \(day.date)")
      }
    }
    #expect(truth.grids[0].days.contains { ($0.steps?.naive ?? 0) > ($0.steps?.merged ?? 0) })
  }

  private func merge(
    _ records: Set<FoundRecord>, _ day: Range<Int>
  ) -> (naive: Double, merged: Double) {
    let near = records.filter { $0.start < day.upperBound && $0.end >= day.lowerBound }
    var (naive, merged) = (0.0, 0.0)
    for record in near {
      guard let value = record.value.flatMap(Double.init) else { continue }
      guard record.end > record.start else {
        if day.contains(record.start) { (naive, merged) = (naive + value, merged + value) }
        continue
      }
      let seconds = day.clamped(to: record.start..<record.end)
      let better = record.rank == 0 ? [] : near.filter { $0.rank < record.rank }
      var isFree = [Bool](repeating: true, count: seconds.count)
      for other in better {
        for second in seconds.clamped(to: other.start..<other.end) {
          isFree[second - seconds.lowerBound] = false
        }
      }
      naive += value * Double(seconds.count) / Double(record.end - record.start)
      merged += value * Double(isFree.count { $0 }) / Double(record.end - record.start)
    }
    return (naive, merged)
  }

  @Test(arguments: lives.indices) func `has the minutes, hours and heart rates of the records`(
    _ life: Int
  ) throws {
    let (truth, scan) = try written[life].get()
    func records(_ name: String, _ day: SyntheticHealthExport.DayTruth) -> [FoundRecord] {
      Set(scan.records[name] ?? []).filter { $0.start < day.end && $0.end >= day.start }
    }

    for day in truth.grids.flatMap(\.days) {
      let interval = day.start..<day.end
      let exercise = records("HKQuantityTypeIdentifierAppleExerciseTime", day)
        .reduce(0) { $0 + interval.clamped(to: $1.start..<$1.end).count }
      #expect(abs(Double(exercise) / 60 - (day.exerciseMinutes ?? 0)) < 0.001, "\(day.date)")

      let mindful = records("HKCategoryTypeIdentifierMindfulSession", day)
        .flatMap { interval.clamped(to: $0.start..<$0.end) }
      #expect(
        abs(Double(Set(mindful).count) / 60 - (day.mindfulMinutes ?? 0)) < 0.001, "\(day.date)")

      let hours = records("HKCategoryTypeIdentifierAppleStandHour", day)
        .filter { interval.contains($0.start) }
      let stood = hours.count { $0.value == "HKCategoryValueAppleStandHourStood" }
      #expect(stood == day.stoodHours ?? 0, "\(day.date)")
      #expect(hours.count - stood == day.idleHours ?? 0, "\(day.date)")

      let rates = records("HKQuantityTypeIdentifierHeartRate", day)
        .filter { interval.contains($0.start) }.compactMap { $0.value.flatMap(Int.init) }
      #expect(rates.count == day.heartRate?.count ?? 0, "\(day.date)")
      #expect(rates.min() == day.heartRate?.minimum, "\(day.date)")
      #expect(rates.max() == day.heartRate?.maximum, "\(day.date)")
    }
  }

  @Test(arguments: lives.indices) func `counts each second of a night once`(_ life: Int) throws {
    let (truth, scan) = try written[life].get()
    let sleep = scan.records["HKCategoryTypeIdentifierSleepAnalysis"] ?? []
    let prefix = "HKCategoryValueSleepAnalysis"
    func seconds(_ values: [String], watchOnly: Bool) -> Int {
      let chosen = sleep.filter { record in
        values.contains { record.value == prefix + $0 } && (!watchOnly || record.rank == 0)
      }
      return Set(chosen.flatMap { $0.start..<$0.end }).count
    }
    let nights = truth.grids[0].days.compactMap(\.sleep)

    #expect(nights.reduce(0) { $0 + $1.core } == seconds(["AsleepCore"], watchOnly: true))
    #expect(nights.reduce(0) { $0 + $1.deep } == seconds(["AsleepDeep"], watchOnly: true))
    #expect(nights.reduce(0) { $0 + $1.rem } == seconds(["AsleepREM"], watchOnly: true))
    #expect(nights.reduce(0) { $0 + $1.awake } == seconds(["Awake"], watchOnly: true))
    #expect(nights.reduce(0) { $0 + $1.inBed } == seconds(["InBed"], watchOnly: false))
    #expect(nights.contains { $0.asleep > 4 * 3600 })
    #expect(nights.contains { $0.unspecifiedOutsideStages > 0 })
  }

  @Test func `has days of 23 and 25 hours`() throws {
    // The clocks of New York change on 9 March and on 2 November 2025.
    for (last, date, length) in [(20_160, "2025-03-09", 23), (20_407, "2025-11-02", 25)] {
      var options = Options(size: .days(15), seed: 2)
      options.lastDay = .init(daysSince1970: last)
      let days = try ExportScan.write(options).0.grids[0].days
      let day = try #require(days.first { $0.date.description == date })
      #expect(day.end - day.start == length * 3600)
      #expect(days.count { $0.end - $0.start != 86_400 } == 1)
      #expect((day.stoodHours ?? 0) + (day.idleHours ?? 0) <= length)
    }
  }

  @Test func `has all hours of a long day on which the watch was not taken off`() throws {
    let counts = try (UInt64(0)..<12).map { seed in
      let days = try ExportScan.write(Options(size: .days(14), seed: seed)).0.grids[0].days
      let day = try #require(days.first { $0.date.description == "2025-11-02" })
      return (day.stoodHours ?? 0) + (day.idleHours ?? 0)
    }
    #expect(counts.max() == 25)
  }

  @Test func `has days of the place, too, after a stay abroad`() throws {
    let truth = try written[1].get().0
    #expect(truth.grids.map(\.name) == ["home", "local"])
    // New York is 9.5 hours behind India in summer, 10.5 in winter.
    let lengths = truth.grids[1].days.map { $0.end - $0.start }.filter { $0 != 86_400 }
    #expect(lengths == [52_200, 124_200])
  }
}
