// SPDX-License-Identifier: Apache-2.0

/// The names that exports have for the numbers of workouts and characteristics.
package enum ExportNames {
  /// The kind of a workout; nil if the name is not one.
  package static func workoutActivity(named name: String) -> HKWorkoutActivityType? {
    activityNumbers[name].flatMap { HKWorkoutActivityType(rawValue: $0) }
  }

  /// The name of a workout's kind, `HKWorkoutActivityTypeRunning`.
  package static func name(of activity: HKWorkoutActivityType) -> String? {
    activityNames[activity.rawValue]
  }

  /// The kind of a workout's event; nil if the name is not one.
  package static func workoutEvent(named name: String) -> HKWorkoutEventType? {
    number(of: name, "HKWorkoutEventType", events).flatMap { HKWorkoutEventType(rawValue: $0 + 1) }
  }

  /// The name of a workout's event, `HKWorkoutEventTypePause`.
  package static func name(of event: HKWorkoutEventType) -> String? {
    let index = event.rawValue - 1
    return events.indices.contains(index) ? "HKWorkoutEventType" + events[index] : nil
  }

  /// A biological sex; nil if the name is not one.
  package static func biologicalSex(named name: String) -> HKBiologicalSex? {
    number(of: name, "HKBiologicalSex", ["NotSet", "Female", "Male", "Other"])
      .flatMap { HKBiologicalSex(rawValue: $0) }
  }

  /// A blood type; nil if the name is not one.
  package static func bloodType(named name: String) -> HKBloodType? {
    number(of: name, "HKBloodType", bloodTypes).flatMap { HKBloodType(rawValue: $0) }
  }

  /// A skin type; nil if the name is not one.
  package static func skinType(named name: String) -> HKFitzpatrickSkinType? {
    number(of: name, "HKFitzpatrickSkinType", ["NotSet", "I", "II", "III", "IV", "V", "VI"])
      .flatMap { HKFitzpatrickSkinType(rawValue: $0) }
  }

  /// The position of the name in the list of endings.
  private static func number(of name: String, _ prefix: String, _ endings: [String]) -> Int? {
    guard name.hasPrefix(prefix) else { return nil }
    return endings.firstIndex(of: String(name.dropFirst(prefix.count)))
  }

  private static let events = [
    "Pause", "Resume", "Lap", "Marker", "MotionPaused", "MotionResumed", "Segment",
    "PauseOrResumeRequest",
  ]

  private static let bloodTypes = [
    "NotSet", "APositive", "ANegative", "BPositive", "BNegative", "ABPositive", "ABNegative",
    "OPositive", "ONegative",
  ]

  private static let activityNames: [UInt: String] = {
    var table: [UInt: String] = [
      82: "SwimBikeRun", 83: "Transition", 84: "UnderwaterDiving", 3000: "Other",
    ]
    for (index, ending) in activities.enumerated() { table[UInt(index + 1)] = ending }
    return table.mapValues { "HKWorkoutActivityType" + $0 }
  }()

  private static let activityNumbers: [String: UInt] = Dictionary(
    uniqueKeysWithValues: activityNames.map { ($1, $0) })

  /// The kinds with the numbers from 1 to 80.
  private static let activities = [
    "AmericanFootball", "Archery", "AustralianFootball", "Badminton", "Baseball", "Basketball",
    "Bowling", "Boxing", "Climbing", "Cricket", "CrossTraining", "Curling", "Cycling", "Dance",
    "DanceInspiredTraining", "Elliptical", "EquestrianSports", "Fencing", "Fishing",
    "FunctionalStrengthTraining", "Golf", "Gymnastics", "Handball", "Hiking", "Hockey", "Hunting",
    "Lacrosse", "MartialArts", "MindAndBody", "MixedMetabolicCardioTraining", "PaddleSports",
    "Play", "PreparationAndRecovery", "Racquetball", "Rowing", "Rugby", "Running", "Sailing",
    "SkatingSports", "SnowSports", "Soccer", "Softball", "Squash", "StairClimbing", "SurfingSports",
    "Swimming", "TableTennis", "Tennis", "TrackAndField", "TraditionalStrengthTraining",
    "Volleyball", "Walking", "WaterFitness", "WaterPolo", "WaterSports", "Wrestling", "Yoga",
    "Barre", "CoreTraining", "CrossCountrySkiing", "DownhillSkiing", "Flexibility",
    "HighIntensityIntervalTraining", "JumpRope", "Kickboxing", "Pilates", "Snowboarding", "Stairs",
    "StepTraining", "WheelchairWalkPace", "WheelchairRunPace", "TaiChi", "MixedCardio",
    "HandCycling", "DiscSports", "FitnessGaming", "CardioDance", "SocialDance", "Pickleball",
    "Cooldown",
  ]
}
