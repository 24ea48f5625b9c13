// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing
import CivilCalendar

@Suite struct `Record identity` {
  private let time = LocalDateTime("2018-04-17T15:51:00")

  private func identity(
    device: String = "5160400123", slot: Int? = nil, sequence: Int? = nil, systolic: Double = 120
  ) -> RecordIdentity {
    RecordIdentity(
      device: device, userSlot: slot, sequenceNumber: sequence, deviceTime: time,
      metrics: [Metric(.systolic, systolic), Metric(.diastolic, 80)])
  }

  @Test func `is the digest that any SHA-256 program makes`() {
    #expect(identity().logID == "64925f06cd08f5509470b0c81cb61b09")
  }

  @Test func `differs by device, slot, sequence number and value`() {
    let all = [
      identity(), identity(device: "5160400124"), identity(slot: 1), identity(sequence: 1),
      identity(systolic: 121),
    ]
    #expect(Set(all.map(\.logID)).count == 5)
  }

  @Test func `does not distinguish without a time or a sequence number`() {
    #expect(!RecordIdentity(device: "a", metrics: []).isDistinguishing)
    #expect(identity().isDistinguishing)
  }
}

@Suite struct `Local time` {
  @Test(arguments: [
    ("Europe/Berlin", "2018-04-17T15:51:00", 1_523_973_060.0),
    ("America/New_York", "2018-04-17T15:51:00", 1_523_994_660),
    ("Asia/Kathmandu", "2024-02-29T00:00:00", 1_709_144_100),
  ])
  func `is an instant in a zone`(zone: String, text: String, seconds: Double) throws {
    let zone = try #require(TimeZone(identifier: zone))
    #expect(LocalDateTime(text)?.date(in: zone) == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "2018-02-30T00:00:00", "2023-02-29T00:00:00", "2018-13-01T00:00:00", "2018-00-01T00:00:00",
    "2018-01-00T00:00:00", "2018-01-01T24:00:00", "2018-01-01T00:60:00", "0000-01-01T00:00:00",
  ])
  func `is not an instant when no calendar has it`(text: String) throws {
    #expect(try #require(LocalDateTime(text)).date(in: .gmt) == nil)
  }

  @Test(arguments: [
    "", "2018-04-17", "2018-04-17T15:51:00Z", "2018-4-17T15:51:000", "x018-04-17T15:51:00",
  ])
  func `is not read from another form`(text: String) {
    #expect(LocalDateTime(text) == nil)
  }

  @Test func `is read from its own form`() {
    #expect(LocalDateTime("0987-06-05T04:03:02")?.description == "0987-06-05T04:03:02")
  }

  @Test func `is the same as the calendar's on every day of four centuries`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for day in stride(from: -140_000, through: 140_000, by: 1) {
      let seconds = day * 86_400 + (day * 7919 % 86_400 + 86_400) % 86_400
      let time = LocalDateTime(secondsSince1970: seconds)
      try #require(time.secondsSince1970 == seconds)
      guard day % 37 == 0 else { continue }
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: Double(seconds)))
      try #require(
        [time.year, time.month, time.day] == [parts.year, parts.month, parts.day])
      try #require(
        [time.hour, time.minute, time.second] == [parts.hour, parts.minute, parts.second])
    }
  }

  @Test(
    arguments: [
      (0.007, "1970-01-01T00:00:00.007Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
      (0.9996, "1970-01-01T00:00:01Z"), (1_700_546_400.29, "2023-11-21T06:00:00.290Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (-11_644_473_600, "1601-01-01T00:00:00Z"),
      (.nan, "1970-01-01T00:00:00Z"), (.infinity, "9999-12-31T23:59:59Z"),
      (-.infinity, "0001-01-01T00:00:00Z"),
    ] as [(Double, String)])
  func `is written to the nearest millisecond`(seconds: Double, text: String) {
    #expect(Date(timeIntervalSince1970: seconds).informText == text)
  }

  @Test func `is the wall clock of an offset`() {
    let time = LocalDateTime(Date(timeIntervalSince1970: 1_523_973_060), utcOffsetSeconds: 7200)
    #expect(time.description == "2018-04-17T15:51:00")
  }
}
