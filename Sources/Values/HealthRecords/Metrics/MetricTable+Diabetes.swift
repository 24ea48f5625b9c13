// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// Blood glucose and what goes with diabetes.
  static let diabetes: [MetricDefinition] = [
    row(
      .bloodGlucose, "Blood glucose", "mg/dL", "mg/dL", 10...800, loinc: .loinc("2339-0"),
      mdc: .mdc(160_020), .diabetes, "blood_glucose", quantity: "BloodGlucose"),
    row(
      .averageBloodGlucose, "Average blood glucose", "mg/dL", "mg/dL", 10...800, .diabetes),
    row(
      .fastingPlasmaGlucose, "Fasting plasma glucose", "mg/dL", "mg/dL", 10...800,
      loinc: .loinc("1558-6"), .diabetes, "fasting_plasma_glucose_test"),
    row(
      .randomPlasmaGlucose, "Random plasma glucose", "mg/dL", "mg/dL", 10...1000,
      loinc: .loinc("2345-7"), .diabetes, "random_plasma_glucose_test"),
    row(
      .oralGlucoseTolerance, "Oral glucose tolerance test", "mg/dL", "mg/dL", 10...1000, .diabetes,
      "oral_glucose_tolerance_test"),
    row(
      .hba1c, "Haemoglobin A1c", "%", "%", 3...25, loinc: .loinc("4548-4"), mdc: .mdc(160_220),
      .diabetes, "hba1c"),
    row(
      .cPeptide, "C-peptide", "ng/mL", "ng/mL", 0...50, loinc: .loinc("1986-9"), .diabetes,
      "c_peptide"),
    row(
      .insulin, "Insulin", "U", "[IU]", 0...1000, .diabetes, "insulin",
      quantity: "InsulinDelivery"),
    row(
      .triglyceride, "Triglyceride", "mg/dL", "mg/dL", 10...10000, loinc: .loinc("2571-8"),
      .diabetes, "triglyceride"),
    row(
      .bloodKetone, "Blood ketone", "mmol/L", "mmol/L", 0...15, loinc: .loinc("66441-7"),
      .diabetes),
    row(
      .glucoseKetoneIndex, "Glucose ketone index", "1", "1", 0...500, .diabetes),
    row(
      .glucoseManagementIndicator, "Glucose management indicator", "%", "%", 3...20,
      loinc: .loinc("97506-0", .glucoseGuide), .diabetes),
    row(
      .timeInTarget, "Time in target", "s", "s", 0...31_622_400, .diabetes),
    row(
      .timeAboveTarget, "Time above target", "s", "s", 0...31_622_400, .diabetes),
    row(
      .timeBelowTarget, "Time below target", "s", "s", 0...31_622_400, .diabetes),
    row(
      .timeAboveThreshold, "Time above threshold", "s", "s", 0...31_622_400, .diabetes),
    row(
      .timeBelowThreshold, "Time below threshold", "s", "s", 0...31_622_400, .diabetes),
    row(
      .hyperglycemicCount, "Times of high glucose", "count", "1", 0...10000, .diabetes),
    row(
      .hypoglycemicCount, "Times of low glucose", "count", "1", 0...10000, .diabetes),
    row(
      .glucoseVariation, "Coefficient of variation", "%", "%", 0...200,
      loinc: .loinc("104638-2", .glucoseGuide), .diabetes),
    row(
      .captureRate, "Capture rate", "%", "%", 0...100, loinc: .loinc("104637-4", .glucoseGuide),
      .diabetes),
    row(
      .scanCount, "Scans", "count", "1", 0...100_000, .diabetes),
    row(
      .daysWornCount, "Days worn", "count", "d", 0...366, loinc: .loinc("104636-6", .glucoseGuide),
      .diabetes),
  ]
}

extension MetricType {
  /// Blood glucose in mg/dL.
  public static let bloodGlucose = MetricType(rawValue: "blood_glucose")
  /// Average blood glucose in mg/dL.
  public static let averageBloodGlucose = MetricType(rawValue: "avg_blood_glucose")
  /// Fasting plasma glucose in mg/dL.
  public static let fastingPlasmaGlucose = MetricType(rawValue: "fasting_plasma_glucose_test")
  /// Random plasma glucose in mg/dL.
  public static let randomPlasmaGlucose = MetricType(rawValue: "random_plasma_glucose_test")
  /// Oral glucose tolerance test in mg/dL.
  public static let oralGlucoseTolerance = MetricType(rawValue: "oral_glucose_tolerance_test")
  /// Haemoglobin A1c in per cent.
  public static let hba1c = MetricType(rawValue: "hba1c")
  /// C-peptide in ng/mL.
  public static let cPeptide = MetricType(rawValue: "c_peptide")
  /// Insulin given, in international units.
  public static let insulin = MetricType(rawValue: "insulin")
  /// Triglyceride in mg/dL.
  public static let triglyceride = MetricType(rawValue: "triglyceride")
  /// Blood ketone in mmol/L.
  public static let bloodKetone = MetricType(rawValue: "blood_ketone")
  /// Glucose ketone index.
  public static let glucoseKetoneIndex = MetricType(rawValue: "glucose_ketone_index")
  /// Glucose management indicator in per cent.
  public static let glucoseManagementIndicator = MetricType(rawValue: "gmi")
  /// Time in target in seconds.
  public static let timeInTarget = MetricType(rawValue: "time_in_target")
  /// Time above target in seconds.
  public static let timeAboveTarget = MetricType(rawValue: "time_above_target")
  /// Time below target in seconds.
  public static let timeBelowTarget = MetricType(rawValue: "time_below_target")
  /// Time above threshold in seconds.
  public static let timeAboveThreshold = MetricType(rawValue: "time_above_threshold")
  /// Time below threshold in seconds.
  public static let timeBelowThreshold = MetricType(rawValue: "time_below_threshold")
  /// Times of high glucose.
  public static let hyperglycemicCount = MetricType(rawValue: "hyperglycemic_count")
  /// Times of low glucose.
  public static let hypoglycemicCount = MetricType(rawValue: "hypoglycemic_count")
  /// Coefficient of variation in per cent.
  public static let glucoseVariation = MetricType(rawValue: "coefficient_of_variation")
  /// Capture rate in per cent.
  public static let captureRate = MetricType(rawValue: "capture_rate")
  /// Scans.
  public static let scanCount = MetricType(rawValue: "scan_count")
  /// Days worn.
  public static let daysWornCount = MetricType(rawValue: "days_worn_count")
}
