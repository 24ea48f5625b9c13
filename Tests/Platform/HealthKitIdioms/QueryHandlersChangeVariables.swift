// SPDX-License-Identifier: Apache-2.0

import HealthKit

// Differs: handlers of queries are @Sendable in SDKs later than iOS 16.5.
final class Counter {
  var count = 0

  func read(_ store: HKHealthStore, _ type: HKSampleType) {
    let query = HKSampleQuery(
      sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
    ) { _, samples, _ in
      self.count += samples?.count ?? 0
    }
    store.execute(query)
  }
}

func read(_ store: HKHealthStore, _ type: HKSampleType) {
  var found = 0
  store.execute(
    HKAnchoredObjectQuery(type: type, predicate: nil, anchor: nil, limit: 10) {
      _, added, deleted, _, _ in
      found += (added?.count ?? 0) + (deleted?.count ?? 0)
    })
  print(found)
}
