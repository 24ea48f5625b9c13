// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthRecords
import Testing

@testable import HealthDevices

private let received = Date(timeIntervalSince1970: 1_718_466_000)  // 2024-06-15T15:40:00Z

/// The time of a measurement by a clock of which no more is known than the drift now.
private func read(
  _ shown: String, drift: Double?, isUnset: Bool = false, earlier: EarlierClock? = nil
) -> RecordTime {
  ReadingClock(zone: .gmt, driftSeconds: drift, isUnset: isUnset, earlier: earlier)
    .time(LocalDateTime(shown), received: received)
}

private func earlier(_ drift: Double, since date: String) throws -> EarlierClock {
  let seconds = try #require(LocalDateTime(date)?.secondsSince1970)
  return EarlierClock(driftSeconds: drift, since: Date(timeIntervalSince1970: Double(seconds)))
}

@Suite struct `Drift of a clock` {
  /// A clock that is two hours ahead now, and nobody knows since when.
  @Test(arguments: [
    // It cannot have shown this but by being ahead.
    ("2024-06-15T15:50:01", "2024-06-15T13:50:01", RecordTime.Origin.deviceCorrected),
    // Measured within the hour before it was received.
    ("2024-06-15T16:40:00", "2024-06-15T14:40:00", .deviceCorrected),
    ("2024-06-15T15:30:00", "2024-06-15T15:30:00", .device),
    ("2024-05-02T08:00:00", "2024-05-02T08:00:00", .device),
    // Later than it is now by the same clock.
    ("2024-06-15T17:51:00", "2024-06-15T15:40:00", .received),
  ])
  func `is taken from what was measured while it can be shown`(
    shown: String, start: String, origin: RecordTime.Origin
  ) {
    let time = read(shown, drift: 7200)
    #expect(time.origin == origin)
    #expect(LocalDateTime(time.start, utcOffsetSeconds: 0) == LocalDateTime(start))
    #expect(time.deviceTime == LocalDateTime(shown))
    #expect(time.clockDriftSeconds == 7200)
  }

  /// A clock that is two hours behind.
  @Test(arguments: [
    ("2024-06-15T12:40:00", "2024-06-15T14:40:00", RecordTime.Origin.deviceCorrected),
    ("2024-06-15T12:39:59", "2024-06-15T12:39:59", .device),
    // Set right between the measurement and now: the drift is of before.
    ("2024-06-15T15:39:00", "2024-06-15T15:39:00", .device),
  ])
  func `is not taken from what the clock may have shown rightly`(
    shown: String, start: String, origin: RecordTime.Origin
  ) {
    let time = read(shown, drift: -7200)
    #expect(time.origin == origin)
    #expect(LocalDateTime(time.start, utcOffsetSeconds: 0) == LocalDateTime(start))
  }

  @Test func `was the same since an earlier connection that found it so`() throws {
    let known = try earlier(7000, since: "2024-06-01T12:00:00")
    #expect(read("2024-06-01T14:00:00", drift: 7200, earlier: known).origin == .deviceCorrected)
    #expect(read("2024-06-01T13:59:59", drift: 7200, earlier: known).origin == .device)
    let other = try earlier(0, since: "2024-06-01T12:00:00")
    #expect(read("2024-06-03T14:00:00", drift: 7200, earlier: other).origin == .device)
  }

  @Test func `of a clock that has begun anew is that of all it has counted since`() {
    // It shows 28 February 2015, 15:40, now, and began with some New Year.
    let drift = -293_328_000.0
    #expect(read("2015-01-01T00:10:00", drift: drift).origin == .deviceCorrected)
    #expect(read("2015-02-28T14:00:00", drift: drift).origin == .deviceCorrected)
    // Measured before the battery was changed.
    #expect(read("2024-06-01T08:00:00", drift: drift).origin == .device)
    #expect(read("2015-03-01T08:00:00", drift: drift).origin == .device)
    #expect(read("2014-12-01T08:00:00", drift: drift).origin == .device)
  }

  @Test func `does not make a New Year's Day doubtful on which the clock was watched`() throws {
    let known = try earlier(30, since: "2023-11-01T12:00:00")
    #expect(read("2024-01-01T08:00:00", drift: 10, earlier: known).origin == .device)
    let later = try earlier(30, since: "2024-01-02T12:00:00")
    #expect(read("2024-01-01T08:00:00", drift: 10, earlier: later).origin == .received)
  }

  @Test func `leaves no time of measurement where the clock cannot be believed`() {
    let time = read("2015-01-01T00:00:00", drift: nil)
    #expect(time.isDeviceTimeDisbelieved)
    #expect(time.start == received)
    #expect(!read("2024-06-15T15:30:00", drift: nil).isDeviceTimeDisbelieved)
    let none = ReadingClock(zone: .gmt, driftSeconds: nil).time(nil, received: received)
    #expect(none.origin == .received)
    #expect(!none.isDeviceTimeDisbelieved)
  }

  @Test func `of a device is minutes ahead at most`() {
    #expect(read("2024-06-15T15:50:00", drift: nil).origin == .device)
    #expect(read("2024-06-15T15:50:01", drift: nil).origin == .received)
  }
}
