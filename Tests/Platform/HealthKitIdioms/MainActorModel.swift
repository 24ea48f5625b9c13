// SPDX-License-Identifier: Apache-2.0

@preconcurrency import HealthKit

@MainActor final class StepModel {
  private let store = HKHealthStore()
  private(set) var steps = 0.0

  func update(from start: Date, to end: Date) async throws {
    let today = HKQuery.predicateForSamples(withStart: start, end: end, options: [])
    let statistics = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: today),
      options: .cumulativeSum
    ).result(for: store)
    steps = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
  }
}
