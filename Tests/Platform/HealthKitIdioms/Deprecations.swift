// SPDX-License-Identifier: Apache-2.0

// Differs: deprecations are those of iOS, which Linux is not.
import HealthKit

func old(_ workout: HKWorkout) -> [Any?] {
  [
    workout.totalEnergyBurned, workout.totalDistance, workout.source,
    HKCategoryValueSleepAnalysis.asleep, HKWorkoutActivityType.danceInspiredTraining,
  ]
}
