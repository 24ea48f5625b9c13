// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthDevices
import HealthRecords
import Testing

@testable import SantorioBluetooth

@Suite struct `Start of an ownership` {
  private static let change = Date(timeIntervalSince1970: 1_772_344_800)  // 2026-03-01 06:00 UTC

  /// A time at some seconds after the change.
  private func time(
    _ seconds: TimeInterval, _ origin: RecordTime.Origin, showsClock: Bool = true,
    drift: Double? = nil
  ) -> RecordTime {
    RecordTime(
      start: Self.change + seconds, origin: origin,
      deviceTime: showsClock ? LocalDateTime(secondsSince1970: 1_772_344_800) : nil,
      received: Self.change + 3600, clockDriftSeconds: drift)
  }

  private func isCertain(
    _ time: RecordTime, _ reading: OwnershipStart.Reading = .none, _ policy: ClockPolicy = .init()
  ) -> Bool {
    OwnershipStart(Self.change, reading: reading).isCertainly(before: time, by: policy)
  }

  // The device's clock may be ten minutes ahead, and show the minute only.
  @Test(arguments: [(-1.0, false), (0, false), (659, false), (660, true)])
  func `is certain by a device's clock after the tolerated lead and a minute`(
    seconds: Double, isCertain: Bool
  ) {
    #expect(self.isCertain(time(seconds, .device, drift: 0)) == isCertain)
  }

  // Nobody has set it back to winter time.
  @Test func `is certain an hour later by a clock that cannot be read`() {
    #expect(!isCertain(time(4259, .device)))
    #expect(isCertain(time(4260, .device)))
  }

  @Test func `is certain after the lead that the clock has`() {
    #expect(!isCertain(time(3659, .device, drift: 3600)))
    #expect(isCertain(time(3660, .device, drift: 3600)))
    #expect(!isCertain(time(659, .device, drift: -3600)))
    #expect(isCertain(time(660, .device, drift: -3600)))
  }

  // It may have been set right after the measurement.
  @Test func `is not certain sooner by a clock that is right now`() {
    #expect(!isCertain(time(659, .device, drift: 0)))
  }

  @Test func `follows the policy of clocks`() {
    var policy = ClockPolicy()
    policy.toleratedLead = .seconds(60)
    #expect(isCertain(time(120, .device, drift: 0), .none, policy))
    #expect(!isCertain(time(119, .device, drift: 0), .none, policy))
  }

  @Test(arguments: [(59.0, false), (60, true)])
  func `is certain after a minute by a corrected time and by an age`(
    seconds: Double, isCertain: Bool
  ) {
    #expect(self.isCertain(time(seconds, .deviceCorrected)) == isCertain)
    #expect(self.isCertain(time(seconds, .device, showsClock: false)) == isCertain)
  }

  @Test(arguments: [OwnershipStart.Reading.none, .once, .wholeMemory])
  func `is never certain by a time that is disbelieved`(reading: OwnershipStart.Reading) {
    #expect(!isCertain(time(86_400, .received), reading))
  }

  @Test func `is certain by the time of receipt only after the device was read to its end`() {
    let received = time(3600, .received, showsClock: false)
    #expect(!isCertain(received))
    #expect(isCertain(received, .once) && isCertain(received, .wholeMemory))
  }

  @Test(arguments: [RecordTime.Origin.device, .deviceCorrected])
  func `is certain of what is new after the whole memory was read`(origin: RecordTime.Origin) {
    #expect(isCertain(time(0, origin), .wholeMemory))
    #expect(!isCertain(time(-1, origin), .wholeMemory))
  }

  // The link may have broken before a device had sent all that it keeps.
  @Test func `is certain no sooner of what a device sends by itself, also after it was read`() {
    #expect(!isCertain(time(659, .device, drift: 0), .once))
    #expect(isCertain(time(660, .device, drift: 0), .once))
  }
}
