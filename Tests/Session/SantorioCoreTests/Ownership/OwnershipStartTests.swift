// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import SantorioCore

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

  /// The extent to which a device was read before a reading is received.
  enum Reading: CaseIterable {
    case none, once, wholeMemory
  }

  private func start(
    _ reading: Reading = .none, isChange: Bool = true, takesMemory: Bool = false
  ) -> OwnershipStart {
    var start = OwnershipStart(Self.change, isChange: isChange, takesMemory: takesMemory)
    if reading != .none {
      start.noteEnd(at: Self.change + 60, wasAskedForMemory: reading == .wholeMemory)
    }
    return start
  }

  private func claim(
    _ time: RecordTime, _ reading: Reading = .none, isChange: Bool = true, lead: Double = 600
  ) -> OwnershipStart.Claim {
    start(reading, isChange: isChange).claim(on: time, toleratedLead: lead)
  }

  @Test func `waits with all that is new until a reading was confirmed`() {
    var start = OwnershipStart(Self.change, isChange: false, waitsForConfirmation: true)
    func claims() -> [OwnershipStart.Claim] {
      [-86_400.0, 0, 3600].map {
        start.claim(on: time($0, .device, drift: 0), toleratedLead: 600)
      }
    }
    #expect(claims() == [.older, .pending, .pending])
    start.confirm()
    #expect(claims() == [.older, .own, .own])
  }

  // MARK: - After a change of user

  // The device's clock may be ten minutes ahead, and show the minute only.
  @Test(arguments: [
    (-661.0, OwnershipStart.Claim.older), (-660, .pending), (0, .pending), (659, .pending),
    (660, .own),
  ])
  func `decides by a device's clock that was read once its tolerated error and a minute are over`(
    seconds: Double, claim: OwnershipStart.Claim
  ) {
    #expect(self.claim(time(seconds, .device, drift: 0)) == claim)
  }

  // It may still show summer time, or be of another day; or its batteries were changed.
  @Test(arguments: [
    (-63_072_000.0, OwnershipStart.Claim.pending), (-63_071_999, .older), (-90_061, .older),
    (-90_060, .pending), (4259, .pending), (4260, .own),
  ])
  func `decides later by a clock that cannot be read`(
    seconds: Double, claim: OwnershipStart.Claim
  ) {
    #expect(self.claim(time(seconds, .device)) == claim)
  }

  @Test(arguments: [
    (3659.0, 3600.0, OwnershipStart.Claim.pending), (3660, 3600, .own), (659, -3600, .pending),
    (660, -3600, .own), (-3660, -3600, .pending), (-3661, -3600, .older),
  ])
  func `regards the error that the clock has`(
    seconds: Double, drift: Double, claim: OwnershipStart.Claim
  ) {
    #expect(self.claim(time(seconds, .device, drift: drift)) == claim)
  }

  @Test func `regards the error that the clock had before it was set right`() {
    var start = start()
    start.note(drift: 3600)
    start.note(drift: 0)
    #expect(start.claim(on: time(3659, .device, drift: 0), toleratedLead: 600) == .pending)
    #expect(start.claim(on: time(3660, .device, drift: 0), toleratedLead: 600) == .own)
  }

  @Test func `follows the policy of clocks`() {
    #expect(claim(time(120, .device, drift: 0), lead: 60) == .own)
    #expect(claim(time(119, .device, drift: 0), lead: 60) == .pending)
  }

  @Test(arguments: [(59.0, OwnershipStart.Claim.pending), (60, .own), (-61, .older)])
  func `decides after a minute by an age`(seconds: Double, claim: OwnershipStart.Claim) {
    #expect(self.claim(time(seconds, .device, showsClock: false)) == claim)
  }

  @Test(arguments: [
    (59.0, OwnershipStart.Claim.pending), (60, .own), (-660, .pending), (-661, .older),
  ])
  func `decides after a minute by a corrected time`(seconds: Double, claim: OwnershipStart.Claim) {
    #expect(self.claim(time(seconds, .deviceCorrected)) == claim)
  }

  @Test(arguments: Reading.allCases)
  func `never decides by a time that is disbelieved`(reading: Reading) {
    #expect(claim(time(86_400, .received), reading) == .pending)
  }

  @Test func `takes a reading without a time once the device was read to its end`() {
    let received = time(3600, .received, showsClock: false)
    #expect(claim(received) == .pending)
    #expect(claim(received, .once) == .own && claim(received, .wholeMemory) == .own)
  }

  @Test(arguments: [RecordTime.Origin.device, .deviceCorrected])
  func `takes what is new after the whole memory was read`(origin: RecordTime.Origin) {
    #expect(claim(time(0, origin), .wholeMemory) == .own)
    #expect(claim(time(-1, origin), .wholeMemory) == .pending)
  }

  // The link may have broken before a device had sent all that it keeps.
  @Test func `decides no sooner of what a device sends by itself, also after it was read`() {
    #expect(claim(time(659, .device, drift: 0), .once) == .pending)
    #expect(claim(time(660, .device, drift: 0), .once) == .own)
  }

  // It was held then, and is looked at again.
  @Test func `decides about what was received before the end of the first reading as then`() {
    var start = start()
    start.noteEnd(at: Self.change + 3601, wasAskedForMemory: true)
    #expect(start.claim(on: time(0, .device, drift: 0), toleratedLead: 600) == .pending)
  }

  // The clock may be a day behind: what comes after the memory is new.
  @Test(arguments: [Reading.once, .wholeMemory])
  func `sets nothing aside by an unread clock once the device was read to its end`(
    reading: Reading
  ) {
    #expect(claim(time(-200_000, .device), reading) == .pending)
  }

  // It has not reached the user who had the device then.
  @Test func `asks about what was measured while another user had the device`() {
    let start = OwnershipStart(Self.change, isChange: true, after: Self.change - 7200)
    func claim(_ seconds: TimeInterval) -> OwnershipStart.Claim {
      start.claim(on: time(seconds, .device, drift: 0), toleratedLead: 600)
    }
    #expect(claim(-7200 - 660) == .pending && claim(-7200 - 661) == .older)
    #expect(claim(659) == .pending && claim(660) == .own)
  }

  @Test func `asks about what is older where the memory is asked for`() {
    let start = start(takesMemory: true)
    #expect(start.claim(on: time(-200_000, .device), toleratedLead: 600) == .pending)
    #expect(start.takingMemory == start)
  }

  // MARK: - Of a device that no other user is known to have had

  @Test(arguments: [
    (-60.0, OwnershipStart.Claim.own), (-61, .pending), (-660, .pending), (-661, .older),
  ])
  func `takes what was measured from the minute of the first enrolment on`(
    seconds: Double, claim: OwnershipStart.Claim
  ) {
    #expect(self.claim(time(seconds, .device, drift: 0), isChange: false) == claim)
  }

  @Test func `takes the first readings of a device without a clock`() {
    #expect(claim(time(3600, .received, showsClock: false), isChange: false) == .own)
  }

  @Test func `asks about times that are disbelieved until the device was read to its end`() {
    let disbelieved = time(3600, .received)
    #expect(claim(disbelieved, isChange: false) == .pending)
    #expect(claim(disbelieved, .once, isChange: false) == .own)
  }

  @Test func `takes what comes after the whole memory, also by a clock that is behind`() {
    #expect(claim(time(-90_000, .device), .wholeMemory, isChange: false) == .own)
    #expect(claim(time(-90_001, .device), .wholeMemory, isChange: false) == .pending)
    #expect(claim(time(-90_000, .device), .once, isChange: false) == .pending)
  }

  // It has left the queue, and its device sends it again.
  @Test(arguments: Reading.allCases)
  func `sets an older reading aside again by a clock that was read`(reading: Reading) {
    #expect(claim(time(-200_000, .device, drift: 0), reading, isChange: false) == .older)
  }

  @Test func `ends where its memory is asked for`() {
    #expect(start(isChange: false).takingMemory == nil)
  }

  // MARK: - In the file

  @Test func `is kept with all that was noted`() throws {
    var start = start(.wholeMemory)
    start.note(drift: -90)
    let data = try JSONEncoder().encode(start)
    #expect(try JSONDecoder().decode(OwnershipStart.self, from: data) == start)
  }

  @Test func `begins with the next whole second`() {
    let start = OwnershipStart(Self.change + 0.1, isChange: true)
    #expect(start.date == Self.change + 1)
  }
}
