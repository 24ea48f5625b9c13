// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthRecords
import SantorioHealthKit
import Testing

@Suite struct `Types of the subscription sets` {
  private static let start = Date(timeIntervalSince1970: 1_784_013_000.25)
  private static let records = SampleRecords(
    zones: ZoneHistory(.gmt), ownBundleIdentifier: "org.example.readings")

  @Test func `are 44`() {
    #expect(MappedType.all.count == 44)
    #expect(Set(MappedType.all.map(\.identifier)).count == 44)
  }

  @Test(arguments: MappedType.all)
  func `have a role and stand in the rows of their metrics`(mapped: MappedType) throws {
    let type = try #require(mapped.type)
    #expect(type.identifier == mapped.identifier)
    #expect(SampleRole(type) == mapped.role)
    for metric in mapped.metrics {
      #expect(try #require(metric.definition).healthKitIdentifiers.contains(mapped.identifier))
    }
  }

  @Test func `are known to HealthKit wherever the table of metrics names one`() {
    for row in MetricTable.rows {
      for identifier in row.healthKitIdentifiers {
        #expect(
          MappedType(identifier: identifier, role: .record, metrics: []).type != nil,
          "\(identifier)")
      }
    }
  }

  @Test(arguments: MappedType.all.filter { $0.given != nil })
  func `make a record in the unit of the table`(mapped: MappedType) throws {
    let given = try #require(mapped.given)
    let sample = HKQuantitySample.of(
      HKQuantityTypeIdentifier(rawValue: mapped.identifier), given.value, given.unit, Self.start)
    let record = try #require(Self.records.record(of: sample, received: Self.start + 60))
    let metric = try #require(record.metrics.first)
    #expect(record.metrics.count == 1)
    #expect(metric.type == mapped.metrics[0])
    #expect(metric.unit == metric.type.definition?.unit)
    #expect(metric.value == mapped.expected)
    #expect(metric.origin == .device)
    #expect(record.time.start == Self.start && record.time.end == Self.start)
    #expect(record.logID == SampleIdentity.logID(of: sample.uuid))
    #expect(record.tags == [])
    #expect(record.source.type == .appleHealth)
    try checkForms(of: record)
  }

  @Test(arguments: [
    (HKCategoryTypeIdentifier.menstrualFlow, 3, "menstrual_flow", 3.0, "medium"),
    (.menstrualFlow, 5, "menstrual_flow", 5, "none"),
    (.cervicalMucusQuality, 5, "cervical_mucus_quality", 5, "egg_white"),
    (.ovulationTestResult, 2, "ovulation_test_result", 2, "luteinizing_hormone_surge"),
    (.intermenstrualBleeding, 0, "intermenstrual_bleeding", 1, "present"),
    (.sexualActivity, 0, "sexual_activity", 1, "present"),
  ])
  func `make a code with its name of a category`(
    type: HKCategoryTypeIdentifier, value: Int, name: String, code: Double, word: String
  ) throws {
    let sample = HKCategorySample.of(
      type, value, Self.start, to: Self.start + 60,
      [
        HKMetadataKeyMenstrualCycleStart: true, HKMetadataKeySexualActivityProtectionUsed: false,
        HKMetadataKeyWasUserEntered: true,
      ])
    let record = try #require(Self.records.record(of: sample, received: Self.start + 60))
    #expect(record.values == [name: code])
    #expect(record.metrics[0].valueName == word)
    #expect(
      record.findings == [name: word, "cycle_start": "true", "protection_used": "false"])
    #expect(record.metrics[0].origin == .manual)
    try checkForms(of: record)
  }

  /// Holds the forms of a record against what each of them promises.
  private func checkForms(of record: HealthRecord) throws {
    let inform = try record.informJSON()
    #expect(try HealthRecord(informJSON: inform) == record)
    for text in try FHIREncoder(subject: "Patient/1").observations(of: record) {
      let observation = try #require(
        try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
      // Of a panel it is the code of a component.
      #expect(
        String(decoding: text, as: UTF8.self).contains(
          #"{"system":"urn:santorio:metric","code":"\#(record.metrics[0].type.rawValue)"}"#))
      #expect(
        (observation["valueQuantity"] == nil) != (observation["valueCodeableConcept"] == nil)
          || observation["component"] != nil)
    }
    let rows = try RecordCSV().rows(of: record).split(separator: "\r\n")
    #expect(rows.count == record.metrics.count)
    #expect(rows[0].contains(",\(record.metrics[0].type.rawValue),"))
    let types = record.metrics.map(\.type)
    let hasLegacyClass = types.allSatisfy { $0.definition?.legacyRecord != nil }
    if hasLegacyClass {
      #expect(throws: Never.self) { try record.legacyForm() }
    } else {
      #expect(throws: RecordError.self) { try record.legacyForm() }
    }
  }
}
