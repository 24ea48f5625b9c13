// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// The heart.
  static let heart: [MetricDefinition] = [
    row(
      .pulse, "Pulse rate", "bpm", "/min", 20...300, loinc: .loinc("8867-4", .vitalSigns),
      .biometrics, quantity: "HeartRate"),
    row(
      .restingHeartRate, "Resting heart rate", "bpm", "/min", 20...200, loinc: .loinc("40443-4"),
      .biometrics, "resting_heartrate", quantity: "RestingHeartRate"),
    row(
      .averageHeartRate, "Average heart rate", "bpm", "/min", 20...300, loinc: .loinc("103205-1"),
      .biometrics, quantity: "HeartRate", isOfWorkouts: true),
    row(
      .minimumHeartRate, "Lowest heart rate", "bpm", "/min", 15...300, loinc: .loinc("103222-6"),
      .biometrics, quantity: "HeartRate", isOfWorkouts: true),
    row(
      .maximumHeartRate, "Highest heart rate", "bpm", "/min", 20...320, loinc: .loinc("101692-2"),
      .biometrics, quantity: "HeartRate", isOfWorkouts: true),
    row(
      .medianHeartRate, "Median heart rate", "bpm", "/min", 20...300, .biometrics),
    row(
      .heartRateVariability, "Heart rate variability", "ms", "ms", 0...1000, .biometrics,
      quantity: "HeartRateVariabilitySDNN"),
    row(
      .heartRateZoneRest, "Time in resting heart rate zone", "s", "s", 0...86400, .biometrics),
    row(
      .heartRateZoneVeryLow, "Time in very low heart rate zone", "s", "s", 0...86400, .biometrics),
    row(
      .heartRateZoneLow, "Time in low heart rate zone", "s", "s", 0...86400, .biometrics),
    row(
      .heartRateZoneMedium, "Time in medium heart rate zone", "s", "s", 0...86400, .biometrics),
    row(
      .heartRateZoneHigh, "Time in high heart rate zone", "s", "s", 0...86400, .biometrics),
    row(
      .heartRateZoneVeryHigh, "Time in very high heart rate zone", "s", "s", 0...86400,
      .biometrics),
  ]
}

extension MetricType {
  /// Pulse rate in beats a minute.
  public static let pulse = MetricType(rawValue: "pulse")
  /// Resting heart rate in beats a minute.
  public static let restingHeartRate = MetricType(rawValue: "resting_heart_rate")
  /// Average heart rate in beats a minute.
  public static let averageHeartRate = MetricType(rawValue: "avg_heart_rate")
  /// Lowest heart rate in beats a minute.
  public static let minimumHeartRate = MetricType(rawValue: "min_heart_rate")
  /// Highest heart rate in beats a minute.
  public static let maximumHeartRate = MetricType(rawValue: "max_heart_rate")
  /// Median heart rate in beats a minute.
  public static let medianHeartRate = MetricType(rawValue: "median_heart_rate")
  /// Heart rate variability in milliseconds.
  public static let heartRateVariability = MetricType(rawValue: "heart_rate_variability")
  /// Time in resting heart rate zone in seconds.
  public static let heartRateZoneRest = MetricType(rawValue: "heart_rate_zone_rest")
  /// Time in very low heart rate zone in seconds.
  public static let heartRateZoneVeryLow = MetricType(rawValue: "heart_rate_zone_very_low")
  /// Time in low heart rate zone in seconds.
  public static let heartRateZoneLow = MetricType(rawValue: "heart_rate_zone_low")
  /// Time in medium heart rate zone in seconds.
  public static let heartRateZoneMedium = MetricType(rawValue: "heart_rate_zone_medium")
  /// Time in high heart rate zone in seconds.
  public static let heartRateZoneHigh = MetricType(rawValue: "heart_rate_zone_high")
  /// Time in very high heart rate zone in seconds.
  public static let heartRateZoneVeryHigh = MetricType(rawValue: "heart_rate_zone_very_high")
}
