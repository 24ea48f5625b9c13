// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import TestSupport

/// Heart rates that an app observes in a health store: an observer query, and an anchored query that
/// receives them.
final class HealthObservations: LongStream {
  private static let type = HKQuantityType(.heartRate)
  private static let portion = 50

  private let folder: TemporaryFolder
  private let phone: SimulatedPhone
  private let store: HKHealthStore
  private let received = EventCount()
  private let observed = EventCount()
  private let queries: [HKQuery]

  init() async throws {
    folder = try TemporaryFolder()
    phone = SimulatedPhone(store: folder.url.appendingPathComponent("health.sqlite"))
    store = phone.makeHealthStore()
    try await store.requestAuthorization(toShare: [Self.type], read: [Self.type])
    let (received, observed) = (received, observed)
    let anchored = HKAnchoredObjectQuery(
      type: Self.type, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
    ) { _, samples, _, _, _ in received.add(samples?.count ?? 0) }
    anchored.updateHandler = { _, samples, _, _, _ in received.add(samples?.count ?? 0) }
    let observer = HKObserverQuery(sampleType: Self.type, predicate: nil) { _, completion, _ in
      observed.add()
      completion()
    }
    queries = [anchored, observer]
    for query in queries { store.execute(query) }
    await observed.reaches(1)
  }

  func run(_ count: Int) async throws {
    var left = count
    while left > 0 {
      let portion = min(left, Self.portion)
      let (samples, changes) = (received.value, observed.value)
      try await store.save((samples..<samples + portion).map(Self.sample))
      await received.reaches(samples + portion)
      await observed.reaches(changes + 1)
      left -= portion
    }
  }

  private static func sample(_ number: Int) -> HKQuantitySample {
    let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(number))
    let unit = HKUnit.count().unitDivided(by: .minute())
    return HKQuantitySample(
      type: type, quantity: HKQuantity(unit: unit, doubleValue: Double(50 + number % 90)),
      start: time, end: time)
  }
}
