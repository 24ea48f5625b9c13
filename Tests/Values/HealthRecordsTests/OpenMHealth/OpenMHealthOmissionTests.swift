// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `What Open mHealth cannot say` {
  private typealias Form = OpenMHealthExample

  private func measurement(_ metrics: Metric..., tags: [RecordTag] = []) -> HealthRecord {
    var record = FHIRExample.measurement(metrics)
    record.tags = tags
    return record
  }

  @Test(arguments: [
    (Metric(.bloodGlucose, absent: .aboveRange), "absent"),
    (Metric(.bodyTemperature, absent: .unknown), "absent"),
    (Metric(.bloodGlucose, 600, bound: .above), "bound"),
    (Metric(.oxygenSaturation, 980), "doubtful"), (Metric(.pulse, 0.00001), "doubtful"),
    (Metric(.bodyWeight, 2000, unit: "lb"), "doubtful"),
    (Metric(.bodyWeight, 116, unit: "cattie"), "unknown_unit"),
    (Metric(.bodyHeight, 5, unit: "L"), "unknown_unit"),
    (Metric(.steps, 100), "no_interval"), (Metric(.energyBurned, 100), "no_interval"),
    (Metric(.bloodKetone, 0.6), "no_schema"), (Metric(.inr, 2.4), "no_schema"),
    (Metric(.fastingPlasmaGlucose, 99), "no_schema"), (Metric(.sleepDuration, 99), "no_schema"),
    (Metric(MetricType(rawValue: "unheard_of"), 1), "no_schema"),
  ])
  func `is left out and named`(metric: Metric, reason: String) throws {
    let record = measurement(metric, Metric(.bmi, 22))
    #expect(
      try Form.omissions(record) == ["metrics[0] \(metric.type.rawValue) \(reason)"])
    #expect(try Form.bodies(record) == [#""body_mass_index":{"value":22,"unit":"kg/m^2"}"#])
  }

  @Test(arguments: [
    (RecordTag(name: "implausible", value: "pulse"), "doubtful"),
    (RecordTag(name: "early_estimate", value: "true"), "early_estimate"),
  ])
  func `is left out where the device or the package doubts it`(
    tag: RecordTag, reason: String
  ) throws {
    let record = measurement(Metric(.pulse, 250), tags: [tag])
    #expect(try Form.texts(record) == [])
    #expect(try Form.omissions(record) == ["metrics[0] pulse \(reason)"])
  }

  @Test func `is a glucose beyond the meter that only a finding tells, or of control solution`()
    throws
  {
    var record = measurement(Metric(.bloodGlucose, 18))
    record.glucoseRange = .low
    #expect(try Form.omissions(record) == ["metrics[0] blood_glucose bound"])
    record.tags = [RecordTag(name: "sample_type", value: "control_solution")]
    #expect(
      try Form.omissions(record) == [
        "metrics[0] blood_glucose no_measurement", "tags[0] sample_type no_schema",
      ])
    #expect(try Form.texts(record) == [])
  }

  @Test func `is one pressure without the other`() throws {
    let record = measurement(
      Metric(.systolic, 120), Metric(.diastolic, absent: .belowRange), Metric(.systolic, 124),
      Metric(.diastolic, 81), Metric(.systolic, 119))
    #expect(
      try Form.bodies(record) == [
        #""systolic_blood_pressure":{"value":124,"unit":"mmHg"},"#
          + #""diastolic_blood_pressure":{"value":81,"unit":"mmHg"}"#
      ])
    #expect(
      try Form.omissions(record) == [
        "metrics[1] diastolic absent", "metrics[0] systolic one_pressure",
        "metrics[4] systolic one_pressure",
      ])
  }

  @Test func `is a rejected reading`() throws {
    var record = measurement()
    record.kind = .rejected
    record.tags = [RecordTag(name: "rejected", value: "control")]
    #expect(try Form.texts(record) == [])
    #expect(try Form.omissions(record) == ["type rejected_reading no_measurement"])
  }

  @Test func `is a record whose device sent a time that was not believed`() throws {
    var record = measurement(Metric(.pulse, 60))
    record.time.origin = .received
    #expect(try Form.texts(record).count == 1)
    record.time.deviceTime = LocalDateTime(
      year: 2000, month: 1, day: 1, hour: 0, minute: 3, second: 0)
    #expect(try Form.texts(record) == [])
    #expect(try Form.omissions(record) == ["start_time measurement unknown_time"])
    record.time.origin = .deviceCorrected
    #expect(try Form.texts(record).count == 1)
  }

  @Test func `is what stands beside the values`() throws {
    var record = KindExample.photographed.record
    record.glucoseRange = nil
    record.tags = [RecordTag(name: "irregular_pulse", value: "true")]
    #expect(
      try Form.omissions(record) == [
        "tags[0] irregular_pulse no_schema", "user_notes[1] diabetes_event no_schema",
        "user_notes[2] message no_schema", "extras extras no_schema", "media media no_schema",
      ])
    #expect(
      try Form.omissions(KindExample.nutrition.record) == [
        "metrics[0] energy_consumed no_schema", "segments segments no_schema",
      ])
  }

  @Test func `is described without its value`() throws {
    let record = measurement(Metric(.bloodGlucose, 618.625, bound: .above))
    let omission = try #require(try OpenMHealthEncoder().dataPoints(of: record).omissions.first)
    #expect(
      omission.description
        == "metrics[0] (blood_glucose) is left out: it is beyond what the device "
        + "can measure, which no schema can say")
    let media = try OpenMHealthEncoder().dataPoints(of: KindExample.photographed.record).omissions
    #expect(media.last?.description == "media is left out: no schema has a place for it")
  }
}

@Suite struct `Headers of Open mHealth` {
  private typealias Form = OpenMHealthExample

  private func record(_ change: (inout HealthRecord) -> Void = { _ in }) -> HealthRecord {
    var record = FHIRExample.measurement([Metric(.pulse, 60), Metric(.pulse, 62)])
    change(&record)
    return record
  }

  @Test func `identify each data point, the same each time`() throws {
    let identifiers = try Form.identifiers(record())
    #expect(
      identifiers == [
        "71b7ed60-da14-8c04-a003-91f441d960b9", "5c7b004f-0676-83b9-ae21-97886bb3b1e8",
      ])
    #expect(try Form.identifiers(record { $0.metrics[0].value = 61 }) == identifiers)
    #expect(
      try Form.identifiers(record { $0.metrics.append(Metric(.bodyWeight, 70)) }).prefix(2)
        == identifiers[...])
  }

  @Test func `identify others for another record, another person and after a correction`() throws {
    var all = try Form.identifiers(record())
    all += try Form.identifiers(record { $0.logID = "m2" })
    all += try Form.identifiers(record(), subject: "alice")
    all += try Form.identifiers(record { $0.lastUpdated = FHIRExample.instant })
    all += try Form.identifiers(record { $0.lastUpdated = FHIRExample.instant + 1 })
    #expect(Set(all).count == 10)
  }

  @Test func `say when the data point was created`() throws {
    func created(_ change: (inout HealthRecord) -> Void) throws -> String {
      let text = try Form.texts(record(change))[0]
      let start = try #require(text.firstRange(of: #""source_creation_date_time":""#)?.upperBound)
      return String(text[start...].prefix { $0 != "\"" })
    }
    #expect(try created { _ in } == "2018-04-17T15:51:40.250+02:00")
    #expect(
      try created { $0.lastUpdated = FHIRExample.instant + 86_400 } == "2018-04-18T15:51:00+02:00")
    #expect(try created { $0.time.utcOffsetSeconds = nil } == "2018-04-17T13:51:40.250Z")
    #expect(
      try created {
        $0.time.origin = .unknown
        $0.time.received = $0.time.start
        $0.time.end = $0.time.start + 60
      } == "2018-04-17T15:52:00+02:00")
  }

  @Test func `refuse a record that is not valid, or of a time without a text`() {
    #expect(throws: RecordError.self) {
      try Form.texts(record { $0.metrics[0].value = .nan })
    }
    #expect {
      try Form.texts(record { $0.time.start = Date(timeIntervalSince1970: -12_000_000_000) })
    } throws: { ($0 as? RecordError)?.path == "start_time" }
  }

  @Test func `have UUIDs as a Bundle of FHIR has them`() throws {
    // SHA-256 of "abc" is ba7816bf 8f01cfea 414140de 5dae2223 …
    #expect(DigestUUID.text(of: "abc") == "ba7816bf-8f01-8fea-8141-40de5dae2223")
    let bundle = try FHIRObject(FHIRExample.form.bundle(of: [record()]))
    let entry = bundle["entry"][0]
    let condition = try #require(entry["request"]["ifNoneExist"].text)
    #expect(entry["fullUrl"].text == "urn:uuid:" + DigestUUID.text(of: condition))
  }
}
