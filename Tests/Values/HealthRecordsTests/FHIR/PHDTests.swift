// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthRecords
import Testing

@Suite struct `HL7's guide for personal health devices` {
  private static let mdc = "urn:iso:std:iso:11073:10101|"
  private static let canonical = "http://hl7.org/fhir/uv/phd/StructureDefinition/"

  private let form = FHIREncoder(
    subject: "Patient/123", profile: .phd, gateway: FHIRGateway(identifier: "hub-7"))
  private let cuff = SourceDevice(
    id: "77", manufacturer: "A&D", model: "UA", firmwareRevision: "1.2")

  private func bundle(_ records: [HealthRecord]) throws -> FHIRObject {
    try FHIRObject(form.bundle(of: records))
  }

  private func record(
    _ metrics: [Metric], id: String = "m1", drift: Double? = -90, device: SourceDevice? = nil
  ) -> HealthRecord {
    var record = FHIRExample.measurement(metrics, logID: id, device: device ?? cuff)
    record.time.origin = .device
    record.time.deviceTime = LocalDateTime("2018-04-17T15:51:00")
    record.time.clockDriftSeconds = drift
    return record
  }

  private func resources(_ bundle: FHIRObject, with profile: String) -> [FHIRObject] {
    bundle["entry"].elements.map { $0["resource"] }.filter { resource in
      resource["meta"]["profile"].elements.contains { $0.text == Self.canonical + profile }
    }
  }

  private func address(_ bundle: FHIRObject, of profile: String) -> String? {
    bundle["entry"].elements.first { entry in
      entry["resource"]["meta"]["profile"][0].text == Self.canonical + profile
    }?["fullUrl"].text
  }

  @Test func `has device, gateway and clock beside the Observations, in one transaction`() throws {
    let records = [record([Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.pulse, 61)])]
    let bundle = try bundle(records)
    #expect(bundle["type"].text == "transaction")
    #expect(form.entryOwners(of: records) == [nil, nil, nil, 0, 0])
    let panel = try #require(resources(bundle, with: "PhdCompoundNumericObservation").first)
    let (device, gateway, clock) = (
      address(bundle, of: "PhdDevice"), address(bundle, of: "PhgDevice"),
      address(bundle, of: "PhdCoincidentTimeStampObservation")
    )
    #expect(device != nil && gateway != nil && clock != nil)
    #expect(panel["device"]["reference"].text == device)
    #expect(
      panel["extension"].elements.map { $0["valueReference"]["reference"].text } == [
        gateway, clock,
      ])
    #expect(
      panel["extension"].elements.map { $0["url"].text } == [
        "http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice",
        Self.canonical + "CoincidentTimeStampReference",
      ])
    #expect(
      panel["code"].codes == [
        Self.mdc + "150020", "http://loinc.org|85354-9", "urn:santorio:metric|blood_pressure",
      ])
    #expect(
      panel["component"].elements.prefix(2).map { $0["code"].codes.first }
        == [Self.mdc + "150021", Self.mdc + "150022"])
    #expect(panel["meta"]["profile"][1].text == "http://hl7.org/fhir/StructureDefinition/bp")
    #expect(
      panel["category"].elements.map { $0.codes.first?.split(separator: "|").last }
        == ["phd", "vital-signs"])
    let pulse = try #require(resources(bundle, with: "PhdNumericObservation").first)
    #expect(pulse["code"].codes.first == Self.mdc + "149546")
  }

  @Test func `describes device and gateway as far as they are known`() throws {
    let bundle = try bundle([record([Metric(.bodyTemperature, 37)], device: SourceDevice(id: "9"))])
    let device = try #require(resources(bundle, with: "PhdDevice").first)
    #expect(device["type"].codes == [Self.mdc + "65573"])
    #expect(device["specialization"][0]["systemType"].codes == [Self.mdc + "528392"])
    #expect(device["_manufacturer"]["extension"][0]["valueCode"].text == "unknown")
    #expect(device["_modelNumber"]["extension"][0]["valueCode"].text == "unknown")
    #expect(device["version"][0]["type"].codes == [Self.mdc + "531976"])
    #expect(device["version"][0]["_value"]["extension"][0]["valueCode"].text == "unknown")
    let gateway = try #require(resources(bundle, with: "PhgDevice").first)
    #expect(gateway["identifier"][0]["value"].text == "hub-7")
    #expect(gateway["type"].codes == [Self.mdc + "531981"])
  }

  @Test func `says once what the device's clock showed when the readings were received`() throws {
    let records = [record([Metric(.systolic, 120)]), record([Metric(.systolic, 121)], id: "m2")]
    let clocks = resources(try bundle(records), with: "PhdCoincidentTimeStampObservation")
    #expect(clocks.count == 1)
    #expect(clocks[0]["effectiveDateTime"].text == "2018-04-17T15:51:40.250+02:00")
    #expect(clocks[0]["valueDateTime"].text == "2018-04-17T15:50:10.250+02:00")
    #expect(clocks[0]["code"].codes == [Self.mdc + "67975"])
    #expect(clocks[0]["subject"]["reference"].exists && clocks[0]["device"]["reference"].exists)
    let none = try bundle([record([Metric(.systolic, 120)], drift: nil)])
    #expect(resources(none, with: "PhdCoincidentTimeStampObservation").isEmpty)
    let far = try bundle([record([Metric(.systolic, 120)], drift: 1e300)])
    #expect(resources(far, with: "PhdCoincidentTimeStampObservation").isEmpty)
  }

  @Test func `has only its own words for how far a value can be trusted`() throws {
    var doubtful = record([Metric(.oxygenSaturation, 80), Metric(.pulse, 60)])
    doubtful.tags = [
      RecordTag(name: "early_estimate", value: "true"),
      RecordTag(name: "irregular_pulse", value: "true"),
    ]
    let words = resources(try bundle([doubtful]), with: "PhdNumericObservation").map {
      $0["interpretation"].elements.flatMap(\.codes)
    }
    let early = "http://hl7.org/fhir/uv/pocd/CodeSystem/measurement-status|early-indication"
    #expect(words == [[early], [early]])
  }

  @Test func `leaves to the standard form what it does not cover`() throws {
    var typed = record([Metric(.bodyWeight, 70, origin: .manual)], id: "a")
    typed.source.device = nil
    let anonymous = record([Metric(.bodyWeight, 70)], id: "b", device: SourceDevice(model: "M"))
    let uncoded = record([Metric(.bloodKetone, 0.5)], id: "c")
    var day = FHIRExample.hour(.summary, [Metric(.steps, 5)])
    day.source.device = cuff
    let bundle = try bundle([typed, anonymous, uncoded, day])
    let observations = bundle["entry"].elements.map { $0["resource"] }.filter {
      $0["resourceType"].text == "Observation"
        && $0["identifier"][0]["system"].text != "urn:santorio:clock"
    }
    #expect(observations.count == 4)
    for observation in observations {
      #expect(
        observation["meta"]["profile"].elements.allSatisfy {
          $0.text?.hasPrefix(Self.canonical) != true
        })
      #expect(!observation["extension"].exists)
    }
  }

  private func identifiers(
    _ record: HealthRecord, subject: String = "Patient/123"
  ) throws -> [[String?]] {
    let encoder = FHIREncoder(subject: subject, profile: .phd)
    let bundle = try FHIRObject(encoder.bundle(of: [record]))
    return bundle["entry"].elements.map { $0["resource"] }.filter {
      $0["identifier"][0]["system"].text == "urn:santorio:log_id"
    }.map { resource in
      let own = resource["identifier"].elements.dropFirst()
      #expect(own.allSatisfy { $0["system"].text == Self.canonical + "PhdBaseObservation" })
      return own.map { $0["value"].text }
    }
  }

  @Test func `identifies a measurement by the System ID and the device's own time`() throws {
    var device = cuff
    device.systemID = "74-E8-FF-FE-FF-05-1C-00"
    var record = record(
      [Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.pulse, 61)], device: device)
    // 2018-04-17T15:51:00 by the device's clock, whatever the corrected time is.
    record.time.start += 60
    record.time.end += 60
    let head = "74E8FFFEFF051C00-123"
    #expect(
      try identifiers(record) == [["\(head)-150020-577295460"], ["\(head)-149546-577295460"]])
    record.time.end += 1.5
    #expect(try identifiers(record)[0] == ["\(head)-150020-577295460..1.5"])
    #expect(
      try identifiers(record, subject: "https://example.org/fhir/Patient/7")[0]
        == ["74E8FFFEFF051C00-7-150020-577295460..1.5"])
    #expect(
      try identifiers(record, subject: "urn:uuid:1")[0]
        == ["74E8FFFEFF051C00-urn:uuid:1-150020-577295460..1.5"])
  }

  @Test func `gives no identifier where the System ID or the time is not known`() throws {
    var device = cuff
    #expect(try identifiers(record([Metric(.pulse, 61)])) == [[]])
    device.systemID = "74-E8-FF-FE-FF-05-1C-00"
    var timeless = record([Metric(.pulse, 61)], device: device)
    timeless.time.origin = .received
    #expect(try identifiers(timeless) == [[]])
    timeless.time.deviceTime = nil
    #expect(try identifiers(timeless) == [[]])
  }

  @Test func `tells the points of a recording apart by the device's time`() throws {
    var device = cuff
    device.systemID = "74-E8-FF-FE-FF-05-1C-00"
    var record = record([], device: device)
    record.kind = .intraday
    record.series = [
      MetricSeries(
        .pulse,
        [0, 2.5].map { DataPoint(time: record.time.start.addingTimeInterval($0), value: 60) })
    ]
    #expect(
      try identifiers(record).map { $0.map { $0?.split(separator: "-").last } } == [
        ["577295460"], ["577295462.5"],
      ])
  }

  @Test func `claims nothing of a measurement whose time is unknown`() throws {
    var record = record([Metric(.bodyWeight, 70)])
    record.time.origin = .received
    record.time.deviceTime = LocalDateTime("2015-01-01T00:00:00")
    let bundle = try bundle([record])
    #expect(resources(bundle, with: "PhdNumericObservation").isEmpty)
    let last = try #require(bundle["entry"].elements.last)
    #expect(last["resource"]["_effectiveDateTime"]["extension"][0]["valueCode"].text == "unknown")
  }
}
