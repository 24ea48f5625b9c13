// SPDX-License-Identifier: Apache-2.0

import HealthKit

func unused(_ store: HKHealthStore, _ quantity: HKQuantity) {
  store.earliestPermittedSampleDate()
  store.authorizationStatus(for: HKQuantityType(.stepCount))
  quantity.doubleValue(for: .count())
  HKUnit.count().unitDivided(by: .minute())
  HKQuery.predicateForObjectsWithNoCorrelation()
  HKHealthStore.isHealthDataAvailable()
}
