// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import HealthGATT
import HealthRecords
import TestSupport
import Testing

@testable import HealthDevices

@Suite struct `A failed measurement` {
  /// 2017-01-16 11:20:43, of user 2.
  private static let time = LocalDateTime(
    year: 2017, month: 1, day: 16, hour: 11, minute: 20, second: 43)

  @Test func `of a monitor has the device's time and user`() throws {
    let frame = try bytes("1E FF07 FF07 FF07 E107 01 10 0B142B FF07 02 0000")
    let reading = try #require(DeviceReading(bloodPressureMeasurement: frame))
    #expect(reading.rejection?.reason == .failedMeasurement)
    #expect(reading.clock == .local(Self.time))
    #expect(reading.userSlot == 2)
  }

  @Test func `of a scale has the device's time and user`() throws {
    let frame = try bytes("06 FFFF E107 01 10 0B142B 02")
    let weighing = try WeightMeasurement(payload: frame)
    let reading = DeviceReading(weight: weighing.weight, weighing, payload: frame)
    #expect(reading.rejection?.reason == .failedMeasurement)
    #expect(reading.clock == .local(Self.time))
    #expect(reading.userSlot == 2)
  }
}
