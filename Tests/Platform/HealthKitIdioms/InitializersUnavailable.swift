// SPDX-License-Identifier: Apache-2.0

// Differs: refused on both platforms, with other messages.
import HealthKit

let sample = HKQuantitySample()
let type = HKQuantityType()
let unit = HKUnit()
let source = HKSource()
