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

  // MARK: - Characteristics

  /// A biological sex; nil if the name is not one.
  package static func biologicalSex(named name: String) -> HKBiologicalSex? {
    number(of: name, "HKBiologicalSex", sexes).flatMap { HKBiologicalSex(rawValue: $0) }
  }

  /// The name of a sex, `HKBiologicalSexFemale`.
  package static func name(of sex: HKBiologicalSex) -> String {
    "HKBiologicalSex" + sexes[sex.rawValue]
  }

  /// A blood type; nil if the name is not one.
  package static func bloodType(named name: String) -> HKBloodType? {
    number(of: name, "HKBloodType", bloodTypes).flatMap { HKBloodType(rawValue: $0) }
  }

  /// The name of a blood type, `HKBloodTypeABPositive`.
  package static func name(of type: HKBloodType) -> String {
    "HKBloodType" + bloodTypes[type.rawValue]
  }

  /// A skin type; nil if the name is not one.
  package static func skinType(named name: String) -> HKFitzpatrickSkinType? {
    number(of: name, "HKFitzpatrickSkinType", skinTypes)
      .flatMap { HKFitzpatrickSkinType(rawValue: $0) }
  }

  /// The name of a skin type, `HKFitzpatrickSkinTypeIV`.
  package static func name(of type: HKFitzpatrickSkinType) -> String {
    "HKFitzpatrickSkinType" + skinTypes[type.rawValue]
  }

  /// Whether a wheelchair is used; nil if the name is not an answer.
  package static func wheelchairUse(named name: String) -> HKWheelchairUse? {
    number(of: name, "HKWheelchairUse", wheelchairs).flatMap { HKWheelchairUse(rawValue: $0) }
  }

  /// The name of the use of a wheelchair, `HKWheelchairUseNo`.
  package static func name(of use: HKWheelchairUse) -> String {
    "HKWheelchairUse" + wheelchairs[use.rawValue]
  }

  /// What fills the move ring; nil if the name is not a measure.
  package static func moveMode(named name: String) -> HKActivityMoveMode? {
    number(of: name, "HKActivityMoveMode", moveModes)
      .flatMap { HKActivityMoveMode(rawValue: $0 + 1) }
  }

  /// The name of what fills the move ring, `HKActivityMoveModeAppleMoveTime`.
  package static func name(of mode: HKActivityMoveMode) -> String {
    "HKActivityMoveMode" + moveModes[mode.rawValue - 1]
  }

  /// The position of the name in the list of endings.
  private static func number(of name: String, _ prefix: String, _ endings: [String]) -> Int? {
    guard name.hasPrefix(prefix) else { return nil }
    return endings.firstIndex(of: String(name.dropFirst(prefix.count)))
  }

  private static let sexes = ["NotSet", "Female", "Male", "Other"]
  private static let skinTypes = ["NotSet", "I", "II", "III", "IV", "V", "VI"]
  private static let wheelchairs = ["NotSet", "No", "Yes"]
  private static let moveModes = ["ActiveEnergy", "AppleMoveTime"]

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
