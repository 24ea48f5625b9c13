// SPDX-License-Identifier: Apache-2.0

@preconcurrency import HealthKit

let store = HKHealthStore()
let steps = HKQuantityType(.stepCount)
let types: Set<HKObjectType> = [steps, HKObjectType.workoutType()]
