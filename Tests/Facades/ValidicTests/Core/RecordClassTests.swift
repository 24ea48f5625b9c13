// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import Testing

@testable import ValidicCore

@Suite struct `Records under Validic's names` {
  /// A property of a class, and the field of the Legacy API that has its value.
  private typealias Property<Record: VLDRecord> = (
    field: String, path: ReferenceWritableKeyPath<Record, NSNumber?>
  )

  private func check<Record: VLDRecord>(
    _ record: LegacyRecord, _ properties: [Property<Record>], _ make: () -> Record
  ) throws {
    #expect(
      Set(properties.map(\.field)) == Set(MetricTable.rows.compactMap { $0.legacyFields[record] }))
    for property in properties {
      let made = make()
      #expect(made[keyPath: property.path] == nil)
      made[keyPath: property.path] = 42
      #expect(made[keyPath: property.path] == 42)
      #expect(made.content.legacyRecord == record)
      let form = String(decoding: try made.content.legacyForm().json, as: UTF8.self)
      #expect(form.contains("\"\(property.field)\":42"), "\(property.field)")
      made[keyPath: property.path] = nil
      #expect(made.content.metrics.isEmpty)
    }
  }

  @Test func `have a property for each field of the Legacy API`() throws {
    try check(
      .biometrics,
      [
        ("blood_calcium", \.bloodCalcium), ("blood_chromium", \.bloodChromium),
        ("blood_folic_acid", \.bloodFolicAcid), ("blood_magnesium", \.bloodMagnesium),
        ("blood_potassium", \.bloodPotassium), ("blood_sodium", \.bloodSodium),
        ("blood_vitamin_b12", \.bloodVitaminB12), ("blood_zinc", \.bloodZinc),
        ("creatine_kinase", \.creatineKinase), ("crp", \.crp), ("diastolic", \.diastolic),
        ("ferritin", \.ferritin), ("hdl", \.hdl), ("hscrp", \.hscrp), ("il6", \.il6),
        ("ldl", \.ldl), ("resting_heartrate", \.restingHeartrate), ("systolic", \.systolic),
        ("testosterone", \.testosterone), ("total_cholesterol", \.totalCholesterol),
        ("tsh", \.tsh), ("uric_acid", \.uricAcid), ("vitamin_d", \.vitaminD),
        ("white_cell_count", \.whiteCellCount), ("spo2", \.spo2), ("temperature", \.temperature),
      ], VLDBiometrics.init)
    try check(
      .diabetes,
      [
        ("c_peptide", \.cPeptide), ("fasting_plasma_glucose_test", \.fastingPlasmaGlucoseTest),
        ("hba1c", \.hba1c), ("insulin", \.insulin),
        ("oral_glucose_tolerance_test", \.oralGlucoseToleranceTest),
        ("random_plasma_glucose_test", \.randomPlasmaGlucoseTest),
        ("triglyceride", \.triglyceride), ("blood_glucose", \.bloodGlucose),
      ], VLDDiabetes.init)
    try check(
      .weight,
      [
        ("weight", \.weight), ("height", \.height), ("free_mass", \.freeMass),
        ("fat_percent", \.fatPercent), ("mass_weight", \.massWeight), ("bmi", \.bmi),
      ], VLDWeight.init)
    try check(
      .routine,
      [
        ("steps", \.steps), ("distance", \.distance), ("floors", \.floors),
        ("elevation", \.elevation), ("calories_burned", \.caloriesBurned),
        ("active_duration", \.activeDuration),
      ], VLDRoutine.init)
    try check(
      .sleep,
      [
        ("total_sleep", \.totalSleep), ("awake", \.awake), ("deep", \.deep), ("light", \.light),
        ("rem", \.rem), ("times_woken", \.timesWoken),
      ], VLDSleep.init)
    try check(
      .nutrition,
      [
        ("calories", \.calories), ("carbohydrates", \.carbohydrates), ("fat", \.fat),
        ("fiber", \.fiber), ("protein", \.protein), ("sodium", \.sodium), ("water", \.water),
      ], VLDNutrition.init)
    try check(
      .fitness,
      [("distance", \.distance), ("calories", \.calories), ("duration", \.duration)],
      VLDFitness.init)
  }

  @Test func `have Validic's numbers`() {
    let types: [VLDRecordType] = [
      .none, .biometrics, .diabetes, .weight, .routine, .nutrition, .fitness, .sleep,
      .intraDaySteps,
    ]
    #expect(types.map(\.rawValue) == Array(0...8))
    #expect(types.map { VLDRecord.newRecord(with: $0).recordType() } == types)
    #expect(
      types.map { VLDRecord.name(for: $0).isEmpty } == [true] + Array(repeating: false, count: 8))
    #expect(VLDDiabetesMealRelationship.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
    #expect(VLDDiabetesEvent.allCases.map(\.rawValue) == [0, 3, 4, 5, 6])
    #expect(VLDDiabetesOutOfRange.allCases.map(\.rawValue) == [0, 1, 2])
    #expect(VLDTemperatureUnit.allCases.map(\.rawValue) == [0, 1])
    #expect(VLDWeightUnit.allCases.map(\.rawValue) == [0, 1, 2])
    #expect(VLDGlucoseUnit.allCases.map(\.rawValue) == [0, 1])
    let peripherals: [VLDPeripheralType] = [
      .none, .thermometer, .bloodPressure, .heartRate, .glucoseMeter, .weightScale,
      .pulseOximeter,
    ]
    #expect(peripherals.map(\.rawValue) == Array(0...6))
  }

  @Test func `convert units`() throws {
    let temperature = VLDBiometrics()
    temperature.setTemperature(98.6, with: .fahrenheit)
    #expect(abs(try #require(temperature.temperature?.doubleValue) - 37) < 1e-9)
    #expect(
      abs(try #require(temperature.temperature(with: .fahrenheit)?.doubleValue) - 98.6) < 1e-9)
    let glucose = VLDDiabetes()
    glucose.setBloodGlucose(5.5, with: .MMOLL)
    #expect(abs(try #require(glucose.bloodGlucose?.doubleValue) - 99.1) < 0.1)
    #expect(abs(try #require(glucose.bloodGlucose(with: .MMOLL)?.doubleValue) - 5.5) < 1e-9)
    let weight = VLDWeight()
    weight.setWeight(11, with: .stones)
    #expect(abs(try #require(weight.weight?.doubleValue) - 69.853) < 0.001)
    #expect(abs(try #require(weight.weight(with: .pounds)?.doubleValue) - 154) < 1e-9)
    #expect(VLDRecord.unitString(forGlucoseUnit: .MMOLL) == "mmol/L")
    #expect(VLDRecord.unitString(forWeightUnit: .stones) == "st")
    #expect(VLDRecord.unitString(forTemperatureUnit: .fahrenheit) == "°F")
  }

  @Test func `show the pulse where no resting heart rate was measured`() {
    let record = VLDBiometrics(reading([Metric(.pulse, 61), Metric(.systolic, 120)]))
    #expect(record.restingHeartrate == 61)
    record.restingHeartrate = 62
    #expect(record.content.metrics.map(\.type) == [.pulse, .systolic])
    #expect(record.content.value(.pulse) == 62)
    let both = VLDBiometrics(reading([Metric(.pulse, 61), Metric(.restingHeartRate, 55)]))
    #expect(both.restingHeartrate == 55)
  }

  private func reading(_ metrics: [Metric]) -> HealthRecord {
    let date = Date(timeIntervalSince1970: 1_718_466_000)
    return HealthRecord(
      logID: "reading", time: RecordTime(start: date, origin: .device, received: date),
      source: RecordSource(
        type: .bluetooth,
        device: SourceDevice(manufacturer: "A&D", model: "UA-651BLE", peripheralID: 2)),
      metrics: metrics)
  }

  @Test func `keep what a device said, and mark what was changed`() {
    var content = reading([Metric(.systolic, 120), Metric(.diastolic, 80)])
    content.tags = [RecordTag(name: "irregular_pulse", value: "true")]
    let record = VLDBiometrics(content)
    #expect(record.originalSource == "A&D")
    #expect(record.intermediarySource == "ValidicMobile Bluetooth")
    #expect(record.source == "validicmobile" && record.sourceName == "ValidicMobile")
    #expect(record.sourcePeripheral == 2)
    #expect(record.peripheral()?.peripheralID == 2)
    record.systolic = 120
    #expect(record.content == content)
    record.systolic = 118
    #expect(record.content.metrics.map(\.origin) == [.manual, .device])
    #expect(record.content.tags == content.tags)
    record.timestamp = content.time.start
    #expect(record.content.time.origin == .device)
    record.timestamp = content.time.start - 60
    #expect(record.content.time.origin == .user)
    let own = VLDBiometrics()
    own.systolic = 118
    #expect(own.content.metrics.map(\.origin) == [.unknown])
  }

  @Test(arguments: [
    ("+02:00", 7200), ("-03:30", -12600), ("+0545", 20700), ("+00:00", 0),
  ])
  func `take an offset from UTC`(text: String, seconds: Int) {
    let record = VLDWeight()
    record.utcOffset = text
    #expect(record.content.time.utcOffsetSeconds == seconds)
    #expect(record.content.time.offsetOrigin == .userDefined)
  }

  @Test(arguments: ["", "+", "02:00", "+2:00", "+25:00", "+02:60", "+٠٢:٠٠", "Z", "+02:00:00"])
  func `leave an offset alone that is none`(text: String) {
    let record = VLDWeight()
    record.utcOffset = "+01:00"
    record.utcOffset = text
    #expect(record.utcOffset == "+01:00")
  }

  @Test func `have the offset of their zone at their time, unless it was set`() {
    let record = VLDWeight()
    let summer = Date(timeIntervalSince1970: 1_718_466_000)
    record.timestamp = summer
    #expect(record.content.time.utcOffsetSeconds == TimeZone.current.secondsFromGMT(for: summer))
    record.utcOffset = "+05:00"
    record.timestamp = summer + 86_400
    #expect(record.utcOffset == "+05:00")
  }

  @Test func `keep extras, also nested ones`() throws {
    let record = VLDWeight()
    record.weight = 70
    record.extras = [
      "text": "a", "number": 1.5, "whole": 1, "flag": true, "null": NSNull(),
      "list": [1, "b", false], "object": ["inner": ["deep": 2]],
      "date": Date(timeIntervalSince1970: 0),
    ]
    #expect(record.content.extras["flag"] == .flag(true))
    #expect(record.content.extras["whole"] == .number(1))
    #expect(record.content.extras["list"] == .list([.number(1), .text("b"), .flag(false)]))
    #expect(record.content.extras["object"] == .object(["inner": .object(["deep": .number(2)])]))
    #expect(record.content.extras["date"] == .text("1970-01-01T00:00:00Z"))
    #expect((record.extras["object"] as? [String: Any])?["inner"] is [String: Any])
    record.setExtraValue(nil, forKey: "text")
    record.setExtraValue(Data(), forKey: "bytes")
    #expect(record.content.extras["text"] == nil && record.content.extras["bytes"] == nil)
    #expect(throws: Never.self) { try record.content.informJSON() }
    record.comment = "after dinner"
    #expect(record.content.comment == "after dinner")
  }

  @Test func `keep what belongs to diabetes`() {
    let record = VLDDiabetes()
    for relationship in VLDDiabetesMealRelationship.allCases {
      record.relationshipToMeal = relationship
      #expect(record.relationshipToMeal == relationship)
    }
    #expect(record.content.mealRelationship == .fasting)
    for event in VLDDiabetesEvent.allCases {
      record.setDiabetesEvent(event)
      #expect(record.diabetesEvent() == event)
    }
    for range in VLDDiabetesOutOfRange.allCases {
      record.setOutOfRange(range)
      #expect(record.outOfRange() == range)
    }
    #expect(record.content.glucoseRange == .low)
  }

  @Test func `keep values over time`() throws {
    let start = Date(timeIntervalSince1970: 1_718_466_000)
    let record = VLDIntraDay()
    record.addValue(120, withStartDate: start, withEndDate: start + 900)
    record.addValue(80, withStartDate: start + 900, withEndDate: start + 1800)
    #expect(record.type == "steps" && record.unit == "count")
    #expect(record.start == start && record.end == start + 1800)
    #expect(record.entries.count == 2)
    #expect(((record.entries[1] as? [String: Any])?["value"] as? NSNumber) == 80)
    #expect(throws: Never.self) { try record.content.validate() }
    #expect(VLDRecord.record(of: record.content) is VLDIntraDay)
  }

  @Test func `keep a workout's times together`() {
    let record = VLDFitness()
    record.startTime = Date(timeIntervalSince1970: 0)
    record.duration = 1800
    #expect(record.content.time.end == Date(timeIntervalSince1970: 1800))
    record.timestamp = Date(timeIntervalSince1970: 60)
    #expect(record.content.time.end == Date(timeIntervalSince1970: 1860))
    record.type = "Running"
    record.intensity = "low"
    #expect(record.content.category == "Running" && record.content.intensity == "low")
  }

  @Test(arguments: [
    VLDRecordType.biometrics, .diabetes, .weight, .routine, .nutrition, .fitness, .sleep,
  ])
  func `are copied and archived whole`(type: VLDRecordType) throws {
    let record = VLDRecord.newRecord(with: type)
    let metric: MetricType =
      switch type {
      case .diabetes: .bloodGlucose
      case .weight: .bodyWeight
      case .routine: .steps
      case .nutrition: .water
      case .fitness: .distance
      case .sleep: .deepSleep
      default: .systolic
      }
    record.setNumber(100, of: metric)
    record.comment = "a"
    let copy = try #require(record.copy() as? VLDRecord)
    #expect(copy == record && copy.recordType() == type)
    copy.comment = "b"
    #expect(copy != record && record.comment == "a")
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: record, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: Swift.type(of: record), from: archive))
    #expect(read.recordType() == type)
    #expect(read.content.metrics == record.content.metrics)
    #expect(read.activityID == record.activityID && read.comment == "a")
  }

  @Test func `have models that are archived`() throws {
    func archived<Model: VLDModel>(_ model: Model) throws -> Model? {
      try NSKeyedUnarchiver.unarchivedObject(
        ofClass: Model.self,
        from: NSKeyedArchiver.archivedData(withRootObject: model, requiringSecureCoding: true))
    }
    let user = VLDUser(
      validicUserID: "u", organizationID: "o", accessToken: "t", marketplaceToken: "m")
    #expect(try archived(user) == user)
    #expect("\(user)" == "a user")
    let measurement = VLDMeasurement(value: "1.5", unit: "kg")
    #expect(try archived(measurement) == measurement)
    #expect(measurement.decimalValue == NSDecimalNumber(string: "1.5"))
    #expect(VLDMeasurement(dictionary: measurement.dictionaryRepresentation()) == measurement)
    let media = VLDMedia(
      RecordMedia(sha256: "00", contentType: "image/png", byteCount: 3, id: "i", url: "/u"))
    #expect(try archived(media)?.content == media.content)
    #expect((media.copy() as? VLDMedia)?.mediaID == "i")
    let (record, unnamed) = (VLDWeight(), VLDMedia())
    (record.weight, unnamed.mediaID) = (70, "m")
    record.addMedia(unnamed)
    #expect(try archived(record)?.media.map(\.mediaID) == ["m"])
    #expect(record.copy() as? VLDWeight == record)
    let other = try #require(record.copy() as? VLDWeight)
    other.addMedia(unnamed)
    #expect(other != record)
    let response = VLDServerResponse()
    (response.code, response.message, response.activityID) = (200, "ok", "a")
    #expect(try archived(response)?.code == 200)
    #expect(try archived(response)?.activityID == "a")
  }
}
