// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// Exercise.
  static let workout: [MetricDefinition] = [
    row(
      .workoutDuration, "Workout time", "s", "s", 0...604_800, .fitness),
    row(
      .averageSpeed, "Average speed", "m/s", "m/s", 0...100, .fitness),
    row(
      .maximumSpeed, "Highest speed", "m/s", "m/s", 0...150, .fitness),
    row(
      .averagePace, "Average pace", "s/km", "s/km", 5...7200, .fitness),
    row(
      .maximumPace, "Highest pace", "s/km", "s/km", 5...7200, .fitness),
    row(
      .averagePower, "Average power", "W", "W", 0...2500, .fitness),
    row(
      .averageCadence, "Average cadence", "count/min", "/min", 0...350, .fitness),
    row(
      .maximumCadence, "Highest cadence", "count/min", "/min", 0...400, .fitness),
    row(
      .vo2Max, "Maximal oxygen uptake", "mL/kg/min", "mL/kg/min", 5...100, loinc: .loinc("94122-9"),
      .fitness, quantity: "VO2Max"),
    row(
      .laps, "Laps", "count", "{laps}", 0...10000, .fitness),
  ]
}

extension MetricType {
  /// Workout time in seconds.
  public static let workoutDuration = MetricType(rawValue: "workout_duration")
  /// Average speed in m/s.
  public static let averageSpeed = MetricType(rawValue: "avg_speed")
  /// Highest speed in m/s.
  public static let maximumSpeed = MetricType(rawValue: "max_speed")
  /// Average pace in s/km.
  public static let averagePace = MetricType(rawValue: "avg_pace")
  /// Highest pace in s/km.
  public static let maximumPace = MetricType(rawValue: "max_pace")
  /// Average power in watts.
  public static let averagePower = MetricType(rawValue: "avg_power")
  /// Average cadence in count/min.
  public static let averageCadence = MetricType(rawValue: "avg_cadence")
  /// Highest cadence in count/min.
  public static let maximumCadence = MetricType(rawValue: "max_cadence")
  /// Maximal oxygen uptake in mL/kg/min.
  public static let vo2Max = MetricType(rawValue: "vo2_max")
  /// Laps.
  public static let laps = MetricType(rawValue: "laps")
}
