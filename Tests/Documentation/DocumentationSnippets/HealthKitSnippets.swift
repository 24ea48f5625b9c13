// SPDX-License-Identifier: Apache-2.0

// The compiler crashes on these forms with SDKs before Xcode 16's.
#if canImport(HealthKitSimulation)
  import Foundation
  import HealthKit

  func stepsOfDays(from store: HKHealthStore, since start: Date) async throws -> [Double] {
    let steps = HKQuantityType(.stepCount)
    try await store.requestAuthorization(toShare: [], read: [steps])
    let collection = try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: steps), options: .cumulativeSum, anchorDate: start,
      intervalComponents: DateComponents(day: 1)
    ).result(for: store)
    return collection.statistics().compactMap { $0.sumQuantity()?.doubleValue(for: .count()) }
  }
#endif
