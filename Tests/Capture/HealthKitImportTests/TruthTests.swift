// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import Foundation
import HealthKit
import HealthKitImport
import SyntheticHealthExport
import TestSupport
import Testing

extension SyntheticHealthExport.Options {
  /// Twenty days around a change of clocks.
  static func days(
    _ version: DocumentVersion = .version14, _ offsets: OffsetKind = .atExport, zone: String,
    lastDay: Int, faults: Faults = Faults(), name: String = "export.xml"
  ) -> Self {
    var options = Self(size: .days(20), seed: 7)
    options.version = version
    options.offsets = offsets
    options.timeZone = zone
    options.lastDay = SyntheticHealthExport.Day(daysSince1970: lastDay)
    options.faults = faults
    options.documentName = name
    return options
  }
}

@Suite struct `An imported export` {
  /// 2 November 2025 in New York has 25 hours, 30 March 2025 in Rome 23.
  static let variants: [SyntheticHealthExport.Options] = {
    var broken = SyntheticHealthExport.Options.Faults()
    broken.controlCharacter = true
    broken.duplicateAttribute = true
    broken.duplicateRecords = 0.02
    return [
      .days(zone: "America/New_York", lastDay: 20_400),
      .days(.version14, .atCapture, zone: "Europe/Rome", lastDay: 20_183),
      .days(.version8, .atCapture, zone: "America/New_York", lastDay: 20_400),
      .days(.version12, zone: "Europe/Rome", lastDay: 20_183, faults: broken, name: "导出.xml"),
      .days(.undeclared, zone: "Asia/Kolkata", lastDay: 20_400, faults: broken),
    ]
  }()

  @Test(arguments: variants) func `has all that the document has`(
    _ options: SyntheticHealthExport.Options
  ) throws {
    let fixture = try ImportFixture(options)
    let report = try fixture.run()
    #expect(report.isComplete)
    #expect(report.refused.isEmpty)
    #expect(report.problems.count == 0)
    #expect(report.known == 0)
    #expect(report.workouts == fixture.truth.workouts.count)
    let found = Dictionary(
      uniqueKeysWithValues: try fixture.system.sync { try $0.contents() }.map {
        ($0.type, $0.count)
      })
    for type in fixture.truth.types {
      #expect(found[type.identifier] == type.count, "\(type.identifier)")
    }
    #expect(report.notImported["files of electrocardiograms"] == 2)
  }

  @Test(arguments: variants) func `has the days' sums of the truth, phone and watch merged`(
    _ options: SyntheticHealthExport.Options
  ) async throws {
    let fixture = try ImportFixture(options)
    try fixture.run()
    let store = try await fixture.store()
    let grid = try #require(fixture.truth.grids.first)
    let steps = try await sums(.stepCount, .count(), grid, options.timeZone, store)
    let meters = try await sums(.distanceWalkingRunning, .meter(), grid, options.timeZone, store)
    let flights = try await sums(.flightsClimbed, .count(), grid, options.timeZone, store)
    let energy = try await sums(.activeEnergyBurned, .kilocalorie(), grid, options.timeZone, store)
    for day in grid.days {
      #expect(isNear(steps[day.start], day.steps?.merged), "steps of \(day.date)")
      #expect(isNear(meters[day.start], day.meters?.merged), "meters of \(day.date)")
      #expect(isNear(flights[day.start], day.flights?.merged), "flights of \(day.date)")
      #expect(isNear(energy[day.start], day.activeEnergy?.merged), "energy of \(day.date)")
    }
    #expect(
      grid.days.contains { $0.end - $0.start != 86_400 } == (options.timeZone != "Asia/Kolkata"))
    #expect(steps.count == grid.days.filter { $0.steps != nil }.count)
  }

  private func isNear(_ value: Double?, _ truth: Double?) -> Bool {
    guard let value, let truth else { return value == nil && truth == nil }
    return abs(value - truth) <= max(0.01, abs(truth) * 1e-6)
  }

  /// The sums of the days by their starts, as seconds since 2001.
  private func sums(
    _ identifier: HKQuantityTypeIdentifier, _ unit: HKUnit, _ grid: SyntheticHealthExport.Grid,
    _ zone: String, _ store: HKHealthStore
  ) async throws -> [Int: Double] {
    var day = DateComponents(day: 1)
    day.calendar = Calendar(identifier: .gregorian)
    day.timeZone = TimeZone(identifier: zone)
    let start = try #require(grid.days.first?.start)
    let collection = try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: HKQuantityType(identifier)), options: .cumulativeSum,
      anchorDate: Date(timeIntervalSince1970: Double(start)), intervalComponents: day
    ).result(for: store)
    var sums: [Int: Double] = [:]
    for statistics in collection.statistics() {
      sums[Int(statistics.startDate.timeIntervalSince1970)] =
        statistics.sumQuantity()?.doubleValue(for: unit)
    }
    return sums
  }

  @Test func `keeps both values of each blood pressure together`() async throws {
    let fixture = try ImportFixture(.days(zone: "Europe/Rome", lastDay: 20_183))
    try fixture.run()
    let store = try await fixture.store()
    let found = try await HKSampleQueryDescriptor(
      predicates: [.correlation(type: HKCorrelationType(.bloodPressure))],
      sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
    #expect(found.count == fixture.truth.bloodPressures.count)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.objects.count == 2 })
    let alone = HKQuery.predicateForObjectsWithNoCorrelation()
    let single = try await HKSampleQueryDescriptor(
      predicates: [
        .quantitySample(type: HKQuantityType(.bloodPressureSystolic), predicate: alone)
      ], sortDescriptors: []
    ).result(for: store)
    #expect(single.isEmpty)
  }

  @Test func `has the workouts with their figures`() async throws {
    let fixture = try ImportFixture(.days(zone: "Europe/Rome", lastDay: 20_183))
    try fixture.run()
    let found = try await HKSampleQueryDescriptor(
      predicates: [.workout()], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: try await fixture.store())
    let truth = fixture.truth.workouts.sorted { $0.start < $1.start }
    #expect(found.map { Int($0.startDate.timeIntervalSince1970) } == truth.map(\.start))
    for (workout, truth) in zip(found, truth) {
      #expect(isNear(workout.duration, Double(truth.durationSeconds)))
      #expect(isNear(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()), truth.energy))
      #expect(isNear(workout.totalDistance?.doubleValue(for: .meter()), truth.meters))
      let rate = workout.statistics(for: HKQuantityType(.heartRate))
      #expect(
        isNear(
          rate?.averageQuantity()?.doubleValue(for: HKUnit(from: "count/min")),
          truth.averageHeartRate))
      #expect((workout.workoutEvents?.contains { $0.type == .pause } ?? false) == truth.hasPause)
    }
  }
}

@Suite struct `An import` {
  private static let options = SyntheticHealthExport.Options.days(
    zone: "Europe/Rome", lastDay: 20_183)

  @Test func `of the same file adds nothing`() throws {
    let fixture = try ImportFixture(Self.options)
    let first = try fixture.run()
    let content = try fixture.content()
    fixture.reopen()
    let second = try fixture.run()
    #expect(second.added == 0)
    #expect(second.known == first.added)
    #expect(try fixture.content() == content)
  }

  @Test func `of a later export adds what is new`() throws {
    let early = try ImportFixture(Self.options)
    try early.run()
    // The same life a week later: the seed makes the same days.
    var options = Self.options
    options.lastDay = SyntheticHealthExport.Day(daysSince1970: 20_190)
    options.size = .days(27)
    let late = try ImportFixture(options)
    let alone = try late.run()
    let report = try HealthImport.run(late.exportPath, into: early.system) { _ in }
    #expect(report.known + report.added == alone.added)
    #expect(report.known > 0)
    early.reopen()
    let (both, only) = (try early.content(), try late.content())
    #expect(Set(both).count == both.count)
    #expect(Set(both).isSuperset(of: only))
  }

  @Test(arguments: [0.02, 0.3, 0.7, 0.999])
  func `that was killed continues, nothing lost and nothing twice`(_ part: Double) throws {
    var options = Self.options
    options.faults.duplicateRecords = 0.05
    let fixture = try ImportFixture(options)
    let whole = try ImportFixture(options)
    try whole.run()
    let end = Int(Double(fixture.document.count) * part)
    // Nothing of this process is used again: the next one has the file alone.
    _ = try fixture.feed(70_001, upTo: end, into: fixture.system)
    fixture.reopen()
    let second = try fixture.feed(50_021, into: fixture.system)
    #expect(second.offset > 0)
    let report = try second.finish()
    #expect(report.isComplete)
    #expect(try fixture.content() == whole.content())
  }

  @Test func `of a document that was cut takes what is there and says so`() throws {
    var options = Self.options
    options.faults.cut = 0.6
    let fixture = try ImportFixture(options)
    let report = try fixture.run()
    #expect(!report.isComplete)
    #expect(report.problems.count > 0)
    #expect(report.added > 1000)
  }

  /// A document of steps or meters at some hours.
  private func document(
    _ type: String, _ unit: String, _ values: [(hour: Int, value: String)], born: String = "",
    exported: String = "2025-03-05"
  ) -> String {
    let records = values.map { hour, value in
      """
      <Record type="HKQuantityTypeIdentifier\(type)" sourceName="Watch" unit="\(unit)" \
      startDate="2025-03-04 0\(hour):00:00 +0000" endDate="2025-03-04 0\(hour):10:00 +0000" \
      value="\(value)"/>
      """
    }
    return """
      <HealthData locale="en_US"><ExportDate value="\(exported) 10:00:00 +0000"/>
      <Me HKCharacteristicTypeIdentifierDateOfBirth="\(born)"/>
      <ActivitySummary dateComponents="2025-03-04" activeEnergyBurned="\(exported.suffix(2))" \
      activeEnergyBurnedUnit="kcal"/>
      \(records.joined(separator: "\n"))</HealthData>
      """
  }

  private func run(_ text: String, _ folder: TemporaryFolder) throws -> ImportReport {
    let path = folder.path("export.xml")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return try HealthImport.run(path, into: HealthSystem(path: folder.path("health.sqlite"))) { _ in
    }
  }

  @Test(arguments: [[5, 3, 5], [5, 7, 5], [3, 5, 5], [5, 5, 3]])
  func `finds what an unsorted document repeats`(_ hours: [Int]) throws {
    let folder = try TemporaryFolder()
    let text = document("StepCount", "count", hours.map { ($0, "100") })
    let first = try run(text, folder)
    #expect((first.added, first.known, first.copies) == (3, 0, 1))
    let second = try run(text, folder)
    #expect((second.added, second.known, second.copies) == (0, 3, 0))
  }

  @Test(arguments: [16, 17, 40])
  func `knows many samples of one time again`(_ count: Int) throws {
    let folder = try TemporaryFolder()
    let values = (1...count).map { (hour: 3, value: "\($0)") }
    let first = try run(document("StepCount", "count", values + values), folder)
    #expect((first.added, first.known, first.copies) == (2 * count, 0, count))
    let second = try run(document("StepCount", "count", values + values), folder)
    #expect((second.added, second.known, second.copies) == (0, 2 * count, 0))
    let third = try run(document("StepCount", "count", values + values + values), folder)
    #expect((third.added, third.known, third.copies) == (count, 2 * count, count))
  }

  @Test func `takes as long for each of many sources as for each of a few`() throws {
    // A search through all sources for each one would take eight times as long for each.
    let (few, many) = (try secondsOfImport(sources: 500), try secondsOfImport(sources: 4000))
    #expect(many / few < 24)
  }

  /// Processor seconds of this thread, on which an import works.
  private func secondsOfImport(sources: Int) throws -> Double {
    let one = document("StepCount", "count", [(3, "1")])
    let record = try #require(one.split(separator: "\n").first { $0.hasPrefix("<Record") })
      .replacing("</HealthData>", with: "")
    let records = (0..<sources).map { record.replacing("Watch", with: "Watch \($0)") }
    let text = one.replacing(record, with: records.joined(separator: "\n"))
    let folder = try TemporaryFolder()
    let begin = processorSeconds()
    #expect(try run(text, folder).added == sources)
    return processorSeconds() - begin
  }

  private func processorSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `knows a sample in another unit`() throws {
    let folder = try TemporaryFolder()
    _ = try run(document("DistanceWalkingRunning", "km", [(3, "1"), (4, "0.5")]), folder)
    let later = try run(
      document("DistanceWalkingRunning", "mi", [(3, "0.621371"), (4, "0.310686"), (5, "1")]), folder
    )
    #expect((later.added, later.known) == (1, 2))
  }

  @Test func `refuses a unit of something else`() throws {
    let report = try run(document("HeartRate", "kg", [(3, "70")]), try TemporaryFolder())
    #expect(report.added == 0)
    #expect(report.refused.values.reduce(0, +) == 1)
  }

  @Test func `of another person is refused`() throws {
    let folder = try TemporaryFolder()
    _ = try run(document("StepCount", "count", [(3, "1")], born: "1970-01-01"), folder)
    #expect(throws: ImportError.anotherPerson) {
      try run(document("StepCount", "count", [(4, "1")], born: "1980-01-01"), folder)
    }
    let system = HealthSystem(path: folder.path("health.sqlite"))
    #expect(try system.sync { try $0.contents().first?.count } == 1)
  }

  @Test func `of an older export leaves later days as they are`() async throws {
    let folder = try TemporaryFolder()
    _ = try run(document("StepCount", "count", [(3, "1")], exported: "2025-03-09"), folder)
    let older = try run(document("StepCount", "count", [(4, "1")], exported: "2025-03-05"), folder)
    #expect(older.added == 1)
    let store = HKHealthStore(system: HealthSystem(path: folder.path("health.sqlite")))
    try await store.requestAuthorization(toShare: [], read: [HKObjectType.activitySummaryType()])
    let energy: Double? = await withCheckedContinuation { continuation in
      store.execute(
        HKActivitySummaryQuery(predicate: nil) { _, summaries, _ in
          continuation.resume(
            returning: summaries?.first?.activeEnergyBurned.doubleValue(for: .kilocalorie()))
        })
    }
    #expect(energy == 9)
  }

  @Test func `waits for no other one`() throws {
    let fixture = try ImportFixture(Self.options)
    let first = try fixture.feed(70_001, upTo: 200_000, into: fixture.system)
    let other = HealthSystem(path: fixture.folder.path("health.sqlite"))
    #expect(throws: ImportError.underWay) {
      try HealthImport.run(fixture.exportPath, into: other) { _ in }
    }
    withExtendedLifetime(first) {}
  }

  @Test func `of something else is refused`() throws {
    let fixture = try ImportFixture(Self.options)
    let path = fixture.folder.path("page.xml")
    try Data("<html><body/></html>".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: (any Error).self) { try HealthImport.run(path, into: fixture.system) { _ in } }
    #expect(try fixture.system.sync { try $0.isEmpty() })
  }

  @Test func `tells observers of the types that it has added`() async throws {
    let fixture = try ImportFixture(Self.options)
    let phone = SimulatedPhoneStore(fixture.folder.url.appendingPathComponent("health.sqlite"))
    let store = try await phone.store(reading: HKQuantityType(.heartRate))
    var results = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(.heartRate))], anchor: nil
    ).results(for: store).makeAsyncIterator()
    #expect(try await results.next()?.addedSamples.isEmpty == true)
    _ = try HealthImport.run(fixture.exportPath, into: phone.system) { _ in }
    #expect(try await results.next()?.addedSamples.isEmpty == false)
  }
}

/// A store that is imported into while it is observed.
private struct SimulatedPhoneStore {
  let system: HealthSystem

  init(_ file: URL) { system = HealthSystem(path: file.path) }

  func store(reading type: HKObjectType) async throws -> HKHealthStore {
    let store = HKHealthStore(system: system)
    try await store.requestAuthorization(toShare: [], read: [type])
    return store
  }
}
