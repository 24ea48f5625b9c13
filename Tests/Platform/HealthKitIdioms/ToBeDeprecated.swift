// SPDX-License-Identifier: Apache-2.0

@preconcurrency import HealthKit

let steps = HKObjectType.quantityType(forIdentifier: .stepCount)
let sleep = HKObjectType.categoryType(forIdentifier: .sleepAnalysis)?.identifier
let sex = HKCharacteristicType.characteristicType(forIdentifier: .biologicalSex)
let workouts: HKWorkoutType = HKObjectType.workoutType()
