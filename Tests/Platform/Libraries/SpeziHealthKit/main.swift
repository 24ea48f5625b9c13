// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import Spezi
@_spi(APISupport) import SpeziHealthKit

// A phone gets samples from a watch; the app reads them by the library's module, and gets what it collects.

struct Failure: Error, CustomStringConvertible {
  let description: String
}

@MainActor func step(_ name: String, _ body: @MainActor () async throws -> Bool) async throws {
  guard try await body() else { throw Failure(description: "step \(name) failed") }
  print("step \(name) ok")
}

/// The app's standard: counts what is collected, and tells who waits for it.
actor Collected: Standard, HealthKitConstraint {
  private(set) var added: [Double] = []
  private(set) var deleted = 0
  private var waiting: CheckedContinuation<Void, Never>?

  func handleNewSamples<Sample>(
    _ addedSamples: some Collection<Sample> & Sendable, ofType sampleType: SampleType<Sample>
  ) async {
    for case let sample as HKQuantitySample in addedSamples {
      added.append(sample.quantity.doubleValue(for: .count()))
    }
    waiting?.resume()
    waiting = nil
  }

  func handleDeletedObjects<Sample>(
    _ deletedObjects: some Collection<HKDeletedObject> & Sendable,
    ofType sampleType: SampleType<Sample>
  ) async {
    deleted += deletedObjects.count
    waiting?.resume()
    waiting = nil
  }

  func wait(until isDone: @Sendable (isolated Collected) -> Bool) async {
    while !isDone(self) { await withCheckedContinuation { waiting = $0 } }
  }
}

let day: TimeInterval = 86_400
let start = Calendar.current.startOfDay(for: Date()) - 5 * day
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let phone = SimulatedPhone(store: folder.appendingPathComponent("health.sqlite"))
phone.installAsDefault()
let watch = SimulatedPhone.source(named: "Watch", bundleIdentifier: "com.example.watch")

func steps(_ count: Double, at date: Date) -> HKQuantitySample {
  HKQuantitySample(
    type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: count),
    start: date, end: date + 60)
}

func sleep(_ value: HKCategoryValueSleepAnalysis, _ hours: ClosedRange<Double>) -> HKCategorySample
{
  HKCategorySample(
    type: HKCategoryType(.sleepAnalysis), value: value.rawValue,
    start: start + hours.lowerBound * 3600, end: start + hours.upperBound * 3600)
}

/// The library's units for Linux and the package's, of the same texts, have to convert alike.
func convert() -> Bool {
  let texts = [
    "kg", "lb", "oz", "st", "m", "in", "ft", "yd", "mi", "mL", "dL", "J", "kcal", "cal", "Pa",
    "mmHg", "cmAq", "atm", "s", "min", "hr", "d", "K", "degC", "degF", "count", "%", "mg/dL",
    "m/s", "km/hr", "kcal/hr", "mL/min", "count/min", "count/s", "mol<180.15588000005408>/L",
  ]
  var (pairs, differing): (Int, [String]) = (0, [])
  for first in texts {
    for second in texts {
      let (ours, theirs) = (
        HKQuantity(unit: HKUnit(from: first), doubleValue: 37),
        _HKQuantity(unit: _HKUnit(from: first), doubleValue: 37)
      )
      let fits = ours.is(compatibleWith: HKUnit(from: second))
      guard fits == theirs.is(compatibleWith: _HKUnit(from: second)) else {
        differing.append("\(first) and \(second) are compatible for one only")
        continue
      }
      guard fits else { continue }
      let (value, other) = (
        ours.doubleValue(for: HKUnit(from: second)), theirs.doubleValue(for: _HKUnit(from: second))
      )
      pairs += 1
      if abs(value - other) > 1e-12 * abs(value) {
        differing.append("\(first) to \(second): \(value), \(other)")
      }
    }
  }
  FileHandle.standardError.write(Data((differing + [""]).joined(separator: "\n").utf8))
  return differing.isEmpty && pairs > 100
}

@MainActor func run() async throws {
  try await step("convert") { convert() }
  let standard = Collected()
  SpeziApp.standard = standard
  let health = SpeziHealthKit.HealthKit {
    CollectSamples(.stepCount, continueInBackground: true, timeRange: .startingAt(start))
    RequestReadAccess(category: [.sleepAnalysis])
    RequestWriteAccess(quantity: [.stepCount])
  }
  health.configure()
  await health.waitForConfigurationDone()

  try await step("authorize") {
    guard await !health.didAskForAuthorization(toRead: SampleType.stepCount) else { return false }
    try await health.askForAuthorization()
    return await health.didAskForAuthorization(toRead: SampleType.stepCount)
      && health.isAuthorized(toWrite: SampleType.stepCount) && health.isFullyAuthorized
  }

  let all = HealthKitQueryTimeRange(start...)
  for index in 0..<10 {
    let date = start + Double(index / 2) * day + Double(index % 2) * 3600
    try phone.save([steps(Double(100 + index), at: date)], from: watch)
  }

  try await step("query") {
    let read = try await health.query(
      .stepCount, timeRange: .init(start..<(start + 2 * day)), limit: 3,
      sortedBy: [SortDescriptor(\.startDate, order: .reverse)])
    return read.map { $0.quantity.doubleValue(for: .count()) } == [103, 102, 101]
  }

  try await step("source") {
    let mine = steps(7, at: start + 7200)
    try await health.healthStore.save(mine)
    let ours = try await health.query(.stepCount, timeRange: all, source: .currentApp)
    let theirs = try await health.query(.stepCount, timeRange: all, source: .named("Watch"))
    let prefix = try await health.query(
      .stepCount, timeRange: all, source: .bundleId(beginsWith: "COM.example"))
    try await health.healthStore.delete(mine)
    return ours.count == 1 && theirs.count == 10 && prefix.count == 10
  }

  try await step("statistics") {
    let sums = try await health.statisticsQuery(
      .stepCount, aggregatedBy: [.sum], over: .day, timeRange: .init(start..<(start + 5 * day)))
    return sums.compactMap { $0.sumQuantity()?.doubleValue(for: .count()) }
      == [201, 205, 209, 213, 217]
  }

  try await step("page") {
    var (anchor, pages): (QueryAnchor, [Int]) = (QueryAnchor(), [])
    while true {
      let page = try await health.query(.stepCount, timeRange: all, anchor: &anchor, limit: 4)
      guard !page.added.isEmpty else { break }
      pages.append(page.added.count)
      // The anchor is kept as the library keeps it.
      anchor = try JSONDecoder().decode(QueryAnchor.self, from: JSONEncoder().encode(anchor))
    }
    return pages == [4, 4, 2]
  }

  try await step("follow") {
    let updates = health.continuousQuery(.sleepAnalysis, timeRange: all, anchor: QueryAnchor())
    var iterator = updates.makeAsyncIterator()
    guard try await iterator.next()?.addedSamples.isEmpty == true else { return false }
    let sample = sleep(.inBed, 90...91)
    try phone.save([sample], from: watch)
    let found = try await iterator.next()?.addedSamples.map(\.uuid)
    try phone.delete(HKCategoryType(.sleepAnalysis))
    let gone = try await iterator.next()?.deletedObjects.map(\.uuid)
    return found == [sample.uuid] && gone == [sample.uuid]
  }

  try await step("sleep") {
    let nights = [
      sleep(.asleepCore, 22...24), sleep(.asleepREM, 24...25), sleep(.asleepDeep, 24.5...26),
      sleep(.asleepCore, 46...50),
    ]
    try phone.save(nights, from: watch)
    let read = try await health.query(.sleepAnalysis, timeRange: all)
    let sessions = try read.splitIntoSleepSessions()
    return sessions.map(\.count) == [3, 1]
      && sessions.map(\.totalTimeSpentAsleep) == [4 * 3600, 4 * 3600]
  }

  try await step("collect") {
    await standard.wait { $0.added.count >= 10 }
    phone.sendAppToBackground()
    try phone.save([steps(1, at: start + 4 * day + 7200)], from: watch)
    phone.advance(by: 3600)
    await standard.wait { $0.added.contains(1) }
    return await Set(standard.added).isSuperset(of: (100..<110).map(Double.init) + [1])
  }
}

do {
  try await run()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
try? FileManager.default.removeItem(at: folder)
