// SPDX-License-Identifier: Apache-2.0

// Differs: a task takes a sending closure since iOS 18; that SDK is older.
@preconcurrency import HealthKit

func observe(_ store: HKHealthStore, _ type: HKSampleType) {
  store.execute(
    HKObserverQuery(sampleType: type, predicate: nil) { _, done, _ in
      Task { done() }
    })
}
