// SPDX-License-Identifier: Apache-2.0

/// One row of the table of metrics: all that encoders, mappings and displays know about a metric.
public struct MetricDefinition: Hashable, Sendable {
  /// What is measured, by its name in the Inform API.
  public let type: MetricType
  /// The name for a reader, in English.
  public let displayName: String
  /// The unit of the Inform API.
  public let unit: String
  /// The same unit in UCUM's case-sensitive notation.
  public let ucum: String
  /// The LOINC code, where there is one.
  public let loinc: String?
  /// The record class of the Legacy API (v1).
  public let legacyRecord: LegacyRecord
  /// The field of that class, where it has one.
  public let legacyField: String?
  /// HealthKit's identifier, where it has one.
  public let healthKitIdentifier: String?
  /// The values a living person can have, in ``unit``.
  public let plausible: ClosedRange<Double>
}

/// The record classes of the Legacy API (v1).
public enum LegacyRecord: String, Hashable, Sendable {
  /// Blood pressure, temperature, oxygen saturation, heart rate, laboratory values.
  case biometrics
  /// Blood glucose and what goes with diabetes.
  case diabetes
  /// Exercise.
  case fitness
  /// Food and water.
  case nutrition
  /// The activity of a day.
  case routine
  /// Sleep.
  case sleep
  /// Weight and body composition.
  case weight
}

/// The table of metrics.
public enum MetricTable {
  /// All rows.
  public static let rows: [MetricDefinition] =
    blood + heart + body + respiration + activity + sleep + nutrition

  /// The row of a metric.
  ///
  /// - Parameter type: What is measured.
  /// - Returns: Its row, or nil when the table does not know it.
  public static func row(_ type: MetricType) -> MetricDefinition? { index[type] }

  private static let index = Dictionary(uniqueKeysWithValues: rows.map { ($0.type, $0) })

  // Columns: Inform name, display name, Inform unit, UCUM, LOINC, Legacy class and field, HealthKit
  // identifier without its prefix, plausible range in the Inform unit.
  private static let blood: [MetricDefinition] = [
    row(
      .systolic, "Systolic blood pressure", "mmHg", "mm[Hg]", "8480-6", .biometrics, "systolic",
      "BloodPressureSystolic", 40...300),
    row(
      .diastolic, "Diastolic blood pressure", "mmHg", "mm[Hg]", "8462-4", .biometrics, "diastolic",
      "BloodPressureDiastolic", 20...200),
    row(
      .meanArterialPressure, "Mean arterial pressure", "mmHg", "mm[Hg]", "8478-0", .biometrics,
      nil, nil, 30...250),
    row(
      .bloodGlucose, "Blood glucose", "mg/dL", "mg/dL", "2339-0", .diabetes, "blood_glucose",
      "BloodGlucose", 10...800),
    row(
      .bloodKetone, "Blood ketone", "mmol/L", "mmol/L", nil, .diabetes, nil, nil, 0...15),
    row(
      .hba1c, "Haemoglobin A1c", "%", "%", "4548-4", .diabetes, "hba1c", nil, 3...25),
    row(.inr, "INR", "INR", "{INR}", "6301-6", .biometrics, nil, nil, 0.5...20),
    row(
      .oxygenSaturation, "Oxygen saturation", "%", "%", "2708-6", .biometrics, "spo2",
      "OxygenSaturation", 50...100),
  ]

  private static let heart: [MetricDefinition] = [
    row(
      .pulse, "Pulse rate", "bpm", "/min", "8867-4", .biometrics, nil, "HeartRate", 20...300),
    row(
      .restingHeartRate, "Resting heart rate", "bpm", "/min", "40443-4", .biometrics,
      "resting_heartrate", "RestingHeartRate", 20...200),
    row(
      .averageHeartRate, "Average heart rate", "bpm", "/min", "8867-4", .fitness, nil, nil,
      20...300),
    row(
      .perfusionIndex, "Perfusion index", "%", "%", "61006-3", .biometrics, nil,
      "PeripheralPerfusionIndex", 0...30),
  ]

  private static let body: [MetricDefinition] = [
    row(
      .bodyWeight, "Body weight", "kg", "kg", "29463-7", .weight, "weight", "BodyMass", 0.2...650),
    row(.bodyHeight, "Body height", "cm", "cm", "8302-2", .weight, "height", "Height", 20...280),
    row(
      .bmi, "Body mass index", "kg/m²", "kg/m2", "39156-5", .weight, "bmi", "BodyMassIndex",
      5...150),
    row(
      .bodyFat, "Body fat", "%", "%", "41982-0", .weight, "fat_percent", "BodyFatPercentage",
      1...80),
    row(
      .bodyFatMass, "Body fat mass", "kg", "kg", "73708-0", .weight, nil, nil, 0.1...400),
    row(
      .bodyLeanMass, "Lean body mass", "kg", "kg", "91557-9", .weight, "free_mass", "LeanBodyMass",
      0.2...300),
    row(.bodyMuscle, "Muscle percentage", "%", "%", nil, .weight, nil, nil, 1...90),
    row(.bodyMuscleMass, "Muscle mass", "kg", "kg", "73964-9", .weight, nil, nil, 0.1...300),
    row(.bodyWaterMass, "Body water mass", "kg", "kg", nil, .weight, nil, nil, 0.1...300),
    row(
      .basalMetabolicRate, "Basal metabolic rate", "kcal", "kcal/d", "69429-9", .weight, nil, nil,
      200...10000),
    row(
      .bodyTemperature, "Body temperature", "°C", "Cel", "8310-5", .biometrics, "temperature",
      "BodyTemperature", 25...45),
  ]

  private static let respiration: [MetricDefinition] = [
    row(
      .respiratoryRate, "Respiratory rate", "breaths/min", "/min", "9279-1", .biometrics, nil,
      "RespiratoryRate", 2...80)
  ]

  private static let activity: [MetricDefinition] = [
    row(.steps, "Steps", "count", "{steps}", "41950-7", .routine, "steps", "StepCount", 0...200000),
    row(
      .distance, "Distance", "m", "m", "55430-3", .routine, "distance", "DistanceWalkingRunning",
      0...500000),
    row(
      .floors, "Floors climbed", "count", "{floors}", nil, .routine, "floors", "FlightsClimbed",
      0...5000),
    row(
      .energyBurned, "Energy burned", "kcal", "kcal", "41981-2", .routine, "calories_burned", nil,
      0...20000),
    row(
      .activeDuration, "Active time", "s", "s", "55411-3", .fitness, "duration", nil, 0...86400),
  ]

  private static let sleep: [MetricDefinition] = [
    row(
      .sleepDuration, "Sleep", "s", "s", "93832-4", .sleep, "total_sleep", "SleepAnalysis",
      0...86400),
    row(.deepSleep, "Deep sleep", "s", "s", "93831-6", .sleep, "deep", nil, 0...86400),
    row(.lightSleep, "Light sleep", "s", "s", "93830-8", .sleep, "light", nil, 0...86400),
    row(.remSleep, "REM sleep", "s", "s", "93829-0", .sleep, "rem", nil, 0...86400),
    row(.awakeDuration, "Awake in bed", "s", "s", "93828-2", .sleep, "awake", nil, 0...86400),
  ]

  private static let nutrition: [MetricDefinition] = [
    row(
      .energyConsumed, "Energy consumed", "kcal", "kcal", "9052-2", .nutrition, "calories",
      "DietaryEnergyConsumed", 0...20000),
    row(
      .carbohydrate, "Carbohydrate", "g", "g", "9059-7", .nutrition, "carbohydrates",
      "DietaryCarbohydrates", 0...2000),
    row(.water, "Water", "mL", "mL", nil, .nutrition, "water", "DietaryWater", 0...20000),
  ]

  private static func row(
    _ type: MetricType, _ name: String, _ unit: String, _ ucum: String, _ loinc: String?,
    _ record: LegacyRecord, _ field: String?, _ healthKit: String?, _ plausible: ClosedRange<Double>
  ) -> MetricDefinition {
    let prefix =
      type == .sleepDuration ? "HKCategoryTypeIdentifier" : "HKQuantityTypeIdentifier"
    return MetricDefinition(
      type: type, displayName: name, unit: unit, ucum: ucum, loinc: loinc, legacyRecord: record,
      legacyField: field, healthKitIdentifier: healthKit.map { prefix + $0 }, plausible: plausible)
  }
}

extension MetricType {
  /// Systolic blood pressure in mmHg.
  public static let systolic = MetricType(rawValue: "systolic")
  /// Diastolic blood pressure in mmHg.
  public static let diastolic = MetricType(rawValue: "diastolic")
  /// Mean arterial pressure in mmHg.
  public static let meanArterialPressure = MetricType(rawValue: "mean_arterial_pressure")
  /// Blood glucose in mg/dL.
  public static let bloodGlucose = MetricType(rawValue: "blood_glucose")
  /// Blood ketone in mmol/L.
  public static let bloodKetone = MetricType(rawValue: "blood_ketone")
  /// Haemoglobin A1c in per cent.
  public static let hba1c = MetricType(rawValue: "hba1c")
  /// International normalised ratio of prothrombin time.
  public static let inr = MetricType(rawValue: "inr")
  /// Oxygen saturation in per cent.
  public static let oxygenSaturation = MetricType(rawValue: "spo2")
  /// Pulse rate in beats per minute.
  public static let pulse = MetricType(rawValue: "pulse")
  /// Resting heart rate in beats per minute.
  public static let restingHeartRate = MetricType(rawValue: "resting_heart_rate")
  /// Average heart rate in beats per minute.
  public static let averageHeartRate = MetricType(rawValue: "avg_heart_rate")
  /// Peripheral perfusion index in per cent.
  public static let perfusionIndex = MetricType(rawValue: "perfusion_index")
  /// Body weight in kilograms.
  public static let bodyWeight = MetricType(rawValue: "body_weight")
  /// Body height in centimetres.
  public static let bodyHeight = MetricType(rawValue: "body_height")
  /// Body mass index in kg/m².
  public static let bmi = MetricType(rawValue: "bmi")
  /// Body fat in per cent of weight.
  public static let bodyFat = MetricType(rawValue: "body_fat")
  /// Body fat in kilograms.
  public static let bodyFatMass = MetricType(rawValue: "body_fat_mass")
  /// Lean body mass in kilograms.
  public static let bodyLeanMass = MetricType(rawValue: "body_lean_mass")
  /// Muscle in per cent of weight.
  public static let bodyMuscle = MetricType(rawValue: "body_muscle")
  /// Muscle in kilograms.
  public static let bodyMuscleMass = MetricType(rawValue: "body_muscle_mass")
  /// Body water in kilograms.
  public static let bodyWaterMass = MetricType(rawValue: "body_water_mass")
  /// Basal metabolic rate in kilocalories a day.
  public static let basalMetabolicRate = MetricType(rawValue: "basal_metabolic_rate")
  /// Body temperature in degrees Celsius.
  public static let bodyTemperature = MetricType(rawValue: "body_temperature")
  /// Breaths a minute.
  public static let respiratoryRate = MetricType(rawValue: "respiratory_rate")
  /// Steps.
  public static let steps = MetricType(rawValue: "steps")
  /// Distance in metres.
  public static let distance = MetricType(rawValue: "distance")
  /// Floors climbed.
  public static let floors = MetricType(rawValue: "floors")
  /// Energy burned in kilocalories.
  public static let energyBurned = MetricType(rawValue: "energy_burned")
  /// Active time in seconds.
  public static let activeDuration = MetricType(rawValue: "active_duration")
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
  /// Energy consumed in kilocalories.
  public static let energyConsumed = MetricType(rawValue: "energy_consumed")
  /// Carbohydrate in grams.
  public static let carbohydrate = MetricType(rawValue: "carbohydrate")
  /// Water in millilitres.
  public static let water = MetricType(rawValue: "water")
}
