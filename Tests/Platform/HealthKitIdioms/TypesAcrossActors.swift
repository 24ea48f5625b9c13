// SPDX-License-Identifier: Apache-2.0

// Differs: types and stores are Sendable since iOS 18; that SDK is older.
@preconcurrency import HealthKit

actor Reader {
  func read(_ types: Set<HKSampleType>, from store: HKHealthStore, after anchor: HKQueryAnchor?) {}
}

@MainActor final class Model {
  let store = HKHealthStore()
  let reader = Reader()
  var types: Set<HKSampleType> = [HKQuantityType(.heartRate), HKCategoryType(.sleepAnalysis)]

  func start() async { await reader.read(types, from: store, after: nil) }
}
