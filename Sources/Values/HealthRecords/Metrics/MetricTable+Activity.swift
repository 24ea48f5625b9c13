// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// The activity of a day.
  static let activity: [MetricDefinition] = [
    row(
      .steps, "Steps", "count", "{steps}", 0...200_000, loinc: .loinc("55423-8"), .routine, "steps",
      quantity: "StepCount"),
    row(
      .distance, "Distance", "m", "m", 0...500_000, loinc: .loinc("55430-3"), mdc: .mdc(8_454_247),
      .routine, "distance", also: [.fitness: "distance"],
      quantity: "DistanceWalkingRunning", "DistanceCycling", "DistanceSwimming",
      "DistanceWheelchair", "DistanceDownhillSnowSports", isOfWorkouts: true),
    row(
      .floors, "Floors climbed", "count", "{floors}", 0...5000, loinc: .loinc("100304-5"), .routine,
      "floors", quantity: "FlightsClimbed"),
    row(
      .elevation, "Elevation gained", "m", "m", -500...20000, mdc: .mdc(8_454_244), .routine,
      "elevation", isOfWorkouts: true),
    row(
      .energyBurned, "Energy burned", "kcal", "kcal", 0...20000, loinc: .loinc("55424-6"),
      mdc: .mdc(8_454_263), .routine, "calories_burned", also: [.fitness: "calories"],
      quantity: "ActiveEnergyBurned", "BasalEnergyBurned", isOfWorkouts: true),
    row(
      .activeEnergyBurned, "Active energy burned", "kcal", "kcal", 0...20000,
      loinc: .loinc("93819-1"), .routine, quantity: "ActiveEnergyBurned"),
    row(
      .basalEnergyBurned, "Basal energy burned", "kcal", "kcal", 0...10000, .routine,
      quantity: "BasalEnergyBurned"),
    row(
      .activeDuration, "Active time", "s", "s", 0...86400, loinc: .loinc("55411-3"),
      mdc: .mdc(8_454_269), .routine, "active_duration", also: [.fitness: "duration"],
      quantity: "AppleExerciseTime", isOfWorkouts: true),
    row(
      .fairlyActiveDuration, "Fairly active time", "s", "s", 0...86400, .routine),
    row(
      .lightlyActiveDuration, "Lightly active time", "s", "s", 0...86400, .routine),
    row(
      .veryActiveDuration, "Very active time", "s", "s", 0...86400, .routine),
    row(
      .standHoursCount, "Hours with standing", "count", "{hours}", 0...48, .routine,
      category: "AppleStandHour"),
    row(
      .idleHoursCount, "Hours without standing", "count", "{hours}", 0...48, .routine,
      category: "AppleStandHour"),
    row(
      .wheelchairDistance, "Wheelchair distance", "m", "m", 0...500_000, .routine,
      quantity: "DistanceWheelchair"),
    row(
      .wheelchairPushes, "Wheelchair pushes", "count", "{pushes}", 0...200_000, .routine,
      quantity: "PushCount"),
    row(
      .mindfulDuration, "Mindful time", "s", "s", 0...86400, .routine, category: "MindfulSession"),
    row(
      .highStressDuration, "Time of high stress", "s", "s", 0...86400, .routine),
    row(
      .mediumStressDuration, "Time of medium stress", "s", "s", 0...86400, .routine),
    row(
      .lowStressDuration, "Time of low stress", "s", "s", 0...86400, .routine),
    row(
      .restStressDuration, "Time of rest from stress", "s", "s", 0...86400, .routine),
  ]
}

extension MetricType {
  /// Steps.
  public static let steps = MetricType(rawValue: "steps")
  /// Distance in metres.
  public static let distance = MetricType(rawValue: "distance")
  /// Floors climbed.
  public static let floors = MetricType(rawValue: "floors_climbed")
  /// Elevation gained in metres.
  public static let elevation = MetricType(rawValue: "elevation")
  /// Energy burned in kilocalories: of a day all of it, of a workout what it added.
  public static let energyBurned = MetricType(rawValue: "energy_burned")
  /// Active energy burned in kilocalories.
  public static let activeEnergyBurned = MetricType(rawValue: "active_energy_burned")
  /// Basal energy burned in kilocalories.
  public static let basalEnergyBurned = MetricType(rawValue: "basal_energy_burned")
  /// Active time in seconds: of a day that of brisk movement, of a workout without its pauses.
  public static let activeDuration = MetricType(rawValue: "active_duration")
  /// Fairly active time in seconds.
  public static let fairlyActiveDuration = MetricType(rawValue: "fairly_active_duration")
  /// Lightly active time in seconds.
  public static let lightlyActiveDuration = MetricType(rawValue: "lightly_active_duration")
  /// Very active time in seconds.
  public static let veryActiveDuration = MetricType(rawValue: "very_active_duration")
  /// Hours with standing.
  public static let standHoursCount = MetricType(rawValue: "stand_hours_count")
  /// Hours without standing.
  public static let idleHoursCount = MetricType(rawValue: "idle_hours_count")
  /// Wheelchair distance in metres.
  public static let wheelchairDistance = MetricType(rawValue: "wheelchair_distance")
  /// Wheelchair pushes.
  public static let wheelchairPushes = MetricType(rawValue: "wheelchair_pushes")
  /// Mindful time in seconds.
  public static let mindfulDuration = MetricType(rawValue: "mindful_duration")
  /// Time of high stress in seconds.
  public static let highStressDuration = MetricType(rawValue: "high_stress_duration")
  /// Time of medium stress in seconds.
  public static let mediumStressDuration = MetricType(rawValue: "medium_stress_duration")
  /// Time of low stress in seconds.
  public static let lowStressDuration = MetricType(rawValue: "low_stress_duration")
  /// Time of rest from stress in seconds.
  public static let restStressDuration = MetricType(rawValue: "rest_stress_duration")
}
