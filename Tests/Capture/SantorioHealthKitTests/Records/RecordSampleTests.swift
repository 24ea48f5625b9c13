// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthRecords
import SantorioHealthKit
import Testing

@Suite struct `Samples of records` {
  private let start = Date(timeIntervalSince1970: 1_784_013_000)
  private let zones: ZoneHistory
  private let writing: RecordSamples

  init() throws {
    zones = ZoneHistory(try zone("Europe/Rome"))
    writing = RecordSamples(zones: zones)
  }

  private func record(_ metrics: Metric..., offset: Int? = 7200) -> HealthRecord {
    HealthRecord(
      logID: "abc",
      time: RecordTime(
        start: start, utcOffsetSeconds: offset, origin: .device, received: start + 5),
      source: RecordSource(
        type: .bluetooth,
        device: SourceDevice(
          id: "S9", manufacturer: "Omron", model: "HEM", serialNumber: "S9",
          firmwareRevision: "2.1")),
      metrics: metrics)
  }

  private func quantities(_ record: HealthRecord) -> [HKQuantitySample] {
    writing.samples(of: record).compactMap { $0 as? HKQuantitySample }
  }

  @Test(arguments: [
    (MetricType.bloodGlucose, 99.0, "mg/dL", 99.0), (.bodyWeight, 71.2, "kg", 71.2),
    (.bmi, 23.5, "count", 23.5), (.bodyFat, 21.5, "%", 0.215), (.bodyLeanMass, 55, "kg", 55),
    (.bodyTemperature, 37.5, "degC", 37.5), (.oxygenSaturation, 97, "%", 0.97),
    (.pulse, 61, "count/min", 61),
  ])
  func `have the value in HealthKit's unit`(
    type: MetricType, value: Double, unit: String, expected: Double
  ) throws {
    let sample = try #require(quantities(record(Metric(type, value))).first)
    #expect(sample.quantityType.identifier == type.definition?.healthKitIdentifiers.first)
    #expect(abs(sample.quantity.doubleValue(for: HKUnit(from: unit)) - expected) < 1e-9)
    #expect(sample.startDate == start && sample.endDate == start)
    #expect(
      sample.metadata?[HKMetadataKeySyncIdentifier] as? String == "santorio:abc/\(type.rawValue)")
    #expect(sample.metadata?[HKMetadataKeyTimeZone] as? String == "Europe/Rome")
    #expect(sample.metadata?[HKMetadataKeyDeviceSerialNumber] as? String == "S9")
    #expect(sample.metadata?[HKMetadataKeyWasUserEntered] == nil)
    #expect(sample.device?.manufacturer == "Omron" && sample.device?.firmwareVersion == "2.1")
    #expect(RecordSamples.types.contains(sample.quantityType))
  }

  @Test func `are one correlation of a blood pressure, and its pulse`() throws {
    let samples = writing.samples(
      of: record(Metric(.systolic, 121), Metric(.diastolic, 79), Metric(.pulse, 60)))
    #expect(samples.count == 2)
    let pressure = try #require(samples[0] as? HKCorrelation)
    #expect(pressure.objects.count == 2)
    #expect(
      pressure.metadata?[HKMetadataKeySyncIdentifier] as? String == "santorio:abc/blood_pressure")
    let parts = Set(
      pressure.objects.compactMap { $0.metadata?[HKMetadataKeySyncIdentifier] as? String })
    #expect(parts == ["santorio:abc/systolic", "santorio:abc/diastolic"])
  }

  @Test func `say the meal, the place, and what was typed in`() throws {
    var glucose = record(Metric(.bloodGlucose, 99, origin: .manual))
    glucose.mealRelationship = .after
    let sample = try #require(quantities(glucose).first)
    #expect(sample.metadata?[HKMetadataKeyBloodGlucoseMealTime] as? NSNumber == 2)
    #expect(sample.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
    #expect(sample.device == nil)
    #expect(sample.metadata?[HKMetadataKeyDeviceSerialNumber] == nil)

    var fever = record(Metric(.bodyTemperature, 38.5))
    fever.tags = [RecordTag(name: "measurement_location", value: "ear")]
    #expect(
      quantities(fever)[0].metadata?[HKMetadataKeyBodyTemperatureSensorLocation] as? NSNumber == 3)
  }

  @Test func `name a zone by its offset where the person was elsewhere`() throws {
    let sample = quantities(record(Metric(.pulse, 60), offset: -12_600))[0]
    let name = try #require(sample.metadata?[HKMetadataKeyTimeZone] as? String)
    #expect(TimeZone(identifier: name)?.secondsFromGMT(for: start) == -12_600)
    let unknown = quantities(record(Metric(.pulse, 60), offset: nil))[0]
    #expect(unknown.metadata?[HKMetadataKeyTimeZone] == nil)
  }

  @Test func `are none of what is no measurement of the patient`() {
    let metric = Metric(.bloodGlucose, 99)
    var records = [
      record(Metric(.bloodGlucose, 600, bound: .above)),
      record(Metric(.bloodGlucose, absent: .aboveRange)), record(Metric(.bloodGlucose, 5000)),
      record(Metric(.systolic, 120)), record(Metric(.steps, 100)),
    ]
    for change: (inout HealthRecord) -> Void in [
      { $0.kind = .summary }, { $0.enteredInError = $0.time.start },
      { $0.tags = [RecordTag(name: "early_estimate", value: "true")] },
      { $0.tags = [RecordTag(name: "user_unknown", value: "true")] },
      { $0.tags = [RecordTag(name: "sample_type", value: "control_solution")] },
      { $0.source.type = .appleHealth },
      {
        $0.time.origin = .received
        $0.time.deviceTime = LocalDateTime($0.time.start, utcOffsetSeconds: 0)
      },
    ] {
      var changed = record(metric)
      change(&changed)
      records.append(changed)
    }
    for record in records { #expect(writing.samples(of: record).isEmpty) }
    #expect(writing.samples(of: record(metric)).count == 1)
    var doubted = record(Metric(.oxygenSaturation, 97), Metric(.bodyTemperature, 37))
    doubted.tags = [RecordTag(name: "poor_signal", value: "true")]
    #expect(quantities(doubted).map(\.quantityType) == [HKQuantityType(.bodyTemperature)])
  }

  // MARK: - In the store

  private func reading() -> SampleRecords {
    SampleRecords(zones: zones, ownBundleIdentifier: HealthFixture.app.source.bundleIdentifier)
  }

  @Test func `make no records when they are read back, and those of another app do`() async throws {
    let fixture = try await HealthFixture(RecordSamples.types, sharing: RecordSamples.types)
    let samples = writing.samples(
      of: record(Metric(.systolic, 121), Metric(.diastolic, 79), Metric(.pulse, 60)))
    try await fixture.store.save(samples)
    var read = try await fixture.samples(HKCorrelationType(.bloodPressure))
    for type in RecordSamples.types { read += try await fixture.samples(type) }
    #expect(read.count == 4)
    #expect(read.allSatisfy { reading().isOwn($0) })
    #expect(reading().records(of: read, received: start).isEmpty)
    for sample in read { #expect(reading().record(of: sample, received: start) == nil) }

    let foreign = SampleRecords(zones: zones, ownBundleIdentifier: "org.example.other")
    let records = foreign.records(of: read, received: start)
    #expect(Set(records.map(\.values)) == [["systolic": 121, "diastolic": 79], ["pulse": 60]])
  }

  @Test func `of the app make records where they bear no name of a record`() async throws {
    let fixture = try await HealthFixture(RecordSamples.types, sharing: RecordSamples.types)
    try await fixture.store.save(HKQuantitySample.of(.bodyMass, 70, "kg", start))
    let read = try await fixture.samples(HKQuantityType(.bodyMass))
    #expect(reading().records(of: read, received: start).count == 1)
  }

  @Test func `are replaced by those of the corrected record, and by none of an older one`()
    async throws
  {
    let fixture = try await HealthFixture(RecordSamples.types, sharing: RecordSamples.types)
    var weight = record(Metric(.bodyWeight, 70))
    let old = weight
    weight.metrics[0].value = 71
    weight.lastUpdated = start + 100
    for record in [old, weight, old] {
      try await fixture.store.save(writing.samples(of: record))
    }
    let read = try await fixture.samples(HKQuantityType(.bodyMass))
    let kilograms = read.compactMap {
      ($0 as? HKQuantitySample)?.quantity.doubleValue(for: HKUnit(from: "kg"))
    }
    #expect(kilograms == [71])
  }

  @Test func `are found by their sync identifiers`() async throws {
    let fixture = try await HealthFixture(RecordSamples.types, sharing: RecordSamples.types)
    try await fixture.store.save(
      writing.samples(
        of: record(Metric(.systolic, 121), Metric(.diastolic, 79), Metric(.pulse, 60)))
    )
    var found = 0
    for (type, identifier) in RecordSamples.syncIdentifiers(of: "abc") {
      let predicate = HKQuery.predicateForObjects(
        withMetadataKey: HKMetadataKeySyncIdentifier, allowedValues: [identifier])
      found += try await HKSampleQueryDescriptor(
        predicates: [.sample(type: type, predicate: predicate)], sortDescriptors: []
      ).result(for: fixture.store).count
    }
    #expect(found == 4)
  }
}
