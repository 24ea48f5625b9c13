// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Foundation
import HealthGATT
import HealthRecords
import Testing
import VirtualDevices

@testable import SantorioBluetooth
import CivilCalendar

private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt
private let received = Date(timeIntervalSince1970: 1_718_466_000)  // 2024-06-15T15:40:00Z
private let someDevice = UUID(uuidString: "00000000-0000-0000-0000-00000000002A") ?? UUID()

/// What makes records of a device's readings in Berlin.
private func readings(
  _ facts: [DeviceInformation] = [.serialNumber("5160400123")],
  _ peripheral: DeviceModel = .aAndDUA651BLE, zone: TimeZone = berlin,
  userSlot: Int? = nil
) -> ReadingRecord {
  var known = DeviceProperties(identifier: someDevice)
  for fact in facts { known.note(fact) }
  return ReadingRecord(
    peripheral: peripheral, facts: known, identity: known.identity, zone: zone, userSlot: userSlot)
}

extension ReadingRecord {
  fileprivate func record(_ bytes: [UInt8]) throws -> HealthRecord {
    let reading = try #require(DeviceReading(bloodPressureMeasurement: bytes))
    return try record(of: reading, at: received)
  }
}

/// A body temperature, measured at some time.
private func temperature(_ clock: DeviceReading.Clock?) -> DeviceReading {
  DeviceReading([.init(.bodyTemperature, 36.8)], clock: clock, payload: [1])
}

private func local(
  _ year: Int, _ month: Int, _ day: Int, _ hours: Int = 0, _ minutes: Int = 0
) throws -> DeviceReading.Clock {
  .local(
    LocalDateTime(year: year, month: month, day: day, hour: hours, minute: minutes, second: 0))
}

@Suite struct `Blood pressure reading` {
  @Test func `becomes a record with all data of the frame and the device`() throws {
    // The frame of derdilla/blood-pressure-monitor-fl, ble_measurement_data_test.dart.
    let frame: [UInt8] = [
      0x16, 0x7c, 0, 0x56, 0, 0x61, 0, 0xe8, 0x07, 6, 15, 17, 17, 27, 0x33, 0, 0x27, 0,
    ]
    let record = try readings([
      .serialNumber("5160400123"), .model("UA-651BLE"), .manufacturer("A&D Medical"),
      .firmwareRevision("BLP008_d016"), .batteryPercent(90), .hardwareRevision("B"),
    ]).record(frame)
    #expect(
      record.metrics == [
        Metric(.systolic, 124), Metric(.diastolic, 86), Metric(.meanArterialPressure, 97),
        Metric(.pulse, 51),
      ])
    #expect(record.time.start == Date(timeIntervalSince1970: 1_718_464_647))  // 15:17:27 UTC
    #expect(record.time.end == record.time.start)
    #expect(record.time.origin == .device)
    #expect(record.time.deviceTime?.description == "2024-06-15T17:17:27")
    #expect(record.time.utcOffsetSeconds == 7200)
    #expect(record.time.received == received)
    #expect(
      record.tags.map(\.name) == [
        "body_movement", "cuff_too_loose", "irregular_pulse", "improper_position",
      ])
    #expect(
      record.source.device
        == SourceDevice(
          id: "5160400123", manufacturer: "A&D Medical", model: "UA-651BLE",
          serialNumber: "5160400123", firmwareRevision: "BLP008_d016", batteryPercent: 90,
          peripheralID: 2))
    #expect(record.logID.count == 32)
    #expect(record.kind == .measurement)
    #expect(record.isValidated == true)
  }

  @Test func `has the same identifier for every receiver and time`() throws {
    let frame = BloodPressureFrames.capturedUA651BLE[2]
    let here = try readings().record(frame)
    let reading = try #require(DeviceReading(bloodPressureMeasurement: frame))
    let there = try readings(
      [.serialNumber("5160400123")], .genericBloodPressure, zone: .gmt
    ).record(of: reading, at: .now)
    #expect(here.logID == there.logID)
    #expect(try readings([.serialNumber("5160400124")]).record(frame).logID != here.logID)
    #expect(try readings().record(BloodPressureFrames.capturedUA651BLE[3]).logID != here.logID)
  }

  @Test func `is unique when the device has no clock`() throws {
    let frame: [UInt8] = [0x14, 0x78, 0, 0x50, 0, 0x5d, 0, 0x40, 0, 0, 0]
    let first = try readings().record(frame)
    #expect(first.time.origin == .received)
    #expect(first.time.start == received)
    #expect(try readings().record(frame).logID != first.logID)
  }

  @Test func `has no mean pressure when the device sends 0`() throws {
    let record = try readings().record(BloodPressureFrames.composedBM54[1])
    #expect(record.value(.meanArterialPressure) == nil)
    #expect(record.value(.systolic) == 132)
    #expect(record.tags.map(\.name) == ["irregular_pulse"])
    #expect(record.source.device?.userSlot == 0)
  }

  @Test func `is converted from kilopascal`() throws {
    // 16.3 kPa, 10.7 kPa, mean 12.6 kPa: 0xF0A3, 0xF06B, 0xF07E.
    let record = try readings().record([0x01, 0xa3, 0xf0, 0x6b, 0xf0, 0x7e, 0xf0])
    #expect(record.value(.systolic) == 122.26)
    #expect(record.value(.diastolic) == 80.26)
    #expect(record.value(.meanArterialPressure) == 94.51)
  }

  @Test(arguments: [
    (BloodPressureFrames.capturedUA651BLE[0], RejectedReading.Reason.failedMeasurement),
    ([0x16, 0x7c, 0], .malformed),
    ([], .malformed),
  ])
  func `is rejected with the reason`(frame: [UInt8], reason: RejectedReading.Reason) throws {
    let refused = try #require(throws: RejectedReading.self) { try readings().record(frame) }
    #expect(refused.reason == reason)
    #expect(refused.frame == frame)
    #expect(!refused.message.isEmpty)
  }

  @Test func `is not made of an intermediate cuff pressure`() {
    let frame: [UInt8] = [0x00, 0x78, 0, 0, 0, 0xff, 0x07]
    #expect(DeviceReading(bloodPressureMeasurement: frame) == nil)
  }
}

@Suite struct `Reading that is hard to believe` {
  @Test(arguments: [
    (MetricType.bodyTemperature, 3.68), (.bodyTemperature, 368), (.oxygenSaturation, 127),
    (.bloodGlucose, -5), (.bodyWeight, 6553.5), (.pulse, 0), (.systolic, 800),
  ])
  func `is delivered as it was measured, and tagged`(type: MetricType, value: Double) throws {
    let record = try readings().record(
      of: DeviceReading([.init(type, value), .init(.bodyHeight, 180)], payload: [3]), at: received)
    #expect(record.value(type) == value)
    #expect(record.value(.bodyHeight) == 180)
    #expect(record.implausibleMetrics == [type])
  }

  @Test(arguments: [
    (Double.nan, Metric.Absence.unknown), (.infinity, .aboveRange), (-.infinity, .belowRange),
  ])
  func `has no value where there is no number`(value: Double, absence: Metric.Absence) throws {
    let record = try readings().record(
      of: DeviceReading([.init(.systolic, value)], payload: [3]), at: received)
    #expect(record.metrics == [Metric(.systolic, absent: absence)])
    #expect(record.implausibleMetrics.isEmpty)
    try record.validate()
  }

  @Test func `keeps a saturation that mountaineers have`() throws {
    let record = try readings().record(
      of: DeviceReading([.init(.oxygenSaturation, 40)], payload: [3]), at: received)
    #expect(record.tags.isEmpty)
  }

  @Test func `does not lose the weight for a body mass index`() throws {
    let values: [Metric] = [.init(.bodyWeight, 80), .init(.bmi, 900), .init(.bodyFat, 20)]
    let record = try readings().record(of: DeviceReading(values, payload: [3]), at: received)
    #expect(record.metrics == [values[0], values[2]])
    #expect(record.tags == [RecordTag(name: "implausible_metric_left_out", value: "bmi")])
    // Without the weight it is all that there is.
    let alone = try readings().record(of: DeviceReading([values[1]], payload: [3]), at: received)
    #expect(alone.implausibleMetrics == [.bmi])
  }

  @Test func `is the same measurement whatever is left out`() throws {
    var reading = DeviceReading([.init(.bodyWeight, 80), .init(.bmi, 900)], payload: [3])
    reading.sequenceNumber = 5
    let record = try readings().record(of: reading, at: received)
    let identity = RecordIdentity(
      device: readings().identity.text, sequenceNumber: 5, metrics: reading.values)
    #expect(record.logID == identity.logID)
  }
}

@Suite struct `Rejected reading` {
  @Test func `is kept as a record with time, device, findings and bytes`() throws {
    var reading = DeviceReading(rejected: .control, "A control solution.", payload: [0xAB, 0x01])
    reading.clock = .local(LocalDateTime(secondsSince1970: 1_774_000_000))
    reading.findings = [.init("battery_low")]
    reading.userSlot = 2
    let rejection = RejectedReading(
      reason: .control, message: "A control solution.", frame: reading.payload)
    let record = readings().record(of: reading, rejectedFor: rejection, at: received)

    #expect(record.kind == .rejected)
    #expect(record.metrics.isEmpty)
    #expect(
      record.tags == [
        RecordTag(name: "rejected", value: "control"),
        RecordTag(name: "battery_low", value: "true"),
      ])
    #expect(record.extras["payload"] == .text("ab01"))
    #expect(record.extras["message"] == .text("A control solution."))
    #expect(record.time.deviceTime == LocalDateTime(secondsSince1970: 1_774_000_000))
    #expect(record.source.device?.userSlot == 2)
    try record.validate()
  }

  @Test func `has one identifier as long as it is one`() {
    func logID(
      _ reason: RejectedReading.Reason, _ bytes: [UInt8], number: Int?, _ hours: Double = 0
    ) -> String {
      var reading = DeviceReading(rejected: reason, "No.", payload: bytes)
      reading.sequenceNumber = number
      return readings().record(
        of: reading, rejectedFor: RejectedReading(reason: reason, message: "No.", frame: bytes),
        at: received.addingTimeInterval(hours * 3600)
      ).logID
    }
    let first = logID(.control, [1], number: 7)
    #expect(logID(.control, [1], number: 7, 30) == first)
    #expect(logID(.control, [1], number: 8) != first)
    #expect(logID(.control, [2], number: 7) != first)
    #expect(logID(.malformed, [1], number: 7) != first)
    #expect(logID(.control, [1], number: nil) != logID(.control, [1], number: nil, 2))
  }

  @Test(arguments: [
    RejectedReading.Reason.failedMeasurement, .malformed, .control, .noSignal, .outOfRange,
  ])
  func `keeps the driver's reason and message`(reason: RejectedReading.Reason) throws {
    let reading = DeviceReading(rejected: reason, "It was so.", payload: [1, 2])
    let refused = try #require(throws: RejectedReading.self) {
      try readings().record(of: reading, at: received)
    }
    #expect(refused == RejectedReading(reason: reason, message: "It was so.", frame: [1, 2]))
    #expect(refused.description == "\(reason.rawValue): It was so.")
  }

  @Test func `is rejected regardless of its other values`() throws {
    var reading = temperature(nil)
    reading.rejection = .init(.control, "A control solution was measured.")
    let refused = try #require(throws: RejectedReading.self) {
      try readings().record(of: reading, at: received)
    }
    #expect(refused.reason == .control)
  }

  @Test func `is a recording with only such values`() throws {
    var reading = DeviceReading([], payload: [5])
    reading.series = [.init(.pulse, secondsBetween: 4, values: [nil, 0, 65_535])]
    let refused = try #require(throws: RejectedReading.self) {
      try readings().record(of: reading, at: received)
    }
    #expect(refused.reason == .implausible)
  }

  @Test func `has no measured value`() throws {
    var empty = DeviceReading([], payload: [4])
    empty.series = [.init(.pulse, secondsBetween: 1, values: [nil, nil])]
    for reading in [DeviceReading([], payload: [4]), empty] {
      let refused = try #require(throws: RejectedReading.self) {
        try readings().record(of: reading, at: received)
      }
      #expect(refused.reason == .noSignal)
    }
  }

  @Test func `belongs to another user of the device`() throws {
    let mine = readings(userSlot: 1)
    #expect(try mine.record(BloodPressureFrames.composedBM54[2]).source.device?.userSlot == 1)
    let refused = try #require(throws: RejectedReading.self) {
      try mine.record(BloodPressureFrames.composedBM54[0])
    }
    #expect(refused.reason == .otherUser)
    // A device that does not say whose it is has one user.
    #expect(try mine.record(BloodPressureFrames.capturedUA651BLE[2]).value(.systolic) == 125)
  }
}

@Suite struct `Record of a reading` {
  @Test func `keeps findings, meal and record number`() throws {
    var reading = DeviceReading([.init(.bloodGlucose, 104)], payload: [1])
    reading.findings = [.init("irregular_pulse"), .init("sample_location", "finger")]
    reading.mealRelationship = .fasting
    reading.sequenceNumber = 17
    let record = try readings().record(of: reading, at: received)
    #expect(
      record.tags.contains(RecordTag(name: "irregular_pulse", value: "true"))
        && record.tags.contains(RecordTag(name: "sample_location", value: "finger")))
    #expect(record.mealRelationship == .fasting)
    #expect(
      try readings().record(of: reading, at: received.addingTimeInterval(60)).logID
        == record.logID)
    reading.sequenceNumber = 18
    #expect(try readings().record(of: reading, at: received).logID != record.logID)
  }

  @Test(arguments: [
    (MealRelationship.before, MealRelationship.before), (.after, .after),
    (.fasting, .fasting), (.random, .random),
  ])
  func `knows every meal relation`(
    relation: MealRelationship, expected: MealRelationship
  ) throws {
    var reading = temperature(nil)
    reading.mealRelationship = relation
    #expect(try readings().record(of: reading, at: received).mealRelationship == expected)
  }

  @Test func `is the same when the user sets the clock of a device with a base time`()
    throws
  {
    var reading = temperature(try local(2024, 6, 15, 17, 0))
    reading.sequenceNumber = 3
    reading.identityTime = LocalDateTime(
      year: 2024, month: 6, day: 15, hour: 16, minute: 0, second: 0)
    let before = try readings().record(of: reading, at: received)
    reading.clock = try local(2024, 6, 15, 16, 30)
    let after = try readings().record(of: reading, at: received)
    #expect(before.logID == after.logID)
    #expect(before.time.start != after.time.start)
    reading.identityTime = nil
    #expect(try readings().record(of: reading, at: received).logID != before.logID)
  }

  @Test func `of a recording has counted gaps for impossible values`() throws {
    var reading = DeviceReading([], clock: try local(2024, 6, 15, 17, 0), payload: [1])
    reading.series = [
      .init(.oxygenSaturation, secondsBetween: 4, values: [97, 127, nil, 96]),
      .init(.pulse, secondsBetween: 4, values: [0, 60, nil, 1000]),
    ]
    let record = try readings().record(of: reading, at: received)
    #expect(record.granularity == Granularity(interval: 4, unit: "s"))
    #expect(record.series.map { $0.points.map(\.value) } == [[97, 96], [60]])
    #expect(record.tags == [RecordTag(name: "implausible_values_left_out", value: "3")])
    reading.series = [.init(.pulse, secondsBetween: 4, values: [60, nil, 61])]
    #expect(try readings().record(of: reading, at: received).tags.isEmpty)
  }

  @Test func `of a recording has its values at equal distances, without the gaps`() throws {
    var reading = DeviceReading(
      [.init(.averageOxygenSaturation, 96)], clock: try local(2024, 6, 15, 17, 0), payload: [1])
    reading.series = [
      .init(.oxygenSaturation, secondsBetween: 4, values: [97, nil, 95, 96]),
      .init(.pulse, secondsBetween: 2, values: [60, 61]),
      .init(.perfusionIndex, secondsBetween: 4, values: [nil, nil, nil, nil]),
    ]
    let record = try readings().record(of: reading, at: received)
    let start = Date(timeIntervalSince1970: 1_718_463_600)  // 15:00 UTC
    #expect(record.kind == .intraday)
    #expect(record.granularity == nil)
    #expect(record.metrics == [Metric(.averageOxygenSaturation, 96)])
    #expect(
      record.series == [
        MetricSeries(
          .oxygenSaturation,
          [
            DataPoint(time: start, value: 97),
            DataPoint(time: start.addingTimeInterval(8), value: 95),
            DataPoint(time: start.addingTimeInterval(12), value: 96),
          ]),
        MetricSeries(
          .pulse,
          [
            DataPoint(time: start, value: 60),
            DataPoint(time: start.addingTimeInterval(2), value: 61),
          ]),
      ])
    #expect(record.time.start == start)
    #expect(record.time.end == start.addingTimeInterval(12))
  }
}

@Suite struct `Reading clock` {
  private let shown = LocalDateTime("2024-06-15T17:17:27")

  private func time(
    _ shown: LocalDateTime?, drift: Double? = nil, isUnset: Bool = false
  ) -> RecordTime {
    ReadingClock(zone: berlin, driftSeconds: drift, isUnset: isUnset)
      .time(shown, received: received)
  }

  @Test(arguments: [-600.0, -599, 600])
  func `ignores a small drift, so that repeated readings have the same time`(drift: Double) {
    let time = time(shown, drift: drift)
    #expect(time.start == Date(timeIntervalSince1970: 1_718_464_647))
    #expect(time.origin == .device)
    #expect(time.clockDriftSeconds == drift)
  }

  @Test func `corrects a large drift`() {
    // The clock is 3 h 2 min behind: the measurement was at 20:19:27, a minute before it was read.
    let time = ReadingClock(zone: berlin, driftSeconds: -10_920)
      .time(shown, received: Date(timeIntervalSince1970: 1_718_475_627))
    #expect(time.start == Date(timeIntervalSince1970: 1_718_475_567))
    #expect(time.origin == .deviceCorrected)
    #expect(time.deviceTime == shown)
  }

  @Test func `distrusts a time in the future`() {
    let time = time(LocalDateTime("2024-06-16T17:50:00"))
    #expect(time.start == received)
    #expect(time.origin == .received)
    #expect(time.deviceTime?.description == "2024-06-16T17:50:00")
  }

  @Test func `distrusts an invalid date`() {
    #expect(time(LocalDateTime("2024-02-30T00:00:00")).origin == .received)
    #expect(time(nil).origin == .received)
  }

  @Test func `distrusts a clock that reports that it was never set`() {
    let time = time(shown, isUnset: true)
    #expect(time.start == received)
    #expect(time.origin == .received)
    #expect(time.deviceTime == shown)
  }

  @Test(arguments: [
    ("2000-01-01T00:03:00", false), ("2009-12-31T23:59:59", false), ("2010-01-01T00:00:12", false),
    ("2014-01-01T05:00:00", false), ("2016-01-01T00:00:00", false), ("2022-01-01T12:00:00", false),
    ("2023-01-01T23:59:59", false), ("2024-01-01T00:00:00", false), ("2022-01-02T00:00:00", true),
    ("2010-01-02T00:00:00", true), ("2023-12-31T23:59:59", true),
  ])
  func `distrusts every New Year's Day, with which clocks begin`(
    shown: String, isBelieved: Bool
  ) {
    let time = time(LocalDateTime(shown))
    #expect(time.origin == (isBelieved ? .device : .received))
    #expect((time.start == received) == !isBelieved)
    #expect(time.deviceTime?.description == shown)
  }

  @Test func `trusts a recent New Year's Day`() {
    let newYear = LocalDateTime("2022-01-01T12:00:00")
    let clock = ReadingClock(zone: berlin, driftSeconds: nil)
    let noon = Date(timeIntervalSince1970: 1_641_034_800)  // 11:00 UTC
    #expect(clock.time(newYear, received: noon.addingTimeInterval(86_400)).start == noon)
    #expect(clock.time(newYear, received: noon.addingTimeInterval(29 * 86_400)).origin == .device)
    #expect(clock.time(newYear, received: noon.addingTimeInterval(31 * 86_400)).origin == .received)
  }

  @Test func `corrects a clock that was never set if its drift is known`() {
    // The device began with 1 January 2010 and shows 01:00 of that day now. By its own count it was
    // half an hour ago; in which zone the time of 2010 would be read does not matter.
    let time = time(LocalDateTime("2010-01-01T00:30:00"), drift: -456_165_600)
    #expect(time.origin == .deviceCorrected)
    #expect(time.start == received.addingTimeInterval(-1800))
  }
}

@Suite struct `Reading of a device that keeps UTC` {
  @Test func `has that instant and keeps the device's time`() throws {
    let record = try readings().record(of: temperature(.universal(1_718_465_000)), at: received)
    #expect(record.time.start == Date(timeIntervalSince1970: 1_718_465_000))
    #expect(record.time.origin == .device)
    #expect(record.time.deviceTime?.description == "2024-06-15T15:23:20")
    #expect(record.time.utcOffsetSeconds == 7200)
  }

  @Test(arguments: [1_729_987_200.0 - 2400, 1_729_987_200.0 + 1200])
  func `is right in the hour repeated by daylight saving time`(seconds: Double) throws {
    // Berlin set its clocks back on 27 October 2024 at 01:00 UTC.
    let later = Date(timeIntervalSince1970: 1_730_000_000)
    let record = try readings().record(of: temperature(.universal(seconds)), at: later)
    #expect(record.time.start == Date(timeIntervalSince1970: seconds))
  }

  @Test func `has the same identifier in every zone`() throws {
    let reading = temperature(.universal(1_718_465_000))
    let tokyo = TimeZone(secondsFromGMT: 32_400) ?? .gmt
    #expect(
      try readings().record(of: reading, at: received).logID
        == (try readings(zone: tokyo).record(of: reading, at: received).logID))
  }

  @Test func `is corrected and distrusted like any other`() throws {
    let late = readings([.serialNumber("1"), .clockDrift(seconds: -7200)])
    let corrected = try late.record(of: temperature(.universal(1_718_458_000)), at: received)
    #expect(corrected.time.start == Date(timeIntervalSince1970: 1_718_465_200))
    #expect(corrected.time.origin == .deviceCorrected)
    let future = try readings().record(of: temperature(.universal(1_718_600_000)), at: received)
    #expect(future.time.origin == .received)
    let epoch = try readings().record(of: temperature(.universal(100)), at: received)
    #expect(epoch.time.start == received)
    #expect(epoch.time.deviceTime?.description == "1970-01-01T00:01:40")
  }
}

@Suite struct `Reading of a device that reports its age` {
  @Test func `is dated by its age before the receipt`() throws {
    let record = try readings().record(of: temperature(.age(90)), at: received)
    #expect(record.time.start == received.addingTimeInterval(-90))
    #expect(record.time.origin == .device)
    #expect(record.time.deviceTime == nil)
    #expect(record.time.utcOffsetSeconds == 7200)
  }

  @Test func `is never later than its receipt`() throws {
    #expect(
      try readings().record(of: temperature(.age(-90)), at: received).time.start == received)
  }

  @Test func `is distinguished from an equal one unless the device numbers them`() throws {
    var reading = temperature(.age(90))
    #expect(
      try readings().record(of: reading, at: received).logID
        != readings().record(of: reading, at: received).logID)
    reading.sequenceNumber = 4
    #expect(
      try readings().record(of: reading, at: received).logID
        == readings().record(of: reading, at: received.addingTimeInterval(5)).logID)
  }
}

@Suite struct `Device facts` {
  private var facts = DeviceProperties(identifier: someDevice)

  @Test mutating func `prefer the serial number for the identity`() {
    #expect(facts.identity.text == "peripheral:00000000-0000-0000-0000-00000000002A")
    facts.note(.systemID(0x0605_04FF_FE03_0201))
    #expect(facts.identity.text == "system-id:60504fffe030201")
    facts.note(.serialNumber("77"))
    #expect(facts.identity.text == "serial://77")
    facts.note(.manufacturer("Acme"))
    facts.note(.model("Cuff"))
    #expect(facts.identity.text == "serial:Acme/Cuff/77")
  }

  @Test mutating func `keep the System ID beside the serial number`() {
    facts.note(.serialNumber("77"))
    facts.note(.systemID(0x0605_04FF_FE03_0201))
    let device = facts.device(.aAndDUA651BLE, id: facts.identity.id, userSlot: nil)
    #expect(device.systemID == "06-05-04-FF-FE-03-02-01")
    #expect(device.id == "77")
  }

  @Test mutating func `use the catalogue for what the device does not report`() {
    let device = facts.device(.aAndDUA651BLE, id: facts.identity.id, userSlot: nil)
    #expect(device.id == "00000000-0000-0000-0000-00000000002A")
    #expect(device.manufacturer == "A&D")
    #expect(device.model == "UA-651BLE")
    #expect(device.serialNumber == nil)
    #expect(device.batteryPercent == nil)
    #expect(facts.clockDriftSeconds == nil && !facts.isClockUnset)
  }

  @Test mutating func `include the drift of the device's clock`() {
    facts.note(.clockDrift(seconds: -90))
    #expect(facts.clockDriftSeconds == -90)
    facts.note(.clockNotSet)
    #expect(facts.isClockUnset)
  }
}
