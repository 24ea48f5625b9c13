// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Driver of the Health Thermometer Profile` {
  @Test func `reads a UT-201BLE and reports a failed measurement`() throws {
    var bench = DriverBench(.thermometerProfile, .ut201BLE)
    let result = bench.run()

    #expect(result.readings.map(\.rejection?.reason) == [nil, .failedMeasurement, nil])
    #expect(result.accepted.map { $0[.bodyTemperature] } == [37.1, 38.5])
    #expect(result.accepted.first?.findings == [.init("measurement_location", "body")])
    #expect(
      result.accepted.first?.clock
        == .local(LocalDateTime(year: 2024, month: 3, day: 9, hour: 7, minute: 30, second: 0)))
    #expect(result.facts.contains(.serialNumber("5190504A09")))
    #expect(result.end == .finish)
  }

  @Test func `sets the clock in the thermometer service first`() {
    var bench = DriverBench(
      .thermometerProfile, .ut201BLE, clock: VirtualClock(offsetSeconds: 90))
    let result = bench.run()

    #expect(result.facts.first == .clockDrift(seconds: 90))
    #expect(result.writes.map(\.attribute) == [.temperatureDateTime])
    #expect(result.writes.map(\.bytes) == [[0xEA, 0x07, 3, 29, 14, 0, 0]])
  }

  @Test func `reads the body site from its characteristic and converts from °F`() {
    var bench = DriverBench(.thermometerProfile, .earThermometer)
    let result = bench.run()

    #expect(result.accepted.map { $0[.bodyTemperature] } == [37.5])
    #expect(result.accepted.first?.findings == [.init("measurement_location", "ear")])
    #expect(result.accepted.first?.clock == nil)
  }

  @Test func `waits for a thermometer that has erased its sent measurements`() {
    var bench = DriverBench(.thermometerProfile, .ut201BLE)
    _ = bench.run()
    let second = bench.run()
    #expect(second.readings.isEmpty)
    #expect(second.isReady)

    bench.press(.measure(number: 1))
    let third = bench.run()
    #expect(third.accepted.map { $0[.bodyTemperature] } == [36.7])
  }

  @Test func `loses nothing with a lost link`() {
    var bench = DriverBench(.thermometerProfile, .ut201BLE)
    bench.fault = .cut(afterValues: 1)
    _ = bench.run()
    bench.fault = nil
    let second = bench.run()

    #expect(second.accepted.map { $0[.bodyTemperature] } == [37.1, 38.5])
  }

  @Test func `pairs, and keeps measurements sent while pairing`() {
    var bench = DriverBench(.thermometerProfile, .ut201BLE, purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.accepted.count == 2)
    #expect(result.end == .finish)
  }

  @Test(arguments: [
    ([0x00, 0xFE, 0xFF, 0x7F, 0x00] as [UInt8], Metric.Absence.aboveRange),
    ([0x00, 0x02, 0x00, 0x80, 0x00], .belowRange),
  ])
  func `takes a temperature beyond the range as one without a number`(
    bytes: [UInt8], absence: Metric.Absence
  ) {
    let reading = DeviceReading(temperatureMeasurement: bytes)

    #expect(reading.rejection == nil)
    #expect(reading.values == [Metric(.bodyTemperature, absent: absence)])
  }

  @Test(
    arguments: [
      ([0x00, 0x00, 0x00, 0x80, 0x00], .failedMeasurement), ([0x06, 0x73], .malformed),
    ] as [([UInt8], RejectedReading.Reason)])
  func `rejects values that are not temperatures`(bytes: [UInt8], refusal: RejectedReading.Reason) {
    let reading = DeviceReading(temperatureMeasurement: bytes)

    #expect(reading.rejection?.reason == refusal)
    #expect(reading.values.isEmpty)
    #expect(reading.payload == bytes)
  }
}
