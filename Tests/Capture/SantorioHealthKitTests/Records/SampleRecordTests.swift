// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioHealthKit
import Testing

@Suite struct `Records of samples` {
  private let start = Date(timeIntervalSince1970: 1_784_013_000)
  private let records: SampleRecords

  init() throws {
    records = SampleRecords(
      zones: ZoneHistory(try zone("Europe/Rome")), ownBundleIdentifier: "org.example.readings")
  }

  private func record(_ sample: HKSample) throws -> HealthRecord {
    try #require(records.record(of: sample, received: start + 3600))
  }

  // MARK: - Quantities

  @Test(arguments: [(97.0, "mg/dL", 97.0), (5.5, "mmol<180.1558800000541>/L", 99.0857)])
  func `have glucose in mg/dL`(value: Double, unit: String, expected: Double) throws {
    let record = try record(HKQuantitySample.of(.bloodGlucose, value, unit, start))
    #expect(record.values == ["blood_glucose": expected])
    #expect(record.mealRelationship == nil)
  }

  @Test(arguments: [(1, MealRelationship.before), (2, .after)])
  func `say how glucose relates to a meal`(code: Int, meal: MealRelationship) throws {
    let sample = HKQuantitySample.of(
      .bloodGlucose, 97, "mg/dL", start,
      [HKMetadataKeyBloodGlucoseMealTime: NSNumber(value: code)])
    #expect(try record(sample).mealRelationship == meal)
  }

  @Test func `have per cent where HealthKit has a fraction`() throws {
    #expect(
      try record(HKQuantitySample.of(.oxygenSaturation, 0.955, "%", start)).values == ["spo2": 95.5]
    )
    #expect(
      try record(HKQuantitySample.of(.bodyFatPercentage, 0.29, "%", start)).values == [
        "body_fat": 29
      ])
  }

  @Test func `say where a temperature was taken, and of what a heart rate is`() throws {
    let ear = HKQuantitySample.of(
      .bodyTemperature, 37, "degC", start, [HKMetadataKeyBodyTemperatureSensorLocation: 9])
    #expect(try record(ear).findings == ["measurement_location": "tympanum"])
    let rate = HKQuantitySample.of(
      .heartRate, 140, "count/min", start,
      [HKMetadataKeyHeartRateSensorLocation: 2, HKMetadataKeyHeartRateMotionContext: 2])
    #expect(try record(rate).findings == ["sensor_location": "wrist", "motion_context": "active"])
  }

  @Test func `have three figures of a sample of several heart rates`() async throws {
    let types: Set<HKSampleType> = [HKQuantityType(.heartRate), .workoutType()]
    let fixture = try await HealthFixture(types, sharing: types)
    let rates = [80.0, 120, 100].enumerated().map { index, rate in
      HKQuantitySample.of(.heartRate, rate, "count/min", start + Double(index) * 5)
    }
    let workout = HKWorkout(activityType: .running, start: start, end: start + 60)
    try await fixture.store.save(workout)
    try await fixture.store.addSamples(rates, to: workout)
    try fixture.phone.condenseWorkouts(endingBefore: start + 86_400)
    let sample = try #require(try await fixture.samples(HKQuantityType(.heartRate)).first)
    #expect(
      try record(sample).values == [
        "avg_heart_rate": 100, "min_heart_rate": 80, "max_heart_rate": 120,
      ])
  }

  @Test func `mark a value that no living person has`() throws {
    let record = try record(HKQuantitySample.of(.heartRate, 900, "count/min", start))
    #expect(record.values == ["pulse": 900])
    #expect(record.implausibleMetrics == [.pulse])
  }

  @Test func `are none of what is no number, adds up to a day or a night, or is unknown`() {
    let samples: [HKSample] = [
      HKQuantitySample.of(.heartRate, .nan, "count/min", start),
      HKQuantitySample.of(.stepCount, 100, "count", start),
      HKQuantitySample.of(.distanceCycling, 100, "m", start),
      HKQuantitySample.of(.uvExposure, 3, "count", start),
      HKCategorySample.of(.sleepAnalysis, 3, start, to: start + 60),
      HKCategorySample.of(.appleStandHour, 0, start, to: start + 3600),
    ]
    #expect(records.records(of: samples, received: start).isEmpty)
  }

  // MARK: - Time, source and identity

  @Test func `have the zone that a sample names, else that of the history`() throws {
    let named = HKQuantitySample.of(
      .bodyMass, 70, "kg", start, [HKMetadataKeyTimeZone: "America/New_York"])
    #expect(try record(named).time.utcOffsetSeconds == -14_400)
    #expect(try record(named).time.offsetOrigin == .source)
    for metadata in [nil, [HKMetadataKeyTimeZone: "Nowhere/Land"]] {
      let time = try record(HKQuantitySample.of(.bodyMass, 70, "kg", start, metadata)).time
      #expect(time.utcOffsetSeconds == 7200)
      #expect(time.offsetOrigin == .profile)
    }
  }

  @Test func `say whether a person typed a value in`() throws {
    let typed = try record(
      HKQuantitySample.of(.bodyMass, 70, "kg", start, [HKMetadataKeyWasUserEntered: true]))
    #expect(typed.metrics[0].origin == .manual)
    #expect(typed.time.origin == .user)
    #expect(typed.isValidated == false)
    let measured = try record(
      HKQuantitySample.of(.bodyMass, 70, "kg", start, [HKMetadataKeyWasUserEntered: false]))
    #expect(measured.metrics[0].origin == .device)
    #expect(measured.time.origin == .device)
    #expect(measured.isValidated == nil)
  }

  @Test func `name the device and the app, and never the source`() async throws {
    let fixture = try await HealthFixture([HKQuantityType(.bodyMass)])
    let device = HKDevice(
      name: "Scale", manufacturer: "A&D", model: "UC-352BLE", hardwareVersion: "2",
      firmwareVersion: "1.0.3", softwareVersion: nil, localIdentifier: "L1",
      udiDeviceIdentifier: nil)
    let sample = HKQuantitySample.of(
      .bodyMass, 70, "kg", start, device: device, [HKMetadataKeyDeviceSerialNumber: "S9"])
    let read = try await fixture.saved([sample], from: HealthFixture.watch)
    let record = try record(read[0])
    #expect(
      record.source.device
        == SourceDevice(
          id: "S9", manufacturer: "A&D", model: "UC-352BLE", serialNumber: "S9",
          firmwareRevision: "1.0.3"))
    #expect(
      record.extras == [
        "source_bundle_id": .text("com.apple.health.A1"), "source_version": .text("1.2"),
        "product_type": .text("Watch6,2"), "hardware_version": .text("2"),
      ])
    #expect(!String(decoding: try record.informJSON(), as: UTF8.self).contains("Sam"))
  }

  @Test func `have the product type as the model of a device that has no other`() async throws {
    let fixture = try await HealthFixture([HKQuantityType(.bodyMass)])
    let read = try await fixture.saved(
      [HKQuantitySample.of(.bodyMass, 70, "kg", start)], from: HealthFixture.iPhone)
    #expect(try record(read[0]).source.device == SourceDevice(model: "iPhone14,5"))
    let other = try await HealthFixture([HKQuantityType(.bodyMass)])
    let typed = try await other.saved(
      [HKQuantitySample.of(.bodyMass, 70, "kg", start)], from: HealthFixture.diary)
    #expect(try record(typed[0]).source.device == nil)
  }

  @Test func `can be named by what is left of a deleted sample`() async throws {
    let types = Set([
      HKQuantityType(.bodyMass), HKQuantityType(.bloodPressureSystolic),
      HKQuantityType(.bloodPressureDiastolic), .workoutType(), HKCategoryType(.menstrualFlow),
    ])
    let fixture = try await HealthFixture(types)
    let samples: [HKSample] = [
      HKQuantitySample.of(.bodyMass, 70, "kg", start), pressure(120, 80),
      HKWorkout(activityType: .yoga, start: start, end: start + 60),
      HKCategorySample.of(
        .menstrualFlow, 2, start, to: start, [HKMetadataKeyMenstrualCycleStart: true]),
    ]
    let read = try await fixture.saved(samples, from: HealthFixture.diary)
    let names = records.records(of: read, received: start).map(\.logID)
    #expect(names.count == 4 && Set(names).count == 4)
    for sample in read {
      let query = HKAnchoredObjectQueryDescriptor(
        predicates: [.sample(type: sample.sampleType)], anchor: nil)
      let before = try await query.result(for: fixture.store)
      try fixture.phone.delete(sample.sampleType)
      let after = try await HKAnchoredObjectQueryDescriptor(
        predicates: [.sample(type: sample.sampleType)], anchor: before.newAnchor
      ).result(for: fixture.store)
      let deleted = try #require(after.deletedObjects.first)
      #expect(names.contains(SampleIdentity.logID(of: deleted.uuid)))
    }
  }

  // MARK: - Correlations

  private func pressure(
    _ systolic: Double, _ diastolic: Double, _ metadata: [String: Any]? = nil
  ) -> HKCorrelation {
    HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: start, end: start,
      objects: [
        HKQuantitySample.of(.bloodPressureSystolic, systolic, "mmHg", start),
        HKQuantitySample.of(.bloodPressureDiastolic, diastolic, "mmHg", start),
      ], metadata: metadata)
  }

  @Test func `are one of a blood pressure, and none of its parts`() throws {
    let correlation = pressure(121, 79, [HKMetadataKeyWasUserEntered: true])
    let all = records.records(of: Array(correlation.objects) + [correlation], received: start)
    #expect(all.map(\.values) == [["systolic": 121, "diastolic": 79]])
    #expect(all[0].metrics.map(\.type) == [.systolic, .diastolic])
    #expect(all[0].metrics.map(\.origin) == [.manual, .manual])
    #expect(all[0].logID == SampleIdentity.logID(of: correlation.uuid))
  }

  @Test func `are one of food, with all that is in it`() throws {
    let food = HKCorrelation(
      type: HKCorrelationType(.food), start: start, end: start,
      objects: [
        HKQuantitySample.of(.dietaryEnergyConsumed, 320.5, "kcal", start),
        HKQuantitySample.of(.dietaryProtein, 8, "g", start),
        HKQuantitySample.of(.dietaryProtein, 4.25, "g", start),
        HKQuantitySample.of(.dietaryWater, 0.2, "L", start),
        HKQuantitySample.of(.dietaryCaffeine, 20, "mg", start),
      ], metadata: [HKMetadataKeyFoodType: "Porridge"])
    let record = try record(food)
    #expect(record.kind == .nutrition)
    #expect(record.name == "Porridge")
    #expect(record.values == ["energy_consumed": 320.5, "protein": 12.25, "water": 200])
    #expect(try record.legacyForm().recordClass == .nutrition)
  }

  @Test func `are one of a nutrient that belongs to no food`() throws {
    let record = try record(
      HKQuantitySample.of(.dietaryWater, 330, "mL", start, [HKMetadataKeyFoodType: "Tea"]))
    #expect(record.kind == .nutrition)
    #expect(record.name == "Tea")
    #expect(record.values == ["water": 330])
  }

  @Test func `take a device from the parts of a correlation that has none`() throws {
    let device = HKDevice(
      name: nil, manufacturer: "Omron", model: "HEM", hardwareVersion: nil, firmwareVersion: nil,
      softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
    let correlation = HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: start, end: start,
      objects: [
        HKQuantitySample.of(.bloodPressureSystolic, 120, "mmHg", start, device: device),
        HKQuantitySample.of(.bloodPressureDiastolic, 80, "mmHg", start, device: device),
      ])
    #expect(
      try record(correlation).source.device == SourceDevice(manufacturer: "Omron", model: "HEM"))
  }
}
