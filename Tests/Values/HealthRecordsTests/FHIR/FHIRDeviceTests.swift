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

  @Test func `of HealthKit has no type, since it may be the phone`() throws {
    #expect(try !device([Metric(.pulse, 60)], from: .appleHealth)["type"].exists)
  }

  @Test func `of a continuous monitor has its type, whichever way the readings came`() throws {
    var record = FHIRExample.hour(.cgm, [])
    record.source = RecordSource(
      type: SourceType(rawValue: "cgm_share"), devices: ["a": SourceDevice(id: "a")])
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

  @Test func `has a row in the table for every kind of instrument`() {
    #expect(
      Instrument.allCases.map { instrument in
        InstrumentDefinition.all.count { $0.instrument == instrument }
      } == Instrument.allCases.map { _ in 1 })
    let known = Set(MetricTable.rows.map(\.type))
    for row in InstrumentDefinition.all { #expect(row.metrics.isSubset(of: known)) }
  }
}
