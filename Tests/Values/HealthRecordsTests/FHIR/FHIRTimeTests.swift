// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthRecords
import Testing

@Suite struct `FHIR times` {
  private func effective(_ seconds: Double, offset: Int?) throws -> String? {
    var record = FHIRExample.measurement([Metric(.pulse, 60)])
    record.time = RecordTime(
      start: Date(timeIntervalSince1970: seconds), utcOffsetSeconds: offset, origin: .device,
      received: Date(timeIntervalSince1970: seconds))
    return try FHIRExample.objects(record).first?["effectiveDateTime"].text
  }

  @Test(
    arguments: [
      (nil, "2018-04-17T13:51:00Z"), (0, "2018-04-17T13:51:00+00:00"),
      (7200, "2018-04-17T15:51:00+02:00"), (-12_600, "2018-04-17T10:21:00-03:30"),
      (20_700, "2018-04-17T19:36:00+05:45"), (50_400, "2018-04-18T03:51:00+14:00"),
      (-50_400, "2018-04-16T23:51:00-14:00"), (-1800, "2018-04-17T13:21:00-00:30"),
    ] as [(Int?, String)])
  func `are local with their offset`(offset: Int?, text: String) throws {
    #expect(try effective(1_523_973_060, offset: offset) == text)
  }

  @Test(arguments: [1234, 50_460, -50_460, 86_340])
  func `are in UTC when FHIR has no such offset`(offset: Int) throws {
    #expect(try effective(1_523_973_060, offset: offset) == "2018-04-17T13:51:00Z")
  }

  @Test(arguments: [
    (1_523_973_060.125, "2018-04-17T13:51:00.125Z"), (1_523_973_060.0004, "2018-04-17T13:51:00Z"),
    (1_523_973_060.0016, "2018-04-17T13:51:00.002Z"), (1_523_973_059.9996, "2018-04-17T13:51:00Z"),
    (1_514_764_799.9995, "2018-01-01T00:00:00Z"), (-0.25, "1969-12-31T23:59:59.750Z"),
    (-1, "1969-12-31T23:59:59Z"), (951_825_600, "2000-02-29T12:00:00Z"),
    (-11_676_000_000, "1600-01-02T02:40:00Z"),
  ])
  func `are rounded to milliseconds`(seconds: Double, text: String) throws {
    #expect(try effective(seconds, offset: nil) == text)
  }

  @Test(arguments: [-11_676_000_001.0, 253_402_200_001, 1e300])
  func `are refused in years that FHIR or the calendar lacks`(seconds: Double) {
    let error = #expect(throws: RecordError.self) { try effective(seconds, offset: nil) }
    #expect(error?.path == "start_time")
  }

  @Test func `say when a value was known, and that a day is not over`() throws {
    var record = FHIRExample.hour(.summary, [Metric(.steps, 5)])
    let told = { try #require(try FHIRExample.objects(record).first) }
    #expect(try told()["status"].text == "final")
    record.time.received = FHIRExample.instant.addingTimeInterval(1800)
    #expect(try told()["status"].text == "preliminary")
    #expect(try told()["issued"].text == "2018-04-17T16:21:00+02:00")
    record.lastUpdated = FHIRExample.instant.addingTimeInterval(7200)
    #expect(try told()["status"].text == "final")
    #expect(try told()["issued"].text == "2018-04-17T17:51:00+02:00")
  }

  @Test func `do not take the beginning of a span for its receipt`() throws {
    var record = FHIRExample.hour(.summary, [Metric(.steps, 5)])
    (record.time.received, record.time.origin) = (record.time.start, .device)
    let day = try #require(try FHIRExample.objects(record).first)
    #expect(!day["issued"].exists)
    #expect(day["status"].text == "final")
  }
}

@Suite struct `How a time is known, in FHIR` {
  private func observation(_ time: RecordTime) throws -> FHIRObject {
    var record = FHIRExample.measurement([Metric(.pulse, 60)])
    record.time = time
    return try #require(try FHIRExample.objects(record).first)
  }

  private func time(
    _ origin: RecordTime.Origin, shown: String? = nil, drift: Double? = nil
  ) -> RecordTime {
    RecordTime(
      start: FHIRExample.instant, utcOffsetSeconds: 7200, origin: origin,
      deviceTime: shown.flatMap { LocalDateTime($0) }, received: FHIRExample.instant,
      clockDriftSeconds: drift)
  }

  private func component(_ code: String, of observation: FHIRObject) -> FHIRObject? {
    observation["component"].elements.first { $0["code"].codes == ["urn:santorio:time|\(code)"] }
  }

  @Test func `is a component for the clock, its time and its drift`() throws {
    let told = try observation(
      time(.deviceCorrected, shown: "2018-04-17T13:51:00", drift: -7200.25))
    #expect(
      component("origin", of: told)?["valueString"].text == "device_corrected")
    #expect(component("device-time", of: told)?["valueString"].text == "2018-04-17T13:51:00")
    #expect(component("clock-drift", of: told)?["valueInteger"].number == -7200)
    #expect(told["meta"]["profile"][0].text?.hasSuffix("heartrate") == true)
  }

  @Test func `is told as far as it is known`() throws {
    let told = try observation(time(.user))
    #expect(told["component"].elements.count == 1)
    #expect(!(try observation(time(.unknown))["component"].exists))
    #expect(component("clock-drift", of: try observation(time(.device, drift: 1e300))) == nil)
    // FHIR's integers have 32 bits.
    #expect(component("clock-drift", of: try observation(time(.device, drift: 3e9))) == nil)
  }

  @Test func `leaves the time out that a disbelieved clock has not told`() throws {
    let told = try observation(time(.received, shown: "2015-01-01T00:00:00"))
    #expect(!told["effectiveDateTime"].exists && !told["effectivePeriod"].exists)
    let reason = told["_effectiveDateTime"]["extension"][0]
    #expect(
      reason["url"].text == "http://hl7.org/fhir/StructureDefinition/data-absent-reason")
    #expect(reason["valueCode"].text == "unknown")
    #expect(told["issued"].text == "2018-04-17T15:51:00+02:00")
    #expect(component("device-time", of: told)?["valueString"].text == "2015-01-01T00:00:00")
    // The profile demands a date.
    #expect(!told["meta"].exists)
    #expect(told["category"][0].codes.first?.hasSuffix("|vital-signs") == true)
  }

  @Test func `is the receipt where the device has no clock`() throws {
    let told = try observation(time(.received))
    #expect(told["effectiveDateTime"].text == "2018-04-17T15:51:00+02:00")
    #expect(
      component("origin", of: told)?["valueString"].text == "received")
  }

  @Test func `is absent in each point of a series as well`() throws {
    var record = FHIRExample.hour(.intraday, [])
    record.time = time(.received, shown: "2015-01-01T00:00:00")
    record.series = [
      MetricSeries(
        .pulse,
        [0, 4, 8.5].map {
          DataPoint(time: record.time.start.addingTimeInterval($0), value: 60)
        })
    ]
    let points = try FHIRExample.objects(record)
    #expect(points.count == 3)
    #expect(points.allSatisfy { !$0["effectiveDateTime"].exists && !$0["effectivePeriod"].exists })
    let offsets = points.map { component("offset", of: $0) }
    #expect(offsets.map { $0?["valueInteger"].number } == [0, 4, nil])
    #expect(offsets.map { $0?["valueString"].text } == [nil, nil, "8.5"])
    record.time.deviceTime = nil
    #expect(try FHIRExample.objects(record).allSatisfy { component("offset", of: $0) == nil })
  }

  @Test func `leaves to sampled data the distances of its points`() throws {
    var record = FHIRExample.hour(.intraday, [])
    record.time = time(.received, shown: "2015-01-01T00:00:00")
    record.granularity = .minutes(1)
    record.series = [
      MetricSeries(
        .steps,
        [60, 180].map { DataPoint(time: record.time.start.addingTimeInterval($0), value: 9) })
    ]
    let told = try #require(try FHIRExample.objects(record).first)
    #expect(told["valueSampledData"]["data"].text == "9 E 9")
    #expect(component("offset", of: told)?["valueInteger"].number == 60)
  }
}
