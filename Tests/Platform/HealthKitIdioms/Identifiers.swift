// SPDX-License-Identifier: Apache-2.0

@preconcurrency import HealthKit

let identifiers: [HKQuantityTypeIdentifier] = [
  .stepCount, .heartRate, HKQuantityTypeIdentifier.bodyMass,
]
let made = HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierStepCount")
let types = identifiers.map { HKQuantityType($0) }
let byIdentifier = Dictionary(
  uniqueKeysWithValues: identifiers.map { ($0.rawValue, HKQuantityType($0)) })
let set: Set<HKQuantityTypeIdentifier> = [.stepCount]

func matches(_ type: HKObjectType) -> Bool {
  switch type {
  case HKQuantityType(.stepCount): true
  case is HKWorkoutType: true
  case let type as HKCategoryType:
    type.identifier == HKCategoryTypeIdentifier.sleepAnalysis.rawValue
  default: false
  }
}
