// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// Values of the laboratory, as the Legacy API knows them.
  static let laboratory: [MetricDefinition] = [
    row(
      .totalCholesterol, "Total cholesterol", "mg/dL", "mg/dL", 20...2000, loinc: .loinc("2093-3"),
      .biometrics, "total_cholesterol"),
    row(
      .hdl, "HDL cholesterol", "mg/dL", "mg/dL", 1...300, loinc: .loinc("2085-9"), .biometrics,
      "hdl"),
    row(
      .ldl, "LDL cholesterol", "mg/dL", "mg/dL", 1...1500, loinc: .loinc("2089-1"), .biometrics,
      "ldl"),
    row(
      .bloodCalcium, "Blood calcium", "mg/dL", "mg/dL", 2...25, loinc: .loinc("17861-6"),
      .biometrics, "blood_calcium"),
    row(
      .bloodChromium, "Blood chromium", "µg/L", "ug/L", 0...1000, .biometrics, "blood_chromium"),
    row(
      .bloodFolicAcid, "Blood folic acid", "ng/mL", "ng/mL", 0...500, loinc: .loinc("2284-8"),
      .biometrics, "blood_folic_acid"),
    row(
      .bloodMagnesium, "Blood magnesium", "mg/dL", "mg/dL", 0.1...20, loinc: .loinc("19123-9"),
      .biometrics, "blood_magnesium"),
    row(
      .bloodPotassium, "Blood potassium", "mEq/L", "meq/L", 0.5...15, loinc: .loinc("2823-3"),
      .biometrics, "blood_potassium"),
    row(
      .bloodSodium, "Blood sodium", "mEq/L", "meq/L", 80...220, loinc: .loinc("2951-2"),
      .biometrics, "blood_sodium"),
    row(
      .bloodVitaminB12, "Blood vitamin B12", "pg/mL", "pg/mL", 0...100_000, loinc: .loinc("2132-9"),
      .biometrics, "blood_vitamin_b12"),
    row(
      .bloodZinc, "Blood zinc", "µg/dL", "ug/dL", 0...1000, loinc: .loinc("5763-8"), .biometrics,
      "blood_zinc"),
    row(
      .creatineKinase, "Creatine kinase", "U/L", "U/L", 0...500_000, loinc: .loinc("2157-6"),
      .biometrics, "creatine_kinase"),
    row(
      .cReactiveProtein, "C-reactive protein", "mg/L", "mg/L", 0...1000, loinc: .loinc("1988-5"),
      .biometrics, "crp"),
    row(
      .highSensitivityCRP, "High-sensitivity C-reactive protein", "mg/L", "mg/L", 0...1000,
      loinc: .loinc("30522-7"), .biometrics, "hscrp"),
    row(
      .ferritin, "Ferritin", "ng/mL", "ng/mL", 0...100_000, loinc: .loinc("2276-4"), .biometrics,
      "ferritin"),
    row(
      .interleukin6, "Interleukin 6", "pg/mL", "pg/mL", 0...100_000, loinc: .loinc("26881-3"),
      .biometrics, "il6"),
    row(
      .testosterone, "Testosterone", "ng/dL", "ng/dL", 0...10000, loinc: .loinc("2986-8"),
      .biometrics, "testosterone"),
    row(
      .thyrotropin, "Thyrotropin", "mIU/L", "m[IU]/L", 0...1000, loinc: .loinc("3016-3"),
      .biometrics, "tsh"),
    row(
      .uricAcid, "Uric acid", "mg/dL", "mg/dL", 0.1...50, loinc: .loinc("3084-1"), .biometrics,
      "uric_acid"),
    row(
      .vitaminD, "Vitamin D", "ng/mL", "ng/mL", 0...1000, .biometrics, "vitamin_d"),
    row(
      .whiteCellCount, "White cell count", "cells/µL", "/uL", 0...1_000_000,
      loinc: .loinc("26464-8"), .biometrics, "white_cell_count"),
  ]
}

extension MetricType {
  /// Total cholesterol in mg/dL.
  public static let totalCholesterol = MetricType(rawValue: "total_cholesterol")
  /// HDL cholesterol in mg/dL.
  public static let hdl = MetricType(rawValue: "hdl")
  /// LDL cholesterol in mg/dL.
  public static let ldl = MetricType(rawValue: "ldl")
  /// Blood calcium in mg/dL.
  public static let bloodCalcium = MetricType(rawValue: "blood_calcium")
  /// Blood chromium in µg/L.
  public static let bloodChromium = MetricType(rawValue: "blood_chromium")
  /// Blood folic acid in ng/mL.
  public static let bloodFolicAcid = MetricType(rawValue: "blood_folic_acid")
  /// Blood magnesium in mg/dL.
  public static let bloodMagnesium = MetricType(rawValue: "blood_magnesium")
  /// Blood potassium in mEq/L.
  public static let bloodPotassium = MetricType(rawValue: "blood_potassium")
  /// Blood sodium in mEq/L.
  public static let bloodSodium = MetricType(rawValue: "blood_sodium")
  /// Blood vitamin B12 in pg/mL.
  public static let bloodVitaminB12 = MetricType(rawValue: "blood_vitamin_b12")
  /// Blood zinc in µg/dL.
  public static let bloodZinc = MetricType(rawValue: "blood_zinc")
  /// Creatine kinase in U/L.
  public static let creatineKinase = MetricType(rawValue: "creatine_kinase")
  /// C-reactive protein in mg/L.
  public static let cReactiveProtein = MetricType(rawValue: "crp")
  /// High-sensitivity C-reactive protein in mg/L.
  public static let highSensitivityCRP = MetricType(rawValue: "hscrp")
  /// Ferritin in ng/mL.
  public static let ferritin = MetricType(rawValue: "ferritin")
  /// Interleukin 6 in pg/mL.
  public static let interleukin6 = MetricType(rawValue: "il6")
  /// Testosterone in ng/dL.
  public static let testosterone = MetricType(rawValue: "testosterone")
  /// Thyrotropin in mIU/L.
  public static let thyrotropin = MetricType(rawValue: "tsh")
  /// Uric acid in mg/dL.
  public static let uricAcid = MetricType(rawValue: "uric_acid")
  /// Vitamin D in ng/mL.
  public static let vitaminD = MetricType(rawValue: "vitamin_d")
  /// White cell count in cells/µL.
  public static let whiteCellCount = MetricType(rawValue: "white_cell_count")
}
