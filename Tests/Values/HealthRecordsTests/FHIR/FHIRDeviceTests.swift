// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `FHIR device` {
  private func device(
    _ metrics: [Metric], _ tags: [RecordTag] = [], from source: SourceType = .bluetooth
  ) throws -> FHIRObject {
    var record = FHIRExample.measurement(metrics, device: SourceDevice(model: "M"))
    record.tags = tags
    record.source.type = source
    return try FHIRExample.objects(record)[0]["contained"][0]
  }

  @Test(
    arguments: [
      ([.systolic], "528391", "Blood pressure monitor"),
      ([.meanArterialPressure, .pulse], "528391", "Blood pressure monitor"),
      ([.bloodGlucose], "528401", "Glucose meter"), ([.bloodKetone], "528401", "Glucose meter"),
      ([.inr, .prothrombinTime], "528402", "Coagulation meter"),
      ([.bodyTemperature], "528392", "Thermometer"),
      ([.bodyWeight, .bmi], "528399", "Weighing scale"), ([.bmi], "528399", "Weighing scale"),
      ([.bodyWeight, .bodyFat], "528404", "Body composition analyzer"),
      ([.bodyImpedance], "528404", "Body composition analyzer"),
      ([.peakExpiratoryFlow, .fev1], "528405", "Peak flow monitor"),
      ([.peakExpiratoryFlow, .fvc], nil, "Spirometer"),
      (
        [.steps, .pulse, .oxygenSaturation], "528425", "Cardiovascular fitness and activity monitor"
      ),
      ([.oxygenSaturation, .pulse], "528388", "Pulse oximeter"),
      ([.averageOxygenSaturation], "528388", "Pulse oximeter"),
      ([.pulse], "528525", "Heart rate sensor"),
      ([.totalCholesterol], "528457", "Personal health device"),
    ] as [([MetricType], String?, String)])
  func `has the type that goes with what it measures`(
    types: [MetricType], code: String?, name: String
  ) throws {
    let type = try device(types.map { Metric($0, 50) })["type"]
    #expect(type.codes == [code].compactMap { $0.map { "urn:iso:std:iso:11073:10101|\($0)" } })
    #expect(type["text"].text == name)
  }

  @Test(arguments: [("chest", "528525"), ("other", "528525"), ("wrist", "528425")])
  func `that counts a pulse elsewhere than on the chest is an activity monitor`(
    location: String, code: String
  ) throws {
    let tag = RecordTag(name: "sensor_location", value: location)
    #expect(
      try device([Metric(.pulse, 60)], [tag])["type"].codes
        == ["urn:iso:std:iso:11073:10101|\(code)"])
  }

  @Test(arguments: [
    ("00-4D-FF-FE-12-34-56-7A", true), ("00-4d-ff-fe-12-34-56-7a", false),
    ("004DFFFE1234567A", false), ("00-4D-FF-FE-12-34-56", false),
    ("00-4D-FF-FE-12-34-56-7A-", false), ("", false),
  ])
  func `has its System ID beside its identifier`(text: String, isWritten: Bool) throws {
    let device = SourceDevice(
      id: "7", manufacturer: "A", model: "M", serialNumber: "7", systemID: text)
    let record = FHIRExample.measurement([Metric(.pulse, 60)], device: device)
    #expect(try HealthRecord(informJSON: record.informJSON()) == record)
    for profile in [FHIRProfile.standard, .phd] {
      let encoder = FHIREncoder(subject: "Patient/123", profile: profile)
      let entry = try FHIRObject(encoder.bundle(of: [record]))["entry"][0]
      let identifiers = entry["resource"]["identifier"].elements
      #expect(identifiers[0]["system"].text == "urn:santorio:device")
      #expect(identifiers[0]["value"].text == "A/7")
      #expect(identifiers.count == (isWritten ? 2 : 1))
      guard isWritten, identifiers.count == 2 else { continue }
      #expect(
        identifiers[1]["type"].codes == [
          "http://terminology.hl7.org/CodeSystem/ContinuaDeviceIdentifiers|SYSID"
        ])
      #expect(
        identifiers[1]["system"].text == "urn:oid:1.2.840.10004.1.1.1.0.0.1.0.0.1.2680")
      #expect(identifiers[1]["value"].text == text)
      #expect(entry["request"]["ifNoneExist"].text == "identifier=urn:santorio:device|A/7")
    }
  }

  @Test func `of HealthKit has no type, since it may be the phone`() throws {
    #expect(try !device([Metric(.pulse, 60)], from: .appleHealth)["type"].exists)
  }

  @Test func `of a continuous monitor has its type, whichever way the readings came`() throws {
    var record = FHIRExample.hour(.cgm, [])
    record.source = RecordSource(
      type: SourceType(rawValue: "cgm_share"), devices: ["a": SourceDevice(model: "A")])
    record.series = [
      MetricSeries([GlucoseReading(time: FHIRExample.instant, value: 101, deviceID: "a")])
    ]
    let type = try FHIRExample.objects(record)[0]["contained"][0]["type"]
    #expect(type.codes == ["urn:iso:std:iso:11073:10101|528409"])
    #expect(type["text"].text == "Continuous glucose monitor")
  }

  @Test func `is not identified by its number in the catalogue`() throws {
    let record = FHIRExample.measurement(
      [Metric(.bodyWeight, 70)], device: SourceDevice(peripheralID: 31))
    let device = try FHIRExample.objects(record)[0]["contained"][0]
    #expect(!device["identifier"].exists)
    let property = device["property"][0]
    #expect(property["type"].codes == ["urn:santorio:device|catalogue_entry"])
    #expect(property["valueCode"][0].codes == ["urn:santorio:peripheral|31"])
  }

  @Test func `with an identity is a resource of its own, which the server has once`() throws {
    let device = SourceDevice(
      id: "77", manufacturer: "A&D", model: "UA", serialNumber: "77", firmwareRevision: "1",
      batteryPercent: 90, userSlot: 2)
    var records = ["a", "b"].map {
      FHIRExample.measurement([Metric(.systolic, 120)], logID: $0, device: device)
    }
    records.append(FHIRExample.measurement([Metric(.pulse, 60)], logID: "c"))
    let bundle = try FHIRObject(FHIRExample.form.bundle(of: records))
    let entries = bundle["entry"].elements
    #expect(entries.count == 4)
    #expect(FHIRExample.form.entryOwners(of: records) == [nil, 0, 1, 2])
    #expect(entries[0]["resource"]["resourceType"].text == "Device")
    #expect(entries[0]["resource"]["identifier"][0]["value"].text == "A&D/77")
    #expect(!entries[0]["resource"]["id"].exists)
    #expect(
      entries[0]["request"]["ifNoneExist"].text == "identifier=urn:santorio:device|A%26D/77")
    let reference = entries[1]["resource"]["device"]
    // The entries of a batch cannot refer to each other.
    #expect(!reference["reference"].exists && reference["type"].text == "Device")
    #expect(reference["identifier"]["value"].text == "A&D/77")
    #expect(reference["display"].text == "A&D UA")
    #expect(!entries[1]["resource"]["contained"].exists)
    let facts = entries[1]["resource"]["component"].elements.map {
      ($0["code"].codes.first ?? "", $0["valueInteger"].number)
    }.filter { $0.0.hasPrefix("urn:santorio:device|") }
    #expect(facts.map(\.0) == ["urn:santorio:device|battery", "urn:santorio:device|user_slot"])
    #expect(facts.map(\.1) == [90, 2])
  }

  @Test func `of another manufacturer is another one, though the serial number is the same`() throws
  {
    let records = ["A&D", "Omron"].map { name in
      FHIRExample.measurement(
        [Metric(.pulse, 60)], logID: name, device: SourceDevice(id: "1", manufacturer: name))
    }
    #expect(FHIRExample.form.entryOwners(of: records) == [nil, nil, 0, 1])
  }

  @Test func `has a row in the table for every kind of instrument`() {
    #expect(
      Instrument.allCases.map { instrument in
        InstrumentDefinition.all.count { $0.instrument == instrument }
      } == Instrument.allCases.map { _ in 1 })
    let known = Set(MetricTable.rows.map(\.type))
    for row in InstrumentDefinition.all { #expect(row.metrics.isSubset(of: known)) }
  }
}
