// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioOneTouch
import Testing

/// A meter by its name.
private struct Meter: OneTouchKitMeter {
  var meterSerialNumber = "SERIAL1"
  var meterModel: String? = "OneTouch Verio Flex"
}

struct `A result of the kit` {
  private let conversion = OneTouchConversion(zone: .gmt) { VirtualKit.now }

  private func record(_ change: (inout VirtualResult) -> Void) throws -> HealthRecord {
    var result = VirtualResult(7, 120)
    change(&result)
    return try conversion.record(of: result, from: Meter())
  }

  private func rejection(
    _ change: (inout VirtualResult) -> Void
  ) throws -> RejectedOneTouchReading {
    var result = VirtualResult(7, 120)
    change(&result)
    return try #require(throws: RejectedOneTouchReading.self) {
      try conversion.record(of: result, from: Meter())
    }
  }

  @Test func `becomes a measurement of the meter`() throws {
    let record = try record { $0.meal = .before }

    #expect(record.kind == .measurement)
    #expect(record.metrics == [Metric(.bloodGlucose, 120)])
    #expect(record.source.type == .bluetooth)
    #expect(
      record.source.device
        == SourceDevice(
          id: "SERIAL1", manufacturer: "LifeScan", model: "OneTouch Verio Flex",
          serialNumber: "SERIAL1"))
    #expect(record.mealRelationship == .before)
    #expect(record.isValidated == true)
    #expect(record.time.origin == .device)
    #expect(record.time.start == VirtualKit.now - 93 * 3600)
    #expect(record.glucoseRange == nil)
    try record.validate()
  }

  @Test func `keeps what a meter shows in millimoles`() throws {
    let record = try record { $0.glucose = .concentration(.millimolesPerLiter(5.5)) }

    #expect(record.metrics.first?.value == 99.09)
    #expect(record.metrics.first?.unit == "mg/dL")
    #expect(record.metrics.first?.shown?.text == "5.5")
    #expect(record.metrics.first?.shown?.unit == "mmol/L")
    try record.validate()
  }

  @Test(arguments: [
    (OneTouchGlucose.concentration(.milligramsPerDeciliter(601)), GlucoseRange?.some(.high)),
    (.concentration(.milligramsPerDeciliter(65_535)), .high),
    (.concentration(.milligramsPerDeciliter(19)), .low), (.high, .high), (.low, .low),
    (.concentration(.millimolesPerLiter(33.4)), .high),
    (.concentration(.millimolesPerLiter(1)), .low),
    (.concentration(.milligramsPerDeciliter(600)), nil),
    (.concentration(.milligramsPerDeciliter(20)), nil),
    (.concentration(.millimolesPerLiter(33.3)), nil),
    (.concentration(.millimolesPerLiter(1.1)), nil),
  ])
  func `beyond the meter's range is HI or LO`(
    _ glucose: OneTouchGlucose, _ range: GlucoseRange?
  ) throws {
    let record = try record { $0.glucose = glucose }

    #expect(record.glucoseRange == range)
    let metric = try #require(record.metrics.first)
    switch range {
    case .high: #expect(metric == Metric(.bloodGlucose, 600, bound: .above))
    case .low: #expect(metric == Metric(.bloodGlucose, 20, bound: .below))
    case nil: #expect(metric.bound == nil)
    }
    // A HI is an emergency: nothing says that it is to be doubted.
    #expect(record.implausibleMetrics.isEmpty)
    try record.validate()
  }

  @Test func `of control solution is never a reading`() throws {
    let rejection = try rejection {
      $0.isControl = true
      $0.meal = .after
    }

    #expect(rejection.reason == .control)
    #expect(rejection.record.kind == .rejected)
    #expect(rejection.record.metrics.isEmpty)
    #expect(rejection.record.tags == [RecordTag(name: "rejected", value: "control")])
    #expect(rejection.record.time.start == VirtualKit.now - 93 * 3600)
    #expect(rejection.record.source.device?.serialNumber == "SERIAL1")
    try rejection.record.validate()
  }

  @Test(arguments: [
    (0, RejectedOneTouchReading.Reason.failedMeasurement), (-1, .outOfRange),
    (.nan, .outOfRange), (.infinity, .outOfRange),
  ])
  func `without a usable number is refused by its reason`(
    _ value: Double, _ reason: RejectedOneTouchReading.Reason
  ) throws {
    let rejection = try rejection { $0.glucose = .concentration(.milligramsPerDeciliter(value)) }

    #expect(rejection.reason == reason)
    try rejection.record.validate()
  }

  @Test func `has the same identifier each time, and another one for other facts`() throws {
    let first = try record { _ in }
    let later = OneTouchConversion(zone: TimeZone(identifier: "Asia/Tokyo") ?? .gmt) {
      VirtualKit.now + 86_400
    }
    let again = try later.record(
      of: VirtualResult(7, 120), from: Meter(meterModel: "another name"))

    #expect(again.logID == first.logID)
    #expect(first.logID == "a31045af7b20d576574dcf704490900b")
    #expect(try record { $0.number = 8 }.logID != first.logID)
    #expect(
      try record { $0.glucose = .concentration(.milligramsPerDeciliter(121)) }.logID
        != first.logID)
    #expect(try record { $0.time = .instant(VirtualKit.now) }.logID != first.logID)
    let other = try conversion.record(
      of: VirtualResult(7, 120), from: Meter(meterSerialNumber: "SERIAL2"))
    #expect(other.logID != first.logID)
    #expect(try rejection { $0.isControl = true }.record.logID != first.logID)
  }

  @Test func `without time and number is stored twice rather than lost`() throws {
    func timeless() throws -> HealthRecord {
      try record {
        $0.number = nil
        $0.time = .instant(Date(timeIntervalSince1970: .nan))
      }
    }

    let (one, two) = (try timeless(), try timeless())
    #expect(one.logID != two.logID)
    #expect(one.time.origin == .received)
    #expect(one.time.deviceTime == nil)
    try one.validate()
  }

  @Test func `keeps the local time of the meter`() throws {
    let rome = OneTouchConversion(zone: TimeZone(identifier: "Europe/Rome") ?? .gmt) {
      VirtualKit.now
    }
    var result = VirtualResult(1, 100)
    let local = LocalDateTime(year: 2026, month: 7, day: 13, hour: 8, minute: 30, second: 5)
    result.time = .local(local)

    let record = try rome.record(of: result, from: Meter())

    #expect(record.time.deviceTime == local)
    #expect(record.time.utcOffsetSeconds == 7200)
    #expect(record.time.start == Date(timeIntervalSince1970: 1_783_924_205))
  }

  @Test(arguments: [
    "2026-07-14T07:11:01", "2009-12-31T23:59:59", "1996-01-02T00:00:00", "2026-01-01T10:00:00",
    "2026-02-30T10:00:00",
  ])
  func `of a time that cannot be true has none`(_ text: String) throws {
    let local = LocalDateTime(year: 2026, month: 2, day: 30, hour: 10, minute: 0, second: 0)
    let record = try record { $0.time = .local(LocalDateTime(text) ?? local) }

    #expect(record.time.origin == .received)
    #expect(record.time.start == VirtualKit.now)
    try record.validate()
  }

  @Test func `shows no value in texts`() throws {
    let glucose = OneTouchGlucose.concentration(.milligramsPerDeciliter(123))
    let rejection = try rejection { $0.isControl = true }
    var dump = ""
    Swift.dump(glucose, to: &dump)

    #expect(!"\(glucose)\(dump)".contains("123"))
    #expect("\(rejection)" == "control: The control solution was tested. It is no reading.")
  }
}
