// SPDX-License-Identifier: Apache-2.0

import HealthKit

func predicates(_ workout: HKWorkout, _ source: HKSource, _ device: HKDevice) -> [NSPredicate] {
  let time = HKQuery.predicateForSamples(
    withStart: Date.distantPast, end: nil, options: [.strictStartDate, .strictEndDate])
  let asleep = HKCategoryValueSleepAnalysis.predicateForSamples(
    equalTo: HKCategoryValueSleepAnalysis.allAsleepValues)
  return [
    NSCompoundPredicate(andPredicateWithSubpredicates: [time, asleep]),
    NSCompoundPredicate(notPredicateWithSubpredicate: HKQuery.predicateForObjects(from: source)),
    HKQuery.predicateForObjects(from: [device]),
    HKQuery.predicateForObjects(from: workout),
    HKQuery.predicateForObjects(
      withMetadataKey: HKMetadataKeyWasUserEntered, allowedValues: [true]),
    HKQuery.predicateForWorkouts(with: .running),
  ]
}
