// SPDX-License-Identifier: Apache-2.0

import HealthKit

let quantity = HKQuantity(value: 1, unit: .count())
let missing = HKQuantitySample(
  type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 1))
let wrong = HKQuantityType("HKQuantityTypeIdentifierStepCount")
