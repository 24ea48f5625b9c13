// SPDX-License-Identifier: Apache-2.0

import HealthKit

let fast = HKQuery.predicateForQuantitySamples(
  with: .greaterThan,
  quantity: HKQuantity(unit: HKUnit.count().unitDivided(by: .minute()), doubleValue: 120))
let awake = HKQuery.predicateForCategorySamples(with: .equalTo, value: 2)
