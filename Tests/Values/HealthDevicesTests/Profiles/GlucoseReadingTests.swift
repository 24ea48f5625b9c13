// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing
import HealthRecords

private func reading(
  _ measurement: String, _ context: String? = nil, _ dialect: GlucoseDialect = GlucoseDialect()
) throws -> DeviceReading {
  let record = GlucoseRecord(
    measurement: try GlucoseMeasurement(payload: try bytes(measurement)),
    context: try context.map { try GlucoseMeasurementContext(payload: try bytes($0)) })
  return DeviceReading(record, dialect: dialect)
}

private let start = "0700 EA070301000A00"

@Suite struct `Readings of a glucose meter` {
  @Test(
    arguments: [
      ("02", "62B0 11", 98, nil), ("06", "36C0 11", 97.28, "5.4"),
      ("06", "CAC0 11", 363.92, "20.2"), ("02", "58B2 11", 600, nil), ("02", "01D0 11", 100, nil),
      ("06", "10C1 F1", 490.02, "27.2"), ("06", "32C0 11", 90.08, "5.0"),
      ("06", "05D0 11", 90.08, "5"), ("06", "26B2 11", 99.09, "5.50"),
    ] as [(String, String, Double, String?)])
  func `are in mg/dL, rounded to hundredths, beside what the meter shows`(
    flags: String, sample: String, value: Double, shown: String?
  ) throws {
    let reading = try reading("\(flags) \(start) \(sample)")

    #expect(reading.values.map(\.type) == [.bloodGlucose])
    #expect(reading.values.map(\.value) == [value])
    #expect(reading.values.map(\.unit) == ["mg/dL"])
    #expect(reading.values.map(\.shown) == [shown.flatMap { ShownValue($0, unit: "mmol/L") }])
    #expect(reading.rejection == nil)
  }

  @Test(
    arguments: [
      ("0A", "62B0 1A 0000", .control), ("0A", "62B0 41 0000", .control),
      ("0A", "FF07 1A 0008", .control), ("0A", "62B0 1A 2000", .control),
      ("0A", "62B0 11 0200", .failedMeasurement), ("0A", "62B0 11 0400", .failedMeasurement),
      ("0A", "62B0 11 0800", .failedMeasurement), ("0A", "62B0 11 1000", .failedMeasurement),
      ("0A", "62B0 11 8000", .failedMeasurement), ("0A", "62B0 11 0001", .failedMeasurement),
      ("0A", "62B0 11 0002", .failedMeasurement), ("0A", "62B0 11 0004", .failedMeasurement),
      ("02", "FF07 11", .failedMeasurement), ("02", "0008 11", .failedMeasurement),
      ("02", "0000 11", .failedMeasurement),
    ] as [(String, String, RejectedReading.Reason)])
  func `are refused with a reason, and without a value`(
    flags: String, rest: String, refusal: RejectedReading.Reason
  ) throws {
    let reading = try reading("\(flags) \(start) \(rest)")

    #expect(reading.rejection?.reason == refusal)
    #expect(reading.values.isEmpty)
    #expect(reading.rejection?.message.hasSuffix(".") == true)
    #expect(reading.sequenceNumber == 7)
    #expect(reading.identityTime?.year == 2026)
    #expect(reading.payload == (try bytes("\(flags) \(start) \(rest)")))
  }

  @Test func `of an error record without a result are refused`() throws {
    #expect(try reading("08 \(start) 0100").rejection?.reason == .failedMeasurement)
    #expect(try reading("00 \(start)").rejection?.reason == .failedMeasurement)
  }

  @Test(
    arguments: [
      ("58B2 11 2000", "high", 600), ("14B0 11 4000", "low", 20),
    ] as [(String, String, Double)])
  func `beyond the meter's range keep the number as a bound`(
    rest: String, side: String, value: Double
  ) throws {
    let reading = try reading("0A \(start) \(rest)")

    #expect(
      reading.values == [.init(.bloodGlucose, value, bound: side == "high" ? .above : .below)])
    #expect(reading.findings.first == .init("out_of_bounds_blood_glucose", side))
  }

  @Test(
    arguments: [
      ("02", "FE07 11", .aboveRange), ("02", "0208 11", .belowRange),
      ("0A", "0008 11 2000", .aboveRange), ("0A", "0008 11 4000", .belowRange),
    ] as [(String, String, Metric.Absence)])
  func `that a meter shows as HI or LO are readings without a number`(
    flags: String, rest: String, absence: Metric.Absence
  ) throws {
    let reading = try reading("\(flags) \(start) \(rest)")

    #expect(reading.values == [.init(.bloodGlucose, absent: absence)])
    #expect(reading.rejection == nil)
    #expect(
      reading.findings.first
        == .init("out_of_bounds_blood_glucose", absence == .aboveRange ? "high" : "low"))
    #expect(reading.sequenceNumber == 7)
  }

  @Test func `of another fluid are glucose, but for an Accu-Chek`() throws {
    #expect(
      try reading("02 \(start) 0208 11").findings.first
        == .init("out_of_bounds_blood_glucose", "low"))
  }

  @Test func `report battery, clock fault, kind and place of the sample`() throws {
    #expect(
      try reading("0A \(start) 62B0 22 0108").findings == [
        .init("battery_low"), .init("time_fault"), .init("sample_type", "capillary_plasma"),
        .init("sample_location", "alternate_site"),
      ])
  }

  @Test func `leave out what is reserved or not available`() throws {
    #expect(try reading("02 \(start) 62B0 F0").findings.isEmpty)
  }

  @Test(
    arguments: [
      ("01", .before), ("02", .after), ("03", .fasting), ("04", .random), ("05", nil), ("06", nil),
    ] as [(String, MealRelationship?)])
  func `have a relation to a meal`(meal: String, relation: MealRelationship?) throws {
    let reading = try reading("12 \(start) 62B0 11", "02 0700 \(meal)")

    #expect(reading.mealRelationship == relation)
    #expect(reading.findings.contains(.init("meal", "bedtime")) == (meal == "05"))
    #expect(reading.values == [.init(.bloodGlucose, 98)])
  }

  @Test func `have all values of a context`() throws {
    let reading = try reading(
      "12 \(start) 62B0 11", "5F 0700 02 2DD0 02 51 0807 3C 04 0AA0 3FF0")

    #expect(reading.values == [.init(.bloodGlucose, 98)])
    #expect(
      reading.findings.dropFirst(2) == [
        .init("carbohydrate", "lunch"), .init("tester", "self"), .init("health", "no_issues"),
        .init("medication", "long_acting_insulin"), .init("carbohydrate_grams", "45"),
        .init("exercise_seconds", "1800"), .init("exercise_intensity_percent", "60"),
        .init("hba1c_percent", "6.3"),
      ])
  }

  @Test func `have no time where the base time is none`() throws {
    let reading = try reading("02 0700 EA070D01000A00 62B0 11")

    #expect(reading.clock == nil)
    #expect(reading.identityTime == nil)
    #expect(reading.values == [.init(.bloodGlucose, 98)])
  }
}

@Suite struct `Readings of manufacturers' glucose meters` {
  @Test func `of type 4 are readings, but not with an Accu-Chek`() throws {
    #expect(try reading("02 \(start) 62B0 14").values == [.init(.bloodGlucose, 98)])
    #expect(try reading("02 \(start) 62B0 14", nil, .accuChek).rejection?.reason == .control)
    #expect(try reading("02 \(start) 62B0 12", nil, .accuChek).rejection == nil)
  }

  @Test(
    arguments: [
      ("59B2 11", "high", 600), ("09B0 11", "low", 10), ("0AB0 11", nil, 10),
      ("58B2 11", nil, 600), ("20B3 11", "high", 600),
    ] as [(String, String?, Double)])
  func `are held within the range of an Accu-Chek`(
    sample: String, side: String?, value: Double
  ) throws {
    let reading = try reading("02 \(start) \(sample)", nil, .accuChek)

    let bound = side.map { $0 == "high" ? Metric.Bound.above : .below }
    #expect(reading.values == [.init(.bloodGlucose, value, bound: bound)])
    #expect(
      reading.findings.first { $0.name == "out_of_bounds_blood_glucose" }?.value == side)
  }

  @Test(
    arguments: [
      ("12", "0CB0 11", 1.2, false), ("12", "50B0 11", 8, false), ("12", "51B0 11", 8, true),
      ("16", "0CC0 11", 1.2, false), ("16", "51C0 11", 8, true),
    ])
  func `with meal 6 are ketones of a CareSens`(
    flags: String, sample: String, value: Double, isHigh: Bool
  ) throws {
    let reading = try reading("\(flags) \(start) \(sample)", "02 0700 06", .careSens)

    #expect(reading.values == [.init(.bloodKetone, value, bound: isHigh ? .above : nil)])
    #expect(reading.findings.contains(.init("out_of_bounds_blood_ketone", "high")) == isHigh)
    #expect(reading.mealRelationship == nil)
  }

  @Test func `whose announced context is missing are no readings of a CareSens`() throws {
    #expect(try reading("12 \(start) 0CB0 11", nil, .careSens).rejection?.reason == .malformed)
    #expect(try reading("02 \(start) 62B0 11", nil, .careSens).rejection == nil)
    #expect(try reading("12 \(start) 62B0 11").rejection == nil)
  }

  @Test func `of control solution are refused with ketones, too`() throws {
    #expect(
      try reading("12 \(start) 0CB0 1A", "02 0700 06", .careSens).rejection?.reason == .control)
  }
}
