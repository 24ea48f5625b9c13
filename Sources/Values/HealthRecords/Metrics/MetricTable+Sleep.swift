// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// Sleep.
  static let sleep: [MetricDefinition] = [
    row(
      .sleepDuration, "Sleep", "s", "s", 0...172_800, loinc: .loinc("93832-4"), .sleep,
      "total_sleep", category: "SleepAnalysis"),
    row(
      .deepSleep, "Deep sleep", "s", "s", 0...172_800, loinc: .loinc("93831-6"), .sleep, "deep",
      category: "SleepAnalysis"),
    row(
      .lightSleep, "Light sleep", "s", "s", 0...172_800, loinc: .loinc("93830-8"), .sleep, "light",
      category: "SleepAnalysis"),
    row(
      .remSleep, "REM sleep", "s", "s", 0...172_800, loinc: .loinc("93829-0"), .sleep, "rem",
      category: "SleepAnalysis"),
    row(
      .awakeDuration, "Awake in bed", "s", "s", 0...172_800, loinc: .loinc("103210-1"), .sleep,
      "awake", category: "SleepAnalysis"),
    row(
      .awakeCount, "Times woken", "count", "1", 0...500, .sleep, "times_woken",
      category: "SleepAnalysis"),
    row(
      .restlessCount, "Times restless", "count", "1", 0...5000, .sleep),
    row(
      .inBedDuration, "Time in bed", "s", "s", 0...172_800, .sleep,
      category: "SleepAnalysis"),
    row(
      .timeToFallAsleep, "Time to fall asleep", "s", "s", 0...86400, loinc: .loinc("103212-7"),
      .sleep, category: "SleepAnalysis"),
    row(
      .napDuration, "Naps", "s", "s", 0...86400, .sleep),
    row(
      .sleepScore, "Sleep score", "score", "{score}", 0...100, .sleep),
  ]
}

extension MetricType {
  /// Sleep in seconds.
  public static let sleepDuration = MetricType(rawValue: "sleep_duration")
  /// Deep sleep in seconds.
  public static let deepSleep = MetricType(rawValue: "deep_sleep")
  /// Light sleep in seconds.
  public static let lightSleep = MetricType(rawValue: "light_sleep")
  /// REM sleep in seconds.
  public static let remSleep = MetricType(rawValue: "rem_sleep")
  /// Time awake in bed in seconds.
  public static let awakeDuration = MetricType(rawValue: "awake_duration")
  /// Times woken.
  public static let awakeCount = MetricType(rawValue: "awake_count")
  /// Times restless.
  public static let restlessCount = MetricType(rawValue: "restless_count")
  /// Time in bed in seconds.
  public static let inBedDuration = MetricType(rawValue: "in_bed_duration")
  /// Time to fall asleep in seconds.
  public static let timeToFallAsleep = MetricType(rawValue: "time_to_fall_asleep")
  /// Naps in seconds.
  public static let napDuration = MetricType(rawValue: "nap_duration")
  /// Sleep score.
  public static let sleepScore = MetricType(rawValue: "sleep_score")
}
