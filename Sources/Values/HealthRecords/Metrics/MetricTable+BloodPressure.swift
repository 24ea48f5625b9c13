// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// Blood pressure and what else is read off the blood at the bedside.
  static let bloodPressure: [MetricDefinition] = [
    row(
      .systolic, "Systolic blood pressure", "mmHg", "mm[Hg]", 40...300,
      loinc: .loinc("8480-6", .vitalSigns), mdc: .mdc(150_021, .deviceGuide), .biometrics,
      "systolic", quantity: "BloodPressureSystolic",
      correlation: "BloodPressure"),
    row(
      .diastolic, "Diastolic blood pressure", "mmHg", "mm[Hg]", 20...200,
      loinc: .loinc("8462-4", .vitalSigns), mdc: .mdc(150_022, .deviceGuide), .biometrics,
      "diastolic", quantity: "BloodPressureDiastolic",
      correlation: "BloodPressure"),
    row(
      .meanArterialPressure, "Mean arterial pressure", "mmHg", "mm[Hg]", 30...250,
      loinc: .loinc("8478-0", .vitalSigns), mdc: .mdc(150_023, .deviceGuide), .biometrics),
    row(
      .oxygenSaturation, "Oxygen saturation", "%", "%", 1...100,
      loinc: .loinc("2708-6", .vitalSigns), mdc: .mdc(150_456, .deviceGuide), .biometrics, "spo2",
      quantity: "OxygenSaturation"),
    row(
      .averageOxygenSaturation, "Average oxygen saturation", "%", "%", 50...100,
      loinc: .loinc("103209-3"), .biometrics),
    row(
      .minimumOxygenSaturation, "Lowest oxygen saturation", "%", "%", 30...100, .biometrics),
    row(
      .maximumOxygenSaturation, "Highest oxygen saturation", "%", "%", 50...100, .biometrics),
    row(
      .perfusionIndex, "Perfusion index", "%", "%", 0...30, loinc: .loinc("61006-3"),
      mdc: .mdc(150_448), .biometrics, quantity: "PeripheralPerfusionIndex"),
    row(
      .inr, "INR", "INR", "{INR}", 0.5...20, loinc: .loinc("46418-0"), mdc: .mdc(160_260),
      .biometrics),
    row(
      .prothrombinTime, "Prothrombin time", "s", "s", 5...200, loinc: .loinc("46417-2"),
      mdc: .mdc(160_264), .biometrics),
  ]
}

extension MetricType {
  /// Systolic blood pressure in mmHg.
  public static let systolic = MetricType(rawValue: "systolic")
  /// Diastolic blood pressure in mmHg.
  public static let diastolic = MetricType(rawValue: "diastolic")
  /// Mean arterial pressure in mmHg.
  public static let meanArterialPressure = MetricType(rawValue: "mean_arterial_pressure")
  /// Oxygen saturation in per cent.
  public static let oxygenSaturation = MetricType(rawValue: "spo2")
  /// Average oxygen saturation in per cent.
  public static let averageOxygenSaturation = MetricType(rawValue: "avg_spo2")
  /// Lowest oxygen saturation in per cent.
  public static let minimumOxygenSaturation = MetricType(rawValue: "min_spo2")
  /// Highest oxygen saturation in per cent.
  public static let maximumOxygenSaturation = MetricType(rawValue: "max_spo2")
  /// Perfusion index in per cent.
  public static let perfusionIndex = MetricType(rawValue: "perfusion_index")
  /// International normalised ratio of prothrombin time.
  public static let inr = MetricType(rawValue: "inr")
  /// Prothrombin time in seconds.
  public static let prothrombinTime = MetricType(rawValue: "pt")
}
