// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthDevices
import HealthRecords
import Testing

private let received = Date(timeIntervalSince1970: 1_718_466_000)  // 2024-06-15T15:40:00Z

@Suite struct `Time by an app's policy` {
  private let shown = LocalDateTime("2024-06-15T17:17:27")

  private func time(
    _ shown: LocalDateTime?, drift: Double? = nil, isUnset: Bool = false, policy: ClockPolicy
  ) -> RecordTime {
    // Berlin in summer.
    let zone = TimeZone(secondsFromGMT: 7200) ?? .gmt
    return ReadingClock(zone: zone, driftSeconds: drift, isUnset: isUnset, policy: policy)
      .time(shown, received: received)
  }

  @Test(arguments: [(-29.0, RecordTime.Origin.device), (-31, .deviceCorrected)])
  func `corrects as small a drift as the app wants`(drift: Double, origin: RecordTime.Origin) {
    var policy = ClockPolicy()
    policy.toleratedDrift = .seconds(30)
    #expect(time(shown, drift: drift, policy: policy).origin == origin)
  }

  @Test func `takes the time as shown if the app wants that`() {
    var policy = ClockPolicy()
    policy.correctsDrift = false
    let time = time(shown, drift: -10_920, policy: policy)
    #expect(time.start == Date(timeIntervalSince1970: 1_718_464_647))
    #expect(time.origin == .device)
    #expect(time.clockDriftSeconds == -10_920)
    // Without a correction, the time of a clock that was never set means nothing.
    #expect(self.time(shown, drift: -10_920, isUnset: true, policy: policy).origin == .received)
  }

  @Test(
    arguments: [
      (0, .device, nil), (-600, .device, nil), (946_080_000, .device, nil),
      (-601, .received, "2024-06-15T17:50:01"), (946_080_001, .received, "1994-06-23T17:39:59"),
      (4_294_967_295, .received, "1888-05-09T11:11:45"),
      (1e300, .received, "1600-01-01T02:00:00"), (-1e300, .received, "9999-01-01T01:59:59"),
      (.infinity, .received, nil), (.nan, .received, nil),
    ] as [(Double, RecordTime.Origin, String?)])
  func `is that of an age, and marked where the age cannot be true`(
    age: Double, origin: RecordTime.Origin, shown: String?
  ) throws {
    let zone = TimeZone(secondsFromGMT: 7200) ?? .gmt
    let time = ReadingClock(zone: zone, driftSeconds: nil).time(age: age, received: received)
    #expect(time.origin == origin)
    #expect(time.deviceTime?.description == shown)
    #expect(time.isDeviceTimeDisbelieved == (shown != nil))
    #expect(time.start == (origin == .device && age > 0 ? received - age : received))
  }

  @Test func `is as far ahead and as old as the app believes`() {
    var policy = ClockPolicy()
    policy.toleratedLead = .seconds(120)
    policy.toleratedAge = .seconds(3600)
    // Received at 15:40:00 UTC; Berlin is two hours ahead.
    #expect(time(LocalDateTime("2024-06-15T17:42:00"), policy: policy).origin == .device)
    #expect(time(LocalDateTime("2024-06-15T17:42:01"), policy: policy).origin == .received)
    #expect(time(LocalDateTime("2024-06-15T16:40:00"), policy: policy).origin == .device)
    #expect(time(LocalDateTime("2024-06-15T16:39:59"), policy: policy).origin == .received)
  }
}
