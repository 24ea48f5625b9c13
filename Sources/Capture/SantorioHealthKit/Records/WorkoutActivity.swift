// SPDX-License-Identifier: Apache-2.0

import HealthKit

/// What was done in a workout, by name and by what it is measured.
struct WorkoutActivity {
  /// The name, for instance `running`; `activity_91` for one that is newer than this package.
  let name: String
  /// The distances that may have been covered.
  let distances: [HKQuantityTypeIdentifier]

  init(_ type: HKWorkoutActivityType) {
    name = Self.names[type.rawValue] ?? "activity_\(type.rawValue)"
    distances = Self.distances(of: type)
  }

  /// The name for a reader, for instance `Running`.
  var displayName: String {
    name.prefix(1).uppercased() + name.dropFirst().replacing("_", with: " ")
  }

  private static func distances(
    of type: HKWorkoutActivityType
  ) -> [HKQuantityTypeIdentifier] {
    switch type {
    case .cycling, .handCycling: [.distanceCycling]
    case .swimming, .waterFitness, .waterPolo: [.distanceSwimming]
    case .wheelchairWalkPace, .wheelchairRunPace: [.distanceWheelchair]
    case .downhillSkiing, .snowboarding, .snowSports: [.distanceDownhillSnowSports]
    case .swimBikeRun: [.distanceSwimming, .distanceCycling, .distanceWalkingRunning]
    default: [.distanceWalkingRunning]
    }
  }

  /// By raw value: SDKs differ in the cases that they know.
  private static let names: [UInt: String] = [
    1: "american_football", 2: "archery", 3: "australian_football", 4: "badminton",
    5:
      "baseball", 6: "basketball", 7: "bowling", 8: "boxing", 9: "climbing", 10: "cricket",
    11:
      "cross_training", 12: "curling", 13: "cycling", 14: "dance", 15: "dance_inspired_training",
    16: "elliptical", 17: "equestrian_sports", 18: "fencing", 19: "fishing",
    20:
      "functional_strength_training", 21: "golf", 22: "gymnastics", 23: "handball", 24: "hiking",
    25: "hockey", 26: "hunting", 27: "lacrosse", 28: "martial_arts", 29: "mind_and_body",
    30:
      "mixed_metabolic_cardio_training", 31: "paddle_sports", 32: "play",
    33:
      "preparation_and_recovery", 34: "racquetball", 35: "rowing", 36: "rugby", 37: "running",
    38:
      "sailing", 39: "skating_sports", 40: "snow_sports", 41: "soccer", 42: "softball",
    43:
      "squash", 44: "stair_climbing", 45: "surfing_sports", 46: "swimming", 47: "table_tennis",
    48: "tennis", 49: "track_and_field", 50: "traditional_strength_training", 51: "volleyball",
    52: "walking", 53: "water_fitness", 54: "water_polo", 55: "water_sports", 56: "wrestling",
    57: "yoga", 58: "barre", 59: "core_training", 60: "cross_country_skiing",
    61:
      "downhill_skiing", 62: "flexibility", 63: "high_intensity_interval_training",
    64:
      "jump_rope", 65: "kickboxing", 66: "pilates", 67: "snowboarding", 68: "stairs",
    69:
      "step_training", 70: "wheelchair_walk_pace", 71: "wheelchair_run_pace", 72: "tai_chi",
    73:
      "mixed_cardio", 74: "hand_cycling", 75: "disc_sports", 76: "fitness_gaming",
    77:
      "cardio_dance", 78: "social_dance", 79: "pickleball", 80: "cooldown", 82: "swim_bike_run",
    83: "transition", 84: "underwater_diving", 3000: "other",
  ]
}
