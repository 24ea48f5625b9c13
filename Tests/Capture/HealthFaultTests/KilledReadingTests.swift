// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import TestSupport
import Testing

/// Whether all or many places are tried at which a process may end.
private let isLongForm = ProcessInfo.processInfo.environment["SANTORIO_FAULTS"] == "long"

/// A folder with a phone's health store and a session, and processes that read one into the other.
private final class HealthScene {
  let folder: TemporaryFolder
  let work: String
  private static let now = Date(timeIntervalSince1970: 1_784_012_400)
  private static let watch = HKSourceRevision(
    source: HKSource(name: "Watch", bundleIdentifier: "com.apple.health.watch"), version: "11",
    productType: "Watch6,2", operatingSystemVersion: OperatingSystemVersion())

  // `work` is what the processes do: `history` or `background`.
  init(_ work: String) async throws {
    self.work = work
    folder = try TemporaryFolder()
    let phone = SimulatedPhone(store: folder.url.appendingPathComponent("health.sqlite"))
    phone.setTime(Self.now)
    try phone.save(Self.samples(), from: Self.watch)
    try await session().start(SantorioUser(userID: "u", organizationID: "o", accessToken: "token"))
  }

  private func session() throws -> SantorioSession {
    let endpoint = try #require(URL(string: "http://127.0.0.1:9"))
    return SantorioSession(
      .init(directory: folder.url.appendingPathComponent("session"), endpoint: endpoint))
  }

  /// A month of steps, nights, workouts and measurements; with the same identities in each scene.
  private static func samples() -> [HKSample] {
    (0..<30).flatMap { day -> [HKSample] in
      let morning = now - 86_400 * Double(day)
      let rates = (0..<(day < 4 ? 40 : 2)).map {
        sample(.heartRate, HKUnit(from: "count/min"), 60 + Double($0), morning - 60 * Double($0), 0)
      }
      let steps = (0..<6).map {
        sample(.stepCount, .count(), 100, morning - 3_600 * Double($0 + 1), 1_200)
      }
      let night = HKCategorySample(
        type: HKCategoryType(.sleepAnalysis),
        value: HKCategoryValueSleepAnalysis.asleepCore.rawValue,
        start: morning - 9 * 3_600, end: morning - 2 * 3_600)
      let run = HKWorkout(
        activityType: .running, start: morning - 5_000, end: morning - 3_500)
      return rates + steps + [night, run]
        + [sample(.bodyMass, .gramUnit(with: .kilo), 70 + Double(day), morning, 0)]
    }
  }

  private static func sample(
    _ type: HKQuantityTypeIdentifier, _ unit: HKUnit, _ value: Double, _ start: Date,
    _ seconds: TimeInterval
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
      start: start, end: start + seconds)
  }

  /// Reads; with `end`, the process ends itself there.
  ///
  /// - Returns: The last line that it has written.
  func read(endingAt end: [String] = []) async throws -> String? {
    let lines = Locked<[String]>([])
    let time = "\(Self.now.timeIntervalSince1970)"
    let child = try ChildProcess("HealthChild", [folder.url.path, time, work] + end) { line in
      lines.withLock { $0.append(line) }
    }
    _ = await child.status()
    return lines.withLock { $0.last }
  }

  /// What waits for the server, without what differs between two stores; and how many records.
  func pending() async throws -> (contents: [String], count: Int) {
    let records = try await session().pendingRecords()
    #expect(Set(records.map(\.logID)).count == records.count)
    return (records.map(Self.text).sorted(), records.count)
  }

  private static func text(_ record: HealthRecord) -> String {
    let metrics = record.metrics.map { "\($0.type.rawValue) \(String(describing: $0.value))" }
      .sorted()
    return "\(record.kind) \(record.time.start) \(metrics.joined(separator: ", "))"
  }
}

@Suite(.timeLimit(.minutes(60))) struct `Reading of HealthKit that is killed` {
  /// How many of the places are tried in the short form.
  private static let sample = cases(few: 8, many: 25)

  @Test(arguments: [("history", 160), ("background", 700)])
  func `goes on by itself, wherever the disk stood`(_ work: String, changes: Int) async throws {
    let whole = try await HealthScene(work)
    let last = try await whole.read()
    #expect(last == (work == "history" ? "DAYS 30" : "READ true"))
    let expected = try await whole.pending()
    #expect(expected.count > 60)
    let count = isLongForm ? 150 : Self.sample
    var ended = 0
    for number in 0..<count {
      let scene = try await HealthScene(work)
      // Twice, the second time while it goes on.
      for round in 0..<2 {
        let change = 1 + (number + round * count / 3) % count * changes / count
        if try await scene.read(endingAt: ["\(change)", "\(number)"]) != last { ended += 1 }
      }
      let end = try await scene.read()
      #expect(end == last, "\(work), \(number) of \(count)")
      let found = try await scene.pending()
      #expect(found.contents == expected.contents, "\(work), \(number) of \(count)")
    }
    #expect(ended > count, "Most processes are to end on the way.")
  }
}
