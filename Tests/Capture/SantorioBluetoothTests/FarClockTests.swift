// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthDevices
import HealthRecords
import Testing

@Suite struct `Reading of a clock that is far off` {
  private let received = Date(timeIntervalSince1970: 1_774_785_600)

  private func record(
    _ clock: DeviceReading.Clock, drift: Double? = nil, at date: Date
  ) throws -> HealthRecord {
    var facts = DeviceProperties(
      identifier: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    if let drift { facts.note(.clockDrift(seconds: drift)) }
    return try ReadingRecord(
      peripheral: .genericThermometer, facts: facts, identity: facts.identity, zone: .gmt
    ).record(of: DeviceReading([Metric(.bodyTemperature, 37)], clock: clock, payload: []), at: date)
  }

  @Test(arguments: [1.6e10, 2.5e9, -2.5e9, .infinity, .nan])
  func `has the time that it showed, and can be written`(drift: Double) throws {
    let time = LocalDateTime(year: 2017, month: 1, day: 16, hour: 12, minute: 0, second: 0)
    let record = try record(.local(time), drift: drift, at: received)
    #expect(record.time.start == Date(timeIntervalSince1970: 1_484_568_000))
    #expect(throws: Never.self) { try record.informJSON() }
  }

  @Test(arguments: [
    DeviceReading.Clock.universal(.nan), .universal(.infinity), .universal(1e18), .age(.nan),
    .age(.infinity), .age(4e11),
  ])
  func `has the time of receipt for no time at all`(clock: DeviceReading.Clock) throws {
    let record = try record(clock, at: received)
    #expect(record.time.start == received && record.time.origin == .received)
    #expect(throws: Never.self) { try record.informJSON() }
  }

  @Test func `is another one each day when the clock begins anew each time`() throws {
    let start = LocalDateTime(year: 2010, month: 1, day: 1, hour: 0, minute: 0, second: 30)
    let later = received.addingTimeInterval(86_400)
    let first = try record(.local(start), at: received)
    #expect(try record(.local(start), at: later).logID != first.logID)
    #expect(try record(.local(start), at: received.addingTimeInterval(60)).logID == first.logID)
    // A New Year's Day that may be a real one is sent again with the whole memory.
    let newYear = LocalDateTime(year: 2024, month: 1, day: 1, hour: 0, minute: 20, second: 0)
    #expect(
      try record(.local(newYear), at: received).logID == record(.local(newYear), at: later).logID)
    // A clock that was never set and goes on is no reason to store a reading again.
    let set = LocalDateTime(year: 2010, month: 1, day: 3, hour: 0, minute: 0, second: 30)
    #expect(
      try record(.local(set), at: received).logID == record(.local(set), at: later).logID)
  }

  @Test func `is known again by the device's number, whatever an impossible age stands for`() throws
  {
    var reading = DeviceReading(
      [Metric(.bodyTemperature, 37)], clock: .age(4e9), payload: [])
    reading.sequenceNumber = 4
    let facts = DeviceProperties(
      identifier: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    let records = ReadingRecord(
      peripheral: .genericThermometer, facts: facts, identity: facts.identity, zone: .gmt)
    let first = try records.record(of: reading, at: received)
    let second = try records.record(of: reading, at: received.addingTimeInterval(60))
    #expect(first.time.isDeviceTimeDisbelieved && second.time.isDeviceTimeDisbelieved)
    #expect(first.time.deviceTime != second.time.deviceTime)
    #expect(first.logID == second.logID)
  }
}
