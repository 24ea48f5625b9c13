// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import Spezi
@_spi(APISupport) import SpeziHealthKit
import SpeziHealthKitBulkExport
import SpeziTesting

// A watch, a phone and another app save samples; the app asks for them through the library.

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let phone = SimulatedPhone(store: folder.appendingPathComponent("health.sqlite"))
let watch = SimulatedPhone.source(
  named: "Watch", bundleIdentifier: "com.apple.health.1", productType: "Watch6,2")
let pocket = SimulatedPhone.source(
  named: "Phone", bundleIdentifier: "com.apple.health.2", productType: "iPhone14,5")
let other = SimulatedPhone.source(named: "Other", bundleIdentifier: "org.example.other")
let beats = HKUnit(from: "count/min")

/// The start of a day in the past.
let morning = Calendar.current.startOfDay(for: Date(timeIntervalSinceReferenceDate: 762_000_000))

func sample(
  _ type: SampleType<HKQuantitySample>, _ value: Double, _ unit: HKUnit, _ start: Date,
  lasting duration: TimeInterval = 0
) -> HKQuantitySample {
  HKQuantitySample(
    type: type.hkSampleType, quantity: HKQuantity(unit: unit, doubleValue: value), start: start,
    end: start + duration)
}

func sleep(
  _ phase: HKCategoryValueSleepAnalysis, _ start: Double, _ end: Double
) -> HKCategorySample {
  HKCategorySample(
    type: SampleType.sleepAnalysis.hkSampleType, value: phase.rawValue,
    start: morning + start * 3600, end: morning + end * 3600)
}

@MainActor
func step(_ name: String, _ body: () async throws -> Void) async throws {
  do {
    try await body()
  } catch {
    throw Failure(description: "step \(name): \(error)")
  }
  print("step \(name) ok")
}

@MainActor
func run() async throws {
  phone.installAsDefault()
  var person = SimulatedPhone.Person()
  person.biologicalSex = .female
  person.bloodType = .abNegative
  person.dateOfBirth = DateComponents(year: 1970, month: 5, day: 17)
  try phone.enter(person)

  let journal = Journal()
  let exporter = BulkHealthExporter()
  let healthKit = HealthKit {
    CollectSamples(.heartRate, continueInBackground: true)
    CollectSamples(.bodyMass)
    RequestReadAccess(
      quantity: [.stepCount, .height], category: [.sleepAnalysis], correlation: [.bloodPressure],
      characteristic: [
        HealthKitCharacteristic.biologicalSex, HealthKitCharacteristic.bloodType,
        HealthKitCharacteristic.dateOfBirthComponents,
      ])
    RequestWriteAccess(quantity: [.height])
  }
  withDependencyResolution(standard: journal) {
    healthKit
    exporter
  }
  let all = HealthKitQueryTimeRange(morning..<morning + 86_400)

  try await step("convert") {
    let (pairs, differing) = compareUnits()
    try expect("pairs", pairs > 100, true)
    try expect("differing", differing, [])
  }

  try await step("permission") {
    await healthKit.waitForConfigurationDone()
    try expect("asked before", await healthKit.didAskForAuthorization(toRead: .stepCount), false)
    try expect("authorized before", healthKit.isFullyAuthorized, false)
    try await healthKit.askForAuthorization()
    try expect("asked", await healthKit.didAskForAuthorization(toRead: .bloodPressure), true)
    try expect("may write", healthKit.isAuthorized(toWrite: .height), true)
    try expect("may write", healthKit.isAuthorized(toWrite: .stepCount), false)
    try expect("authorized", healthKit.isFullyAuthorized, true)
    let sex: HealthKitCharacteristic<HKBiologicalSex> = .biologicalSex
    let blood: HealthKitCharacteristic<HKBloodType> = .bloodType
    let birth: HealthKitCharacteristic<DateComponents> = .dateOfBirthComponents
    try expect("sex", sex.value(in: healthKit.healthStore), .female)
    try expect("blood", blood.value(in: healthKit.healthStore), .abNegative)
    try expect("year", birth.value(in: healthKit.healthStore).year, 1970)
  }

  try await step("samples") {
    for index in 0..<10 {
      try phone.save(
        [sample(.heartRate, Double(60 + index), beats, morning + Double(index) * 60)],
        from: index < 6 ? watch : other)
    }
    func values(_ samples: [HKQuantitySample]) -> [Double] {
      samples.map { $0.quantity.doubleValue(for: beats) }
    }
    let read = try await healthKit.query(.heartRate, timeRange: all)
    try expect("all", values(read), (60..<70).map(Double.init))
    try expect("type", read.allSatisfy { $0.is(.heartRate) && !$0.is(.stepCount) }, true)
    let last = try await healthKit.query(
      .heartRate, timeRange: all, limit: 3, sortedBy: [SortDescriptor(\.startDate, order: .reverse)]
    )
    try expect("last", values(last), [69, 68, 67])
    let between = HealthKitQueryTimeRange(morning + 60..<morning + 180)
    try expect(
      "between", values(try await healthKit.query(.heartRate, timeRange: between)), [61, 62])
    let named = try await healthKit.query(.heartRate, timeRange: all, source: .named("Other"))
    try expect("named", values(named), [66, 67, 68, 69])
    let devices = try await healthKit.query(
      .heartRate, timeRange: all, source: .bundleId(beginsWith: "COM.apple.health"),
      predicate: HKQuery.predicateForQuantitySamples(
        with: .greaterThan, quantity: HKQuantity(unit: beats, doubleValue: 63)))
    try expect("devices", values(devices), [64, 65])
    try await healthKit.healthStore.save(sample(.height, 1.8, .meter(), morning))
    let own = try await healthKit.query(.height, timeRange: .ever, source: .currentApp)
    try expect("own", own.map { $0.quantity.doubleValue(for: .meter()) }, [1.8])
    try expect("oldest", try await healthKit.oldestSampleDate(for: .heartRate), morning)
  }

  try await step("correlation") {
    let parts = [
      sample(.bloodPressureSystolic, 120, .millimeterOfMercury(), morning),
      sample(.bloodPressureDiastolic, 80, .millimeterOfMercury(), morning),
    ]
    try phone.save(
      [
        HKCorrelation(
          type: SampleType.bloodPressure.hkSampleType, start: morning, end: morning,
          objects: Set(parts))
      ], from: other)
    let read = try await healthKit.query(.bloodPressure, timeRange: all)
    let values = SampleType.bloodPressure.associatedQuantityTypes.flatMap { type in
      read.flatMap { $0.objects(for: type.hkSampleType) }.compactMap { $0 as? HKQuantitySample }
        .map { $0.quantity.doubleValue(for: type.displayUnit) }
    }
    try expect("pressures", values.sorted(), [80, 120])
  }

  try await step("statistics") {
    try phone.save([sample(.stepCount, 100, .count(), morning, lasting: 600)], from: watch)
    try phone.save(
      [
        sample(.stepCount, 120, .count(), morning, lasting: 600),
        sample(.stepCount, 60, .count(), morning + 3600, lasting: 600),
      ], from: pocket)
    func sums(_ statistics: [HKStatistics]) -> [Double?] {
      statistics.map { $0.sumQuantity()?.doubleValue(for: .count()) }
    }
    // Where both count, the watch does.
    let hours = try await healthKit.statisticsQuery(
      .stepCount, aggregatedBy: [.sum], over: .hour, timeRange: all)
    try expect("sums", sums(hours), [100, 60])
    try expect("hours", hours.map(\.startDate), [morning, morning + 3600])
    try expect(
      "most recent", hours.map { $0.mostRecentQuantity()?.doubleValue(for: .count()) != nil },
      [true, true])
    let ofPhone = try await healthKit.statisticsQuery(
      .stepCount, aggregatedBy: [.sum], over: .day, timeRange: all, source: .named("Phone"))
    try expect("sum of the phone", sums(ofPhone), [180])
    let rates = try await healthKit.statisticsQuery(
      .heartRate, aggregatedBy: [.average, .min, .max], over: .day, timeRange: all)
    try expect("average", rates.map { $0.averageQuantity()?.doubleValue(for: beats) }, [64.5])
    try expect("minimum", rates.map { $0.minimumQuantity()?.doubleValue(for: beats) }, [60])
    try expect("maximum", rates.map { $0.maximumQuantity()?.doubleValue(for: beats) }, [69])

    var updates = try await healthKit.continuousStatisticsQuery(
      .stepCount, options: .cumulativeSum, aggInterval: .hour, timeRange: all
    ).makeAsyncIterator()
    try expect("first sums", sums(try await updates.next() ?? []), [100, 60])
    try phone.save(
      [sample(.stepCount, 40, .count(), morning + 5400, lasting: 60)], from: pocket)
    try expect("later sums", sums(try await updates.next() ?? []), [100, 100])
  }

  var anchor = QueryAnchor()
  try await step("anchor") {
    var pages: [Int] = []
    repeat {
      pages.append(
        try await healthKit.query(.heartRate, timeRange: all, anchor: &anchor, limit: 4).added.count
      )
    } while pages.last != 0
    try expect("pages", pages, [4, 4, 2, 0])
    // The app ends, and goes on with the anchor that it kept.
    let kept = try JSONEncoder().encode(anchor)
    anchor = try JSONDecoder().decode(QueryAnchor.self, from: kept)
    let gone = try await healthKit.query(
      .heartRate, timeRange: .startingAt(morning + 540), limit: 1)
    try phone.delete(
      HKQuantityType(.heartRate), HKQuery.predicateForObjects(with: Set(gone.map(\.uuid))))
    let new = sample(.heartRate, 71, beats, morning + 600)
    try phone.save([new], from: watch)
    let (added, deleted) = try await healthKit.query(
      .heartRate, timeRange: all, anchor: &anchor)
    try expect("added", added.map(\.uuid), [new.uuid])
    try expect("deleted", deleted.map(\.uuid), gone.map(\.uuid))
  }

  try await step("update") {
    var updates = try await healthKit.continuousQuery(
      .heartRate, timeRange: all, anchor: anchor, source: .named("Watch")
    ).makeAsyncIterator()
    try expect("first update", try await updates.next()?.addedSamples.count, 0)
    try phone.save([sample(.heartRate, 99, beats, morning + 660)], from: other)
    let new = sample(.heartRate, 72, beats, morning + 720)
    try phone.save([new], from: watch)
    var added: [UUID] = []
    while added.isEmpty {
      guard let update = try await updates.next() else { break }
      added += update.addedSamples.map(\.uuid)
      anchor = update.newAnchor
    }
    try expect("update", added, [new.uuid])
    try phone.delete(HKQuantityType(.heartRate), HKQuery.predicateForObject(with: new.uuid))
    var gone: [UUID] = []
    while gone.isEmpty {
      guard let update = try await updates.next() else { break }
      gone += update.deletedObjects.map(\.uuid)
      anchor = update.newAnchor
    }
    try expect("gone", gone, [new.uuid])
    let rest = try await healthKit.query(.heartRate, timeRange: all, anchor: &anchor)
    try expect("rest", rest.added.count, 0)
  }

  try await step("sleep") {
    try phone.save(
      [
        sleep(.inBed, 12, 20), sleep(.asleepCore, 12.5, 15), sleep(.asleepDeep, 15, 16),
        sleep(.asleepREM, 16, 17), sleep(.awake, 17, 17.25), sleep(.asleepCore, 17.25, 20),
        sleep(.asleepUnspecified, 23, 23.5),
      ], from: watch)
    try phone.save([sleep(.asleepUnspecified, 16.5, 17.25)], from: other)
    let read = try await healthKit.query(.sleepAnalysis, timeRange: all)
    let sessions = try read.splitIntoSleepSessions()
    try expect("sessions", sessions.map(\.count), [7, 1])
    // The other app's minutes count where the watch has other phases, and once only.
    try expect("asleep", sessions.map { $0.totalTimeSpentAsleep / 3600 }, [7.5, 0.5])
    try expect("core", sessions[0].timeSpent(in: .asleepCore) / 3600, 5.25)
    try expect("awake", sessions[0].totalTimeSpentAwake / 3600, 0.25)
    try expect("night", sessions[0].timeRange, morning + 12 * 3600..<morning + 20 * 3600)
    let apart = try read.splitIntoSleepSessions(separateBySource: true)
    try expect("by source", apart.map(\.count).sorted(), [1, 1, 6])
    let asleep = HKCategoryValueSleepAnalysis.predicateForSamples(equalTo: [.asleepREM])
    let dreams = try await healthKit.query(.sleepAnalysis, timeRange: all, predicate: asleep)
    try expect("dreams", dreams.map(\.sleepPhase), [.asleepREM])
  }

  var entries = journal.entries.makeAsyncIterator()
  try await step("collect") {
    let mass = sample(.bodyMass, 70, .gramUnit(with: .kilo), .now)
    try phone.save([mass], from: other)
    try expect(
      "collected", await entries.next(isolation: MainActor.shared),
      .new(SampleType.bodyMass.id, [mass.uuid]))
    try phone.delete(HKQuantityType(.bodyMass))
    try expect(
      "deleted", await entries.next(isolation: MainActor.shared),
      .deleted(SampleType.bodyMass.id, [mass.uuid]))
    await healthKit.resetSampleCollection(for: .bodyMass)
  }

  try await step("background") {
    await phone.appHasAnswered()
    phone.sendAppToBackground()
    for value in [80.0, 81] {
      let rate = sample(.heartRate, value, beats, .now)
      try phone.save([rate], from: watch)
      try expect(
        "delivered", await entries.next(isolation: MainActor.shared),
        .new(SampleType.heartRate.id, [rate.uuid]))
      await phone.appHasAnswered()
    }
    try phone.save([sample(.bodyMass, 71, .gramUnit(with: .kilo), .now)], from: other)
    let count = try phone.delete(
      HKQuantityType(.heartRate),
      HKQuery.predicateForSamples(
        withStart: .now - 3600, end: nil))
    try expect("deleted", count, 2)
    guard
      case .deleted(SampleType.heartRate.id, let gone) = await entries.next(
        isolation: MainActor.shared)
    else {
      throw Failure(description: "the deletion was not delivered")
    }
    try expect("gone", gone.count, 2)
    phone.openApp()
  }

  try await step("export") {
    let session = try await exporter.session(
      withId: BulkExportSessionIdentifier("export"), for: [SampleType.heartRate],
      startDate: .oldestSample, endDate: morning + 120 * 86_400, batchSize: .byMonth,
      using: Adding())
    try phone.save([sample(.heartRate, 55, beats, morning + 45 * 86_400)], from: watch)
    var results: [Adding.Sum] = []
    for await result in try session.start() as AsyncStream<Adding.Sum> { results.append(result) }
    try expect("batches", results.count, 5)
    try expect("samples", results.map(\.count).sorted(), [0, 0, 0, 1, 11])
    try expect("values", results.map(\.sum).sorted(), [0, 0, 0, 55, 746])
    try expect("failed", session.failedBatches.count, 0)
    try await exporter.deleteSessionRestorationInfo(for: session.sessionId)
  }
}

// Nothing here takes long; what does not come would be waited for without an end.
DispatchQueue.global().asyncAfter(deadline: .now() + 60) {
  FileHandle.standardError.write(Data("the client waits for something that does not come\n".utf8))
  exit(2)
}
do {
  try await run()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
try? FileManager.default.removeItem(at: folder)
