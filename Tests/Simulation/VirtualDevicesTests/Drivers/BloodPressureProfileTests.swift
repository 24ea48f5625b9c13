// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Driver of the Blood Pressure Profile` {
  @Test func `reads a monitor's memory and reports failed measurements`() throws {
    var bench = DriverBench(.bloodPressureProfile, .ua651BLE())
    let result = bench.run()

    #expect(
      result.readings.map(\.rejection?.reason) == [
        .failedMeasurement, .failedMeasurement, nil, nil,
      ])
    let first = try #require(result.accepted.first)
    #expect(
      first.values == [
        .init(.systolic, 125), .init(.diastolic, 80),
        .init(.meanArterialPressure, 102), .init(.pulse, 64),
      ])
    #expect(
      first.clock
        == .local(LocalDateTime(year: 2017, month: 1, day: 16, hour: 12, minute: 39, second: 54)))
    #expect(result.facts.contains(.serialNumber("5160400123")))
    #expect(result.end == .finish)
    #expect(result.elapsed == .seconds(4))
  }

  @Test func `measures the drift of the clock before it sets it`() throws {
    var bench = DriverBench(
      .bloodPressureProfile, .ua651BLE(), clock: VirtualClock(offsetSeconds: -5400))
    let result = bench.run()

    #expect(result.facts.first == .clockDrift(seconds: -5400))
    #expect(result.writes.map(\.bytes) == [[0xEA, 0x07, 3, 29, 14, 0, 0]])
    #expect(result.events.first == .clockSet)
  }

  @Test func `a monitor that erases sent measurements has none the second time`() {
    var bench = DriverBench(.bloodPressureProfile, .ua651BLE())
    _ = bench.run()
    let second = bench.run()

    #expect(second.readings.isEmpty)
    #expect(second.isReady)
    #expect(second.end == nil)
  }
}
