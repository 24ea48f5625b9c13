// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import Testing

@Suite struct `Table of metrics` {
  @Test func `names each metric once`() {
    #expect(Set(MetricTable.rows.map(\.type)).count == MetricTable.rows.count)
    #expect(Set(MetricTable.rows.map(\.displayName)).count == MetricTable.rows.count)
  }

  @Test func `gives no field or LOINC code to two metrics of one meaning`() {
    let fields = MetricTable.rows.flatMap { row in
      row.legacyFields.map { "\($0.key.rawValue).\($0.value)" }
    }
    #expect(Set(fields).count == fields.count)
    let codes = MetricTable.rows.compactMap(\.loinc?.code)
    #expect(Set(codes).count == codes.count)
  }

  @Test(arguments: MetricTable.rows)
  func `is filled in every row`(row: MetricDefinition) {
    #expect(row.type.definition == row)
    #expect(row.type.rawValue.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_".contains($0) })
    #expect(!row.displayName.isEmpty && !row.unit.isEmpty && !row.ucum.isEmpty)
    #expect(row.plausible.lowerBound < row.plausible.upperBound)
    #expect(row.plausible.lowerBound.isFinite && row.plausible.upperBound.isFinite)
  }

  /// The snake-case names of the fields of Validic's public 1.x headers.
  private static let legacyFields: [(LegacyRecord, [String])] = [
    (
      .biometrics,
      [
        "blood_calcium", "blood_chromium", "blood_folic_acid", "blood_magnesium",
        "blood_potassium", "blood_sodium", "blood_vitamin_b12", "blood_zinc", "creatine_kinase",
        "crp", "diastolic", "ferritin", "hdl", "hscrp", "il6", "ldl", "resting_heartrate",
        "systolic", "testosterone", "total_cholesterol", "tsh", "uric_acid", "vitamin_d",
        "white_cell_count", "spo2", "temperature",
      ]
    ),
    (
      .diabetes,
      [
        "c_peptide", "fasting_plasma_glucose_test", "hba1c", "insulin",
        "oral_glucose_tolerance_test", "random_plasma_glucose_test", "triglyceride",
        "blood_glucose",
      ]
    ),
    (.fitness, ["distance", "duration", "calories"]),
    (
      .nutrition, ["calories", "carbohydrates", "fat", "fiber", "protein", "sodium", "water"]
    ),
    (
      .routine,
      ["steps", "distance", "floors", "elevation", "calories_burned", "active_duration"]
    ),
    (.sleep, ["total_sleep", "awake", "deep", "light", "rem", "times_woken"]),
    (.weight, ["weight", "height", "free_mass", "fat_percent", "mass_weight", "bmi"]),
  ]

  @Test(arguments: legacyFields)
  func `has a metric for every field of the Legacy API`(record: LegacyRecord, fields: [String]) {
    let known = MetricTable.rows.compactMap { $0.legacyFields[record] }
    #expect(Set(known) == Set(fields))
    #expect(known.count == fields.count)
  }

  /// The codes and units that the vital-signs profiles of FHIR R4 require.
  @Test(arguments: [
    ("systolic", "8480-6", "mm[Hg]"), ("diastolic", "8462-4", "mm[Hg]"),
    ("pulse", "8867-4", "/min"), ("respiratory_rate", "9279-1", "/min"),
    ("spo2", "2708-6", "%"), ("body_temperature", "8310-5", "Cel"),
    ("body_height", "8302-2", "cm"), ("body_weight", "29463-7", "kg"),
    ("bmi", "39156-5", "kg/m2"),
  ])
  func `carries the codes of the vital signs`(name: String, loinc: String, ucum: String) throws {
    let row = try #require(MetricType(rawValue: name).definition)
    #expect(row.loinc?.code == loinc)
    #expect(row.ucum == ucum)
  }

  @Test func `knows the fields of a metric in several classes`() throws {
    let distance = try #require(MetricType.distance.definition)
    #expect(distance.legacyFields == [.routine: "distance", .fitness: "distance"])
    #expect(distance.legacyField == "distance")
    #expect(MetricType.pulse.definition?.legacyField == nil)
  }

  @Test func `knows the HealthKit types of a metric, the usual one first`() {
    func types(_ type: MetricType) -> [String]? { type.definition?.healthKitIdentifiers }

    #expect(
      types(.distance) == [
        "HKQuantityTypeIdentifierDistanceWalkingRunning",
        "HKQuantityTypeIdentifierDistanceCycling", "HKQuantityTypeIdentifierDistanceSwimming",
        "HKQuantityTypeIdentifierDistanceWheelchair",
        "HKQuantityTypeIdentifierDistanceDownhillSnowSports", "HKWorkoutTypeIdentifier",
      ])
    #expect(types(.deepSleep) == ["HKCategoryTypeIdentifierSleepAnalysis"])
    #expect(
      types(.systolic) == [
        "HKQuantityTypeIdentifierBloodPressureSystolic", "HKCorrelationTypeIdentifierBloodPressure",
      ])
    #expect(types(.idleHoursCount) == types(.standHoursCount))
    #expect(types(.inr) == [])
    for row in MetricTable.rows {
      #expect(Set(row.healthKitIdentifiers).count == row.healthKitIdentifiers.count)
    }
  }

  @Test func `names the values that are codes`() {
    #expect(Metric(.menstrualFlow, 4).valueName == "heavy")
    #expect(Metric(.menstrualFlow, 4.5).valueName == nil)
    #expect(Metric(.menstrualFlow, 6).valueName == nil)
    #expect(Metric(.menstrualFlow, 4, unit: "mL").valueName == nil)
    #expect(Metric(.steps, 4).valueName == nil)
    for row in MetricTable.rows where row.unit == "code" {
      #expect(!row.valueNames.isEmpty)
      for code in row.valueNames.keys { #expect(row.plausible.contains(Double(code))) }
    }
  }

  @Test func `judges plausibility in its own unit only`() {
    #expect(Metric(.systolic, 120).isPlausible)
    #expect(!Metric(.systolic, 2047).isPlausible)
    #expect(!Metric(.systolic, .nan).isPlausible)
    #expect(Metric(.systolic, 16, unit: "kPa").isPlausible)
    #expect(Metric(MetricType(rawValue: "other"), 1e9).isPlausible)
  }
}
