// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// Weight, the composition of the body and its measures.
  static let body: [MetricDefinition] = [
    row(
      .bodyWeight, "Body weight", "kg", "kg", 0.2...650, loinc: .loinc("29463-7", .vitalSigns),
      mdc: .mdc(188_736), .weight, "weight", quantity: "BodyMass"),
    row(
      .bodyHeight, "Body height", "cm", "cm", 20...280, loinc: .loinc("8302-2", .vitalSigns),
      mdc: .mdc(188_740), .weight, "height", quantity: "Height"),
    row(
      .bmi, "Body mass index", "kg/m2", "kg/m2", 5...150, loinc: .loinc("39156-5", .vitalSigns),
      mdc: .mdc(188_752), .weight, "bmi", quantity: "BodyMassIndex"),
    row(
      .bodyFat, "Body fat", "%", "%", 1...80, loinc: .loinc("41982-0"), mdc: .mdc(188_748), .weight,
      "fat_percent", quantity: "BodyFatPercentage"),
    row(
      .bodyFatMass, "Body fat mass", "kg", "kg", 0.1...400, loinc: .loinc("73708-0"), .weight),
    row(
      .bodyLeanMass, "Lean body mass", "kg", "kg", 0.2...300, loinc: .loinc("91557-9"),
      mdc: .mdc(188_756), .weight, "free_mass", quantity: "LeanBodyMass"),
    row(
      .massWeight, "Mass weight", "kg", "kg", 0.1...650, .weight, "mass_weight"),
    row(
      .bodyMuscle, "Muscle percentage", "%", "%", 1...90, loinc: .loinc("73965-6"),
      mdc: .mdc(188_772), .weight),
    row(
      .bodyMuscleMass, "Muscle mass", "kg", "kg", 0.1...300, loinc: .loinc("73964-9"),
      mdc: .mdc(188_776), .weight),
    row(
      .bodyWater, "Body water", "%", "%", 1...90, loinc: .loinc("101684-9"), .weight),
    row(
      .bodyWaterMass, "Body water mass", "kg", "kg", 0.1...300, loinc: .loinc("101683-1"),
      mdc: .mdc(188_764), .weight),
    row(
      .bodyBone, "Bone percentage", "%", "%", 0.1...30, loinc: .loinc("101686-4"), .weight),
    row(
      .bodyBoneMass, "Bone mass", "kg", "kg", 0.05...30, .weight),
    row(
      .softLeanMass, "Soft lean mass", "kg", "kg", 0.2...300, mdc: .mdc(188_760), .weight),
    row(
      .bodyImpedance, "Electrical impedance of the body", "Ohm", "Ohm", 10...5000,
      mdc: .mdc(188_780), .weight),
    row(
      .visceralFat, "Visceral fat", "score", "{score}", 0...100, .weight),
    row(
      .basalMetabolicRate, "Basal metabolic rate", "kcal", "kcal/d", 200...10000,
      mdc: .mdc(188_768), .weight),
    row(
      .bodyTemperature, "Body temperature", "°C", "Cel", 25...45,
      loinc: .loinc("8310-5", .vitalSigns), mdc: .mdc(150_364, .deviceGuide), .biometrics,
      "temperature", quantity: "BodyTemperature"),
    row(
      .bodyTemperatureDeviation, "Deviation of body temperature", "°C", "Cel", -10...10,
      .biometrics),
    row(
      .bodyArms, "Girth of arms", "cm", "cm", 5...150, .weight),
    row(
      .bodyChest, "Girth of chest", "cm", "cm", 20...300, .weight),
    row(
      .bodyHips, "Girth of hips", "cm", "cm", 20...400, .weight),
    row(
      .bodyWaist, "Girth of waist", "cm", "cm", 20...400, .weight, quantity: "WaistCircumference"),
    row(
      .bodyThighs, "Girth of thighs", "cm", "cm", 5...200, .weight),
  ]
}

extension MetricType {
  /// Body weight in kilograms.
  public static let bodyWeight = MetricType(rawValue: "body_weight")
  /// Body height in centimetres.
  public static let bodyHeight = MetricType(rawValue: "body_height")
  /// Body mass index in kg/m2.
  public static let bmi = MetricType(rawValue: "bmi")
  /// Body fat in per cent.
  public static let bodyFat = MetricType(rawValue: "body_fat")
  /// Body fat mass in kilograms.
  public static let bodyFatMass = MetricType(rawValue: "body_fat_mass")
  /// Lean body mass in kilograms.
  public static let bodyLeanMass = MetricType(rawValue: "body_lean_mass")
  /// The Legacy API's `mass_weight` in kilograms, which nothing published explains.
  public static let massWeight = MetricType(rawValue: "mass_weight")
  /// Muscle percentage in per cent.
  public static let bodyMuscle = MetricType(rawValue: "body_muscle")
  /// Muscle mass in kilograms.
  public static let bodyMuscleMass = MetricType(rawValue: "body_muscle_mass")
  /// Body water in per cent.
  public static let bodyWater = MetricType(rawValue: "body_water")
  /// Body water mass in kilograms.
  public static let bodyWaterMass = MetricType(rawValue: "body_water_mass")
  /// Bone percentage in per cent.
  public static let bodyBone = MetricType(rawValue: "body_bone")
  /// Bone mass in kilograms.
  public static let bodyBoneMass = MetricType(rawValue: "body_bone_mass")
  /// Lean mass without bone, in kg.
  public static let softLeanMass = MetricType(rawValue: "soft_lean_mass")
  /// Electrical impedance of the body, in Ω.
  public static let bodyImpedance = MetricType(rawValue: "body_impedance")
  /// Visceral fat.
  public static let visceralFat = MetricType(rawValue: "visceral_fat")
  /// Basal metabolic rate in kilocalories a day.
  public static let basalMetabolicRate = MetricType(rawValue: "basal_metabolic_rate")
  /// Body temperature in degrees Celsius.
  public static let bodyTemperature = MetricType(rawValue: "body_temperature")
  /// Deviation of body temperature in degrees Celsius.
  public static let bodyTemperatureDeviation = MetricType(rawValue: "body_temperature_deviation")
  /// Girth of arms in centimetres.
  public static let bodyArms = MetricType(rawValue: "body_arms")
  /// Girth of chest in centimetres.
  public static let bodyChest = MetricType(rawValue: "body_chest")
  /// Girth of hips in centimetres.
  public static let bodyHips = MetricType(rawValue: "body_hips")
  /// Girth of waist in centimetres.
  public static let bodyWaist = MetricType(rawValue: "body_waist")
  /// Girth of thighs in centimetres.
  public static let bodyThighs = MetricType(rawValue: "body_thighs")
}
