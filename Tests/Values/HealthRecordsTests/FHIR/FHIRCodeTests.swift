// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `FHIR codes by circumstances` {
  private func record(_ metrics: [Metric], _ tags: [String: String]) -> HealthRecord {
    var record = FHIRExample.measurement(metrics)
    record.tags = tags.sorted { $0.key < $1.key }.map { RecordTag(name: $0.key, value: $0.value) }
    return record
  }

  private func mdc(_ type: MetricType, in record: HealthRecord) throws -> String? {
    let metric = try #require(record.metrics.first { $0.type == type })
    return record.codes(of: type, unit: metric.unit).mdc?.code
  }

  // MARK: - Glucose

  @Test(arguments: [
    ("capillary_whole_blood", "41653-7", "14743-9", "160184", "Glucose in capillary blood"),
    ("capillary_plasma", "41653-7", "14743-9", "160188", "Glucose in capillary plasma"),
    ("venous_whole_blood", "41652-9", "39480-9", "160192", "Glucose in venous blood"),
    ("venous_plasma", "2345-7", "14749-6", "160196", "Glucose in venous plasma"),
    ("arterial_whole_blood", "41651-1", "39481-7", "160200", "Glucose in arterial blood"),
    ("arterial_plasma", "2345-7", "14749-6", "160204", "Glucose in arterial plasma"),
    ("undetermined_whole_blood", "2339-0", "15074-8", "160364", "Blood glucose"),
    ("undetermined_plasma", "2345-7", "14749-6", "160368", "Glucose in plasma"),
    ("interstitial_fluid", "99504-3", "105272-9", "160212", "Glucose in interstitial fluid"),
  ])
  func `of glucose follow what it was measured in and the unit`(
    sample: String, mass: String, substance: String, mdc: String, text: String
  ) throws {
    for (unit, loinc, value) in [("mg/dL", mass, 104.0), ("mmol/L", substance, 5.8)] {
      let record = record([Metric(.bloodGlucose, value, unit: unit)], ["sample_type": sample])
      let observation = try #require(try FHIRExample.objects(record).first)
      #expect(
        observation["code"].codes
          == ["http://loinc.org|\(loinc)", "urn:santorio:metric|blood_glucose"])
      #expect(observation["code"]["text"].text == text)
      #expect(observation["valueQuantity"]["value"].number == value)
      #expect(observation["valueQuantity"]["code"].text == unit)
      #expect(try self.mdc(.bloodGlucose, in: record) == mdc)
    }
  }

  @Test func `of glucose follow the sample of a continuous monitor too`() throws {
    var record = record([Metric(.bloodGlucose, 104)], ["sample_type": "capillary_whole_blood"])
    record.kind = .cgm
    #expect(
      try FHIRExample.objects(record)[0]["code"].codes.first == "http://loinc.org|41653-7")
    record.tags = []
    #expect(
      try FHIRExample.objects(record)[0]["code"].codes.first == "http://loinc.org|99504-3")
    #expect(try mdc(.bloodGlucose, in: record) == "160212")
  }

  @Test func `of glucose are not given to a sample that is none of them`() throws {
    let tears = record([Metric(.bloodGlucose, 4)], ["sample_type": "tears"])
    let observation = try #require(try FHIRExample.objects(tears).first)
    #expect(observation["code"].codes == ["urn:santorio:metric|blood_glucose"])
    #expect(observation["component"][0]["valueString"].text == "tears")
    #expect(try mdc(.bloodGlucose, in: tears) == nil)
  }

  @Test(arguments: [
    ["sample_type": "control_solution"], ["sample_location": "control_solution"],
    ["sample_type": "capillary_plasma", "sample_location": "control_solution"],
  ])
  func `of glucose are not given to a control solution, which is refused`(
    tags: [String: String]
  ) throws {
    var record = record([Metric(.bloodGlucose, 104)], tags)
    let codes = record.codes(of: .bloodGlucose, unit: "mg/dL")
    #expect(codes.loinc == nil && codes.mdc == nil)
    for kind in [RecordKind.measurement, .cgm] {
      record.kind = kind
      let error = #expect(throws: RecordError.self) { try FHIRExample.observations(record) }
      #expect(error?.path == "tags")
      #expect(throws: RecordError.self) { try FHIRExample.form.bundle(of: [record]) }
    }
  }

  @Test(
    arguments: [
      (.fastingPlasmaGlucose, .measurement, "mg/dL", "1558-6"),
      (.fastingPlasmaGlucose, .measurement, "mmol/L", "14771-0"),
      (.randomPlasmaGlucose, .measurement, "mg/dL", "2345-7"),
      (.randomPlasmaGlucose, .measurement, "mmol/L", "14749-6"),
      (.averageBloodGlucose, .cgm, "mg/dL", "97507-8"),
      (.averageBloodGlucose, .cgm, "mmol/L", "105273-7"),
      (.averageBloodGlucose, .summary, "mg/dL", nil),
      (.oralGlucoseTolerance, .measurement, "mg/dL", nil),
    ] as [(MetricType, RecordKind, String, String?)])
  func `of other glucose follow the unit, and means that of a continuous monitor`(
    type: MetricType, kind: RecordKind, unit: String, loinc: String?
  ) throws {
    let record = FHIRExample.hour(kind, [Metric(type, 7, unit: unit)])
    let observation = try FHIRExample.objects(record)[0]
    let codes = observation["code"].codes.filter { $0.hasPrefix("http://loinc.org|") }
    #expect(codes == [loinc].compactMap { $0.map { "http://loinc.org|\($0)" } })
    #expect(observation["valueQuantity"]["value"].number == 7)
    #expect(observation["valueQuantity"]["code"].text == unit)
  }

  @Test(
    arguments: [
      ("finger", "7569003", "Finger"), ("earlobe", "48800003", "Ear lobe"),
      ("subcutaneous_tissue", "71966008", "Subcutaneous tissue"), ("alternate_site", nil, nil),
    ] as [(String, String?, String?)])
  func `name the place from which a sample of glucose was taken`(
    location: String, code: String?, text: String?
  ) throws {
    let record = record([Metric(.bloodGlucose, 104)], ["sample_location": location])
    let observation = try FHIRExample.objects(record)[0]
    #expect(
      observation["bodySite"].codes
        == [code].compactMap { $0.map { "http://snomed.info/sct|\($0)" } })
    #expect(observation["bodySite"]["text"].text == text)
    #expect(observation["component"][0]["code"].codes == ["urn:santorio:tag|sample_location"])
  }

  // MARK: - Temperature

  @Test(
    arguments: [
      ("armpit", "8328-7", "188452", nil), ("mouth", "8331-1", "188424", nil),
      ("rectum", "8332-9", "188420", nil), ("ear", "76011-6", "188428", nil),
      ("tympanum", "8333-7", "150392", nil), ("finger", nil, "188432", "7569003"),
      ("toe", nil, "188448", "29707007"), ("gastrointestinal_tract", nil, "188456", "122865005"),
      ("forehead", nil, "150364", "52795006"), ("body", nil, "150364", nil),
      ("elbow", nil, "150364", nil),
    ] as [(String, String?, String?, String?)])
  func `of temperature follow the site, which is named where no code says it`(
    site: String, loinc: String?, mdc: String?, snomed: String?
  ) throws {
    for finding in ["measurement_location", "sample_location"] {
      let record = record([Metric(.bodyTemperature, 36.9)], [finding: site])
      let observation = try FHIRExample.objects(record)[0]
      #expect(
        observation["code"].codes
          == ["8310-5", loinc].compactMap { $0.map { "http://loinc.org|\($0)" } }
          + ["urn:santorio:metric|body_temperature"])
      #expect(
        observation["meta"]["profile"][0].text
          == "http://hl7.org/fhir/StructureDefinition/bodytemp")
      #expect(
        observation["bodySite"].codes
          == [snomed].compactMap { $0.map { "http://snomed.info/sct|\($0)" } })
      #expect(try self.mdc(.bodyTemperature, in: record) == mdc)
    }
  }

  @Test func `write the site between note and device`() throws {
    var record = record([Metric(.bodyTemperature, 36.9)], ["measurement_location": "forehead"])
    record.comment = "after sport"
    #expect(
      try FHIRExample.observations(record)[0].contains(
        #"""
        "note":[{"text":"after sport"}],"bodySite":{"coding":[\#
        {"system":"http://snomed.info/sct","code":"52795006"}],"text":"Forehead"},"component":[
        """#))
  }

  // MARK: - The heart

  @Test(
    arguments: [
      ([Metric(.oxygenSaturation, 97)], [:], "149530"),
      ([Metric(.perfusionIndex, 4)], [:], "149530"),
      ([Metric(.systolic, 120), Metric(.diastolic, 80)], [:], "149546"),
      ([], [:], "147842"), ([], ["sensor_location": "chest"], "147842"),
      ([], ["sensor_location": "wrist"], nil), ([Metric(.bodyWeight, 70)], [:], nil),
    ] as [([Metric], [String: String], String?)])
  func `of a pulse follow what counted it`(
    others: [Metric], tags: [String: String], mdc: String?
  ) throws {
    var record = record(others + [Metric(.pulse, 60)], tags)
    #expect(try self.mdc(.pulse, in: record) == mdc)
    let pulse = try #require(try FHIRExample.objects(record).last)
    #expect(pulse["code"].codes == ["http://loinc.org|8867-4", "urn:santorio:metric|pulse"])
    record.source.type = .appleHealth
    #expect(try self.mdc(.pulse, in: record) == nil)
  }

  @Test func `of a pulse know an oximeter by its series`() throws {
    var record = FHIRExample.hour(.intraday, [])
    record.source.type = .bluetooth
    record.series = [.pulse, .oxygenSaturation].map {
      MetricSeries($0, [DataPoint(time: FHIRExample.instant, value: 97)])
    }
    #expect(record.codes(of: .pulse, unit: "bpm").mdc?.code == "149530")
  }

  @Test func `of variability are those of SDNN, where it is SDNN`() throws {
    var record = FHIRExample.hour(.summary, [Metric(.heartRateVariability, 42)])
    #expect(
      try FHIRExample.objects(record)[0]["code"].codes
        == ["http://loinc.org|80404-7", "urn:santorio:metric|heart_rate_variability"])
    record.source.type = SourceType(rawValue: "oura")
    #expect(
      try FHIRExample.objects(record)[0]["code"].codes
        == ["urn:santorio:metric|heart_rate_variability"])
  }

  // MARK: - Categories and units

  @Test(arguments: [
    (MetricType.bodyFat, "exam"), (.bodyImpedance, "exam"), (.bodyWaist, "exam"),
    (.basalMetabolicRate, "exam"), (.perfusionIndex, "exam"), (.fev1, "exam"),
    (.averageHeartRate, "exam"), (.bodyTemperatureDeviation, "exam"), (.inr, "laboratory"),
    (.hdl, "laboratory"), (.bloodGlucose, "laboratory"), (.insulin, "therapy"),
    (.steps, "activity"), (.restingHeartRate, "vital-signs"), (.bodyWeight, "vital-signs"),
    (.meanArterialPressure, "vital-signs"),
  ])
  func `are in the category of vital signs only where R4 has one`(
    type: MetricType, category: String
  ) throws {
    let observation = try FHIRExample.objects(FHIRExample.measurement([Metric(type, 50)]))[0]
    #expect(
      observation["category"][0].codes
        == ["http://terminology.hl7.org/CodeSystem/observation-category|\(category)"])
  }

  @Test func `of pressures in kilopascals are those of the panel, in its unit`() throws {
    let record = FHIRExample.measurement([
      Metric(.systolic, 16, unit: "kPa"), Metric(.diastolic, 10.6, unit: "kPa"),
    ])
    let observations = try FHIRExample.objects(record)
    #expect(observations.count == 1)
    #expect(observations[0]["code"].codes.first == "http://loinc.org|85354-9")
    let quantities = observations[0]["component"].elements.map { $0["valueQuantity"] }
    #expect(quantities.map { $0["value"].number } == [120.0099, 79.5066])
    #expect(quantities.map { $0["code"].text } == ["mm[Hg]", "mm[Hg]"])
    #expect(quantities.map { $0["unit"].text } == ["mmHg", "mmHg"])
  }

  @Test func `of days worn count in days`() throws {
    let record = FHIRExample.measurement([Metric(.daysWornCount, 9)])
    let quantity = try FHIRExample.objects(record)[0]["valueQuantity"]
    #expect(quantity["value"].number == 9)
    #expect(quantity["unit"].text == "days")
    #expect(quantity["code"].text == "d")
  }

  @Test func `have only a text for a bedtime`() throws {
    var record = FHIRExample.measurement([Metric(.bloodGlucose, 104)])
    record.userNotes = [UserNote(type: "relationship_to_meal", value: "bedtime")]
    let answer = try FHIRExample.objects(record)[0]["component"][0]["valueCodeableConcept"]
    #expect(answer["text"].text == "bedtime")
    #expect(!answer["coding"].exists)
  }
}
