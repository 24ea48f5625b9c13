// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport
import Testing

/// The elements that the profiles of vital signs ask for, as Foundation's decoder reads them.
private struct DecodedObservation: Decodable {
  struct Coding: Decodable, Hashable {
    let system: String
    let code: String
  }
  struct Concept: Decodable {
    let coding: [Coding]?
    let text: String?
  }
  struct Quantity: Decodable {
    let value: Double
    let unit: String?
    let code: String?
  }
  struct Samples: Decodable {
    let period: Double
    let data: String
  }
  struct Component: Decodable {
    let code: Concept
    let valueQuantity: Quantity?
    let valueString: String?
    let valueBoolean: Bool?
    let valueInteger: Int?
    let valueCodeableConcept: Concept?
    let dataAbsentReason: Concept?
  }
  struct Identifier: Decodable { let value: String }
  struct Meta: Decodable { let profile: [String] }
  struct Period: Decodable { let start, end: String }
  struct Extended: Decodable { let `extension`: [Reason] }
  struct Reason: Decodable { let url, valueCode: String }

  let resourceType: String
  let identifier: [Identifier]
  let status: String
  let code: Concept
  let meta: Meta?
  let effectiveDateTime: String?
  let _effectiveDateTime: Extended?
  let effectivePeriod: Period?
  let valueQuantity: Quantity?
  let valueSampledData: Samples?
  let valueCodeableConcept: Concept?
  let dataAbsentReason: Concept?
  let component: [Component]?
}

@Suite struct `FHIR form of a corpus` {
  private static let corpora = [
    "Scripts/check-fhir-records.ndjson",
    "Tests/Values/HealthRecordsTests/Fixtures/records.ndjson",
  ]

  private static var records: [HealthRecord] {
    get throws {
      var root = URL(fileURLWithPath: #filePath)
      for _ in 0..<5 { root.deleteLastPathComponent() }
      let texts = try corpora.map {
        try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8)
      }
      return try texts.flatMap { $0.split(separator: "\n") }
        .map { try HealthRecord(informJSON: $0.utf8) }
    }
  }

  private func observations(_ record: HealthRecord) throws -> [DecodedObservation] {
    try FHIRExample.form.observations(of: record).map {
      try JSONDecoder().decode(DecodedObservation.self, from: Data($0))
    }
  }

  @Test func `is understood by Foundation's decoder, each with one time and content`() throws {
    let records = try Self.records
    #expect(records.count > 20)
    for observation in try records.flatMap(observations) {
      #expect(observation.resourceType == "Observation")
      let times: [Any?] = [
        observation.effectiveDateTime, observation.effectivePeriod, observation._effectiveDateTime,
      ]
      #expect(times.count { $0 != nil } == 1)
      let isTold =
        observation.valueQuantity != nil || observation.valueSampledData != nil
        || observation.valueCodeableConcept != nil || observation.dataAbsentReason != nil
        || observation.component?.isEmpty == false
      #expect(isTold, "\(observation.identifier)")
      for component in observation.component ?? [] {
        let values: [Any?] = [
          component.valueQuantity, component.valueString, component.valueBoolean,
          component.valueInteger,
          component.valueCodeableConcept, component.dataAbsentReason,
        ]
        #expect(values.count { $0 != nil } == 1)
        #expect(component.code.coding?.isEmpty == false)
      }
    }
  }

  @Test func `has every value of the records`() throws {
    for record in try Self.records {
      let observations = try observations(record)
      let values = observations.flatMap { observation -> [Double?] in
        let components = observation.component ?? []
        let samples = observation.valueSampledData?.data.split(separator: " ") ?? []
        let measured = [observation.valueQuantity?.value] + components.map(\.valueQuantity?.value)
        return measured + samples.map { Double($0) }
      }
      let told = Set(values.compactMap(\.self))
      // A unit that a profile does not allow changes the number.
      for metric in record.metrics where metric.unit == metric.type.definition?.unit {
        // What a device showed may stand in its own unit.
        let numbers =
          metric.valueName == nil ? [metric.value, metric.shown?.number].compactMap(\.self) : []
        #expect(
          numbers.isEmpty || numbers.contains(where: told.contains),
          "\(metric.type.rawValue) of \(record.logID)")
      }
      for point in record.series.flatMap(\.points) { #expect(told.contains(point.value)) }
      #expect(Set(observations.map(\.identifier[0].value)).count == observations.count)
    }
  }

  @Test func `has every metric of the table`() throws {
    let told = Set(try Self.records.flatMap { $0.metrics.map(\.type) + $0.series.map(\.type) })
    #expect(MetricTable.rows.map(\.type).filter { !told.contains($0) } == [])
  }

  @Test func `makes Observations with different identifiers of any record`() throws {
    var random = SeededGenerator(seed: 20_260_117)
    for _ in 0..<500 {
      let record = HealthRecord.random(using: &random)
      let observations = try observations(record)
      let identifiers = Set(observations.map(\.identifier[0].value))
      #expect(identifiers.count == observations.count)
      let owners = FHIRExample.form.entryOwners(of: [record])
      #expect(owners.count { $0 == 0 } == observations.count)
    }
  }

  @Test func `does not trap on a record that it refuses`() {
    let bad: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300]
    for seconds in bad {
      let date = Date(timeIntervalSince1970: seconds)
      var record = FHIRExample.hour(.intraday, [])
      record.granularity = Granularity(interval: .max, unit: "h")
      record.time.utcOffsetSeconds = .min
      record.series = [.steps, .pulse].map {
        MetricSeries(
          $0, [DataPoint(time: date, value: seconds), DataPoint(time: record.time.start, value: 1)])
      }
      #expect(throws: RecordError.self) { try FHIRExample.form.observations(of: record) }
      record.granularity = .minutes(1)
      record.time.utcOffsetSeconds = 0
      #expect(throws: RecordError.self) { try FHIRExample.form.observations(of: record) }
      #expect(FHIRExample.form.entryOwners(of: [record]).count == 4)
    }
  }

  @Test func `counts the entries of a record whose times are none`() {
    let nan = Date(timeIntervalSince1970: .nan)
    var record = FHIRExample.hour(.intraday, [])
    record.granularity = .minutes(5)
    for times in [[nan], [nan, nan], [record.time.end, nan, record.time.start]] {
      record.series = [MetricSeries(.steps, times.map { DataPoint(time: $0, end: nan, value: 1) })]
      #expect(FHIRExample.form.entryOwners(of: [record]).count == times.count)
      record.series = [MetricSeries(.steps, times.map { DataPoint(time: $0, value: 1) })]
      #expect(FHIRExample.form.entryOwners(of: [record]).count == times.count)
    }
  }

  @Test func `names a record for every entry`() throws {
    let records = try Self.records
    let bundle = try FHIRObject(FHIRExample.form.bundle(of: records))
    let owners = FHIRExample.form.entryOwners(of: records)
    #expect(bundle["entry"].elements.count == owners.count)
    for (entry, owner) in zip(bundle["entry"].elements, owners) {
      #expect((owner == nil) == (entry["resource"]["resourceType"].text == "Device"))
      guard let owner else { continue }
      let identifier = try #require(entry["resource"]["identifier"][0]["value"].text)
      #expect(identifier.hasPrefix(records[owner].logID))
    }
  }
}
