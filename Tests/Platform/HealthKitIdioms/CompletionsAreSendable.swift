// SPDX-License-Identifier: Apache-2.0

import HealthKit

// Completions of methods that have an asynchronous form are @Sendable.
func save(_ store: HKHealthStore, _ sample: HKSample) {
  var saved = false
  store.save(sample) { success, _ in saved = success }
  store.requestAuthorization(toShare: nil, read: nil) { success, _ in saved = success }
  store.enableBackgroundDelivery(for: sample.sampleType, frequency: .hourly) { success, _ in
    saved = success
  }
  print(saved)
}
