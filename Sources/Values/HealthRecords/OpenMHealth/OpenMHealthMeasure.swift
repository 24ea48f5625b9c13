// SPDX-License-Identifier: Apache-2.0

/// A member of a body that holds a metric.
struct OpenMHealthField: Hashable, Sendable {
  let name: String
  let dimension: OpenMHealthDimension

  init(_ name: String, _ dimension: OpenMHealthDimension) {
    self.name = name
    self.dimension = dimension
  }
}

/// A metric that is a body of its own.
struct OpenMHealthMeasure: Sendable {
  let schema: OpenMHealthSchema
  let field: OpenMHealthField
  /// How the value was computed from others (`descriptive_statistic`).
  var statistic: String?
  /// Whether the body must have a span of time.
  var needsInterval = false

  private init(
    _ schema: OpenMHealthSchema, _ name: String, _ dimension: OpenMHealthDimension,
    _ statistic: String? = nil
  ) {
    self.schema = schema
    field = OpenMHealthField(name, dimension)
    self.statistic = statistic
    needsInterval = schema == .caloriesBurned || schema == .timeInBed
  }

  static let all: [MetricType: OpenMHealthMeasure] = [
    .bloodGlucose: glucose(), .averageBloodGlucose: glucose("average"),
    .bodyTemperature: Self(.bodyTemperature, "body_temperature", .temperature),
    .bodyWeight: Self(.bodyWeight, "body_weight", .mass),
    .bodyHeight: Self(.bodyHeight, "body_height", .length),
    .bmi: Self(.bodyMassIndex, "body_mass_index", .bodyMassIndex),
    .bodyFat: Self(.bodyFatPercentage, "body_fat_percentage", .percentage),
    .pulse: heartRate(), .restingHeartRate: heartRate(), .averageHeartRate: heartRate("average"),
    .minimumHeartRate: heartRate("minimum"), .maximumHeartRate: heartRate("maximum"),
    .medianHeartRate: heartRate("median"),
    // That of Apple's devices, see `HealthRecord.obstacle(to:)`.
    .heartRateVariability: Self(.rrInterval, "rr_interval", .milliseconds, "standard deviation"),
    .oxygenSaturation: saturation(), .averageOxygenSaturation: saturation("average"),
    .minimumOxygenSaturation: saturation("minimum"),
    .maximumOxygenSaturation: saturation("maximum"),
    .respiratoryRate: Self(.respiratoryRate, "respiratory_rate", .breaths),
    .fev1: Self(.expiratoryVolume, "forced_expiratory_volume_1_second", .volume),
    .fvc: Self(.vitalCapacity, "forced_vital_capacity", .volume),
    .energyBurned: Self(.caloriesBurned, "kcal_burned", .energy),
  ]

  /// The time in bed of a night, which is a body beside that of the sleep.
  static let timeInBed = Self(.timeInBed, "time_in_bed", .duration)

  private static func glucose(_ statistic: String? = nil) -> Self {
    Self(.bloodGlucose, "blood_glucose", .glucose, statistic)
  }

  private static func heartRate(_ statistic: String? = nil) -> Self {
    Self(.heartRate, "heart_rate", .beats, statistic)
  }

  private static func saturation(_ statistic: String? = nil) -> Self {
    Self(.oxygenSaturation, "oxygen_saturation", .percentage, statistic)
  }
}

extension OpenMHealthField {
  /// What a body of physical activity holds together.
  static let ofActivity: [MetricType: OpenMHealthField] = [
    .steps: Self("base_movement_quantity", .steps), .laps: Self("base_movement_quantity", .laps),
    .distance: Self("distance", .length), .elevation: Self("cumulative_elevation_gain", .length),
    .activeDuration: Self("duration", .duration), .workoutDuration: Self("duration", .duration),
    .lightlyActiveDuration: Self("duration_light_activity", .duration),
    .fairlyActiveDuration: Self("duration_moderate_activity", .duration),
    .veryActiveDuration: Self("duration_vigorous_activity", .duration),
    .averageCadence: Self("average_cadence", .movementRate),
    .averageSpeed: Self("average_speed", .speed),
    .activeEnergyBurned: Self("kcal_burned", .energy),
  ]

  /// The same of a workout, in which all energy is that of the activity.
  static let ofWorkout = ofActivity.merging([.energyBurned: Self("kcal_burned", .energy)]) { $1 }

  /// What a body of a night holds together.
  ///
  /// The time awake is not among it: the schema's begins with the first sleep, and that of a record
  /// with going to bed.
  static let ofSleep: [MetricType: OpenMHealthField] = [
    .sleepDuration: Self("total_sleep_time", .duration),
    .lightSleep: Self("light_sleep_duration", .duration),
    .deepSleep: Self("deep_sleep_duration", .duration),
    .remSleep: Self("rem_sleep_duration", .duration),
    .timeToFallAsleep: Self("latency_to_sleep_onset", .duration),
  ]
}
