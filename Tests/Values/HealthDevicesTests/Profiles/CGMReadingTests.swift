// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import HealthRecords
import TestSupport
import Testing

/// The reading of a record, of a sensor that has said some of its values.
private func reading(
  _ record: String, feature: String = "000000 59 FFFF", runTime: String? = nil,
  in session: CGMSession = CGMDialogue.session
) throws -> DeviceReading {
  var sensor = CGMSensor()
  try sensor.take(.cgmFeature, try bytes(feature))
  if let runTime { try sensor.take(.cgmSessionRunTime, try bytes(runTime)) }
  let record = try #require(try CGMMeasurement(payload: try bytes(record)).records.first)
  return DeviceReading(record, in: session, of: sensor)
}

/// What makes records of a sensor.
private func records(
  serialNumber: String = "CGM1-000417", zone: TimeZone = .gmt
) throws -> ReadingRecord {
  let number = "00000000-0000-0000-0000-00000000002A"
  var facts = DeviceProperties(identifier: try #require(UUID(uuidString: number)))
  facts.note(.serialNumber(serialNumber))
  facts.note(.manufacturer("Santorio"))
  facts.note(.model("CGM-1"))
  return ReadingRecord(
    peripheral: .genericContinuousGlucose, facts: facts, identity: facts.identity, zone: zone)
}

private let received = Date(timeIntervalSince1970: 1_774_785_660)

@Suite struct `Readings of a continuous glucose monitor` {
  @Test func `are in mg/dL, and known by session and minute`() throws {
    let reading = try reading("06 00 5F00 0500")

    #expect(reading.values == [.init(.bloodGlucose, 95)])
    #expect(reading.rejection == nil)
    #expect(reading.isContinuousGlucose)
    #expect(reading.sequenceNumber == 5)
    #expect(reading.identityTime?.description == "2026-03-29T11:00:00")
    #expect(reading.clock == .universal(1_774_782_300))
    #expect(reading.payload == (try bytes("06 00 5F00 0500")))
    #expect(
      reading.findings == [
        .init("sample_type", "interstitial_fluid"), .init("sample_location", "subcutaneous_tissue"),
      ])
  }

  @Test(
    arguments: [
      ("07 80 7600 0F00 08", .failedMeasurement), ("07 80 7600 0F00 04", .failedMeasurement),
      ("07 80 7600 0F00 20", .failedMeasurement), ("07 40 7600 0F00 10", .failedMeasurement),
      ("07 40 7600 0F00 20", .failedMeasurement), ("06 00 FF07 0F00", .failedMeasurement),
      ("06 00 0000 0F00", .failedMeasurement),
    ] as [(String, RejectedReading.Reason)])
  func `are refused with a reason, and without a value`(
    record: String, reason: RejectedReading.Reason
  ) throws {
    let reading = try reading(record)

    #expect(reading.rejection?.reason == reason)
    #expect(reading.rejection?.message.hasSuffix(".") == true)
    #expect(reading.values.isEmpty)
    #expect(reading.sequenceNumber == 15)
    #expect(reading.payload == (try bytes(record)))
  }

  @Test(
    arguments: [
      ("07 20 9001 0F00 80", "high", .init(.bloodGlucose, 400, bound: .above)),
      ("07 20 2800 0F00 40", "low", .init(.bloodGlucose, 40, bound: .below)),
      ("06 00 FE07 0F00", "high", .init(.bloodGlucose, absent: .aboveRange)),
      ("06 00 0208 0F00", "low", .init(.bloodGlucose, absent: .belowRange)),
      ("07 20 FF07 0F00 80", "high", .init(.bloodGlucose, absent: .aboveRange)),
    ] as [(String, String, Metric)])
  func `beyond the range are marked, and keep the limit that is sent`(
    record: String, side: String, value: Metric
  ) throws {
    let reading = try reading(record)

    #expect(reading.values == [value])
    #expect(reading.rejection == nil)
    #expect(reading.findings.first == .init("out_of_bounds_blood_glucose", side))
  }

  @Test func `of control solution are refused`() throws {
    #expect(
      try reading("06 00 5F00 0500", feature: "000000 1A FFFF").rejection?.reason == .control)
    #expect(
      try reading("06 00 5F00 0500", feature: "000000 42 FFFF").rejection?.reason == .control)
  }

  @Test func `have trend, quality and all that the sensor says of itself`() throws {
    let trend = try reading("0A 03 6800 0A00 12F0 6000")
    let alerts = try reading("09 E0 6800 0A00 13 0C 3F")
    let battery = try reading("07 80 6800 0A00 02")

    #expect(
      trend.findings.prefix(2) == [
        .init("trend_mg_dl_per_minute", "1.8"), .init("quality_percent", "96"),
      ])
    #expect(
      alerts.findings.dropLast(2) == [
        .init("session_stopped"), .init("battery_low"), .init("device_specific_alert"),
        .init("calibration_recommended"), .init("calibration_required"),
        .init("below_patient_low_level"), .init("above_patient_high_level"),
        .init("below_hypo_level"), .init("above_hyper_level"),
        .init("rate_of_decrease_exceeded"), .init("rate_of_increase_exceeded"),
      ])
    #expect(battery.findings.first == .init("battery_low"))
    #expect(battery.rejection == nil)
  }

  @Test func `are marked after the time for which the sensor is made`() throws {
    func isMarked(_ record: String) throws -> Bool {
      try reading(record, runTime: "0100").findings.contains(.init("session_run_time_exceeded"))
    }

    #expect(try !isMarked("06 00 5F00 3C00"))
    #expect(try isMarked("06 00 5F00 3D00"))
    #expect(try !reading("06 00 5F00 3D00").findings.contains(.init("session_run_time_exceeded")))
  }
}

@Suite struct `Records of a continuous glucose monitor` {
  @Test func `are of the kind cgm, with the reading in the sensor's log`() throws {
    let record = try records().record(of: try reading("06 00 5F00 0500"), at: received)
    let sensor = SourceDevice(
      id: "CGM1-000417", manufacturer: "Santorio", model: "CGM-1", serialNumber: "CGM1-000417",
      peripheralID: 8000)
    let measured = Date(timeIntervalSince1970: 1_774_782_300)

    #expect(record.kind == .cgm)
    #expect(record.metrics.isEmpty)
    #expect(
      record.series == [
        MetricSeries([
          GlucoseReading(time: measured, value: 95, isScheduled: true, deviceID: "CGM1-000417")
        ])
      ])
    #expect(record.source.device == sensor)
    #expect(record.source.devices == ["CGM1-000417": sensor])
    #expect(record.time.start == measured)
    #expect(record.time.end == measured)
    #expect(record.time.origin == .device)
    #expect(record.isValidated == true)
    #expect(
      record.tags == [
        RecordTag(name: "sample_type", value: "interstitial_fluid"),
        RecordTag(name: "sample_location", value: "subcutaneous_tissue"),
      ])
    #expect(throws: Never.self) { try record.validate() }
    #expect(try HealthRecord(informJSON: try record.informJSON()) == record)
  }

  @Test func `have the same identifier for every receiver and time`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let first = try records().record(of: try reading("06 00 5F00 0500"), at: received)
    // With a check, and with what was not sent before.
    let second = try records(zone: berlin).record(
      of: try reading("08 00 5F00 0500 7F30"), at: .now)

    #expect(first.logID == second.logID)
    #expect(first.logID.count == 32)
  }

  @Test func `have another identifier in another session, minute or sensor`() throws {
    let first = try records().record(of: try reading("06 00 5F00 0500"), at: received)
    let session = CGMSession(start: CGMDialogue.start + 86_400, scale: .universal)
    let others = [
      try records().record(of: try reading("06 00 5F00 0500", in: session), at: received),
      try records().record(of: try reading("06 00 5F00 0600"), at: received),
      try records().record(of: try reading("06 00 6000 0500"), at: received),
      try records(serialNumber: "2").record(of: try reading("06 00 5F00 0500"), at: received),
    ]

    #expect(Set(others.map(\.logID)).count == 4)
    #expect(!others.map(\.logID).contains(first.logID))
  }

  @Test func `are delivered and tagged where no living person has such a glucose`() throws {
    let record = try records().record(of: try reading("06 00 0500 0500"), at: received)
    #expect(record.series[0].readingLog[0].value == 5)
    #expect(record.implausibleMetrics == [.bloodGlucose])
  }

  @Test func `keep in the log that there was no number`() throws {
    let record = try records().record(of: try reading("06 00 FE07 0500"), at: received)
    #expect(record.series[0].readingLog[0].value == nil)
    #expect(record.series[0].readingLog[0].absence == .aboveRange)
    let bound = try records().record(of: try reading("07 20 9001 0F00 80"), at: received)
    #expect(bound.series[0].readingLog[0].bound == .above)
  }

  @Test func `stay measurements where the reading has no glucose`() throws {
    var other = DeviceReading([.init(.bodyTemperature, 36.8)], payload: [1])
    other.isContinuousGlucose = true
    let record = try records().record(of: other, at: received)

    #expect(record.kind == .measurement)
    #expect(record.metrics == [Metric(.bodyTemperature, 36.8)])
  }
}

@Suite struct `CGM session` {
  private func start(_ hexadecimal: String) throws -> CGMSession? {
    CGMSession(try CGMSessionStartTime(payload: try bytes(hexadecimal)))
  }

  @Test func `begins in universal time, or in local time without a zone`() throws {
    #expect(try start("EA07031D0D0000 04 04")?.start == 1_774_782_000)
    #expect(try start("EA07031D0D0000 04 04")?.scale == .universal)
    #expect(try start("EA07031D0B0000 80 04")?.start == 1_774_782_000)
    #expect(try start("EA07031D0B0000 80 04")?.scale == .local)
    #expect(try start("00000000000000 00 00") == nil)
    #expect(try start("EA0700000B0000 00 00") == nil)
    #expect(try start("EA07021E0B0000 00 00") == nil)
  }

  @Test(arguments: [(0, true), (600, true), (-600, true), (601, false), (-601, false)])
  func `is the same when its start has hardly moved`(shift: Int, isSame: Bool) {
    let key = CheckpointKey()
    let session = CGMDialogue.session
    let moved = CGMSession(start: CGMDialogue.start + shift, scale: .universal)
    let local = CGMSession(start: CGMDialogue.start + shift, scale: .local)

    #expect(
      moved.continuing(session.checkpoint(key: key)) == (isSame ? CGMDialogue.session : nil))
    #expect(local.continuing(session.checkpoint(key: key)) == nil)
  }

  @Test func `does not trap at a start from a damaged file`() {
    let key = CheckpointKey()
    for number in [Int.min, Int.max] {
      let checkpoint = SyncCheckpoint(
        memory: "session, universal", sequenceNumber: number, payload: [UInt8](), key: key)
      #expect(CGMDialogue.session.continuing(checkpoint) == nil)
    }
  }
}
