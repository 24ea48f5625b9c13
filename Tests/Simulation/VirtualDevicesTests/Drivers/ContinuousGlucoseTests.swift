// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import HealthRecords
import Testing
import VirtualDevices

private let profile = DriverModel.continuousGlucoseProfile

@Suite struct `Driver of the CGM Profile` {
  @Test(arguments: [VirtualDeviceModel.cgmSensor, .protectedCGMSensor])
  func `reads a session once, and reports what is no reading`(model: VirtualDeviceModel) {
    var bench = DriverBench(profile, model)
    let first = bench.run()
    let second = bench.run()

    #expect(first.readings.map(\.sequenceNumber) == [5, 10, 15, 20, 25, 30, 35, 40])
    #expect(
      first.readings.map(\.rejection?.reason)
        == [nil, nil, nil, .failedMeasurement, nil, nil, nil, nil])
    #expect(first.accepted.map { $0[.bloodGlucose] } == [95, 104, 118, nil, 54, 400, 122])
    #expect(first.accepted.count == model.readingCount)
    #expect(first.end == .finish)
    #expect(second.readings.isEmpty)
    #expect(second.checkpoints.isEmpty)
    #expect(second.end == .finish)
    #expect(second.writes.last?.bytes == [0x01, 0x03, 0x01, 40, 0])
    #expect(second.events.contains(.transferred(measurements: 1)))
  }

  @Test func `gives the time to a sensor without it, once`() throws {
    var bench = DriverBench(profile, .cgmSensor)
    let first = bench.run()
    let second = bench.run()

    #expect(first.events.contains(.clockSet))
    #expect(
      first.writes.first?.bytes == [0xEA, 0x07, 3, 29, 14, 0, 0, 8, 0])
    // An hour before noon, universal time.
    #expect(first.readings.first?.clock == .universal(1_774_782_300))
    #expect(!second.events.contains(.clockSet))
    #expect(second.writes.count == 1)
  }

  @Test func `does not set the time of a sensor that has it`() {
    var bench = DriverBench(
      profile, .protectedCGMSensor, clock: VirtualClock(offsetSeconds: -300))
    let result = bench.run()

    #expect(!result.events.contains(.clockSet))
    #expect(result.facts.contains(.clockDrift(seconds: -240)))
  }

  @Test func `transfers only new records`() {
    var bench = DriverBench(profile, .protectedCGMSensor)
    _ = bench.run()
    bench.press(.measure(number: 1))
    bench.press(.measure(number: 2))
    let second = bench.run()
    let third = bench.run()

    #expect(second.accepted.map { $0[.bloodGlucose] } == [95, 108])
    #expect(second.accepted.map(\.sequenceNumber) == [60, 61])
    #expect(third.readings.isEmpty)
  }

  @Test(arguments: [VirtualDeviceModel.cgmSensor, .protectedCGMSensor])
  func `begins anew with another session`(model: VirtualDeviceModel) {
    var bench = DriverBench(profile, model)
    let first = bench.run()
    bench.beginSession(hasCRC: model.id == "cgm-sensor-crc")
    bench.press(.measure(number: 1))
    bench.press(.measure(number: 2))
    let second = bench.run()
    let third = bench.run()

    #expect(first.readings.count == 8)
    #expect(second.readings.map(\.sequenceNumber) == [0, 1])
    #expect(second.readings.map { $0[.bloodGlucose] } == [95, 108])
    #expect(second.readings.first?.identityTime != first.readings.first?.identityTime)
    // The new session was not given the time before.
    #expect(second.events.contains(.clockSet))
    #expect(third.readings.isEmpty)
    #expect(third.end == .finish)
  }

  @Test func `reads everything again when readings were not stored`() {
    var bench = DriverBench(profile, .protectedCGMSensor)
    bench.canStore = false
    let first = bench.run()
    bench.canStore = true
    let second = bench.run()

    #expect(first.readings.count == 8)
    #expect(first.checkpoints.isEmpty)
    #expect(second.readings == first.readings)
    #expect(second.checkpoints.map(\.sequenceNumber) == [1_774_782_000, 40])
  }

  @Test func `continues after a lost link without gap or repetition`() throws {
    var bench = DriverBench(profile, .protectedCGMSensor)
    bench.press(.remember(try (100..<400).map(Self.frame)))
    bench.fault = .cut(afterValues: 60)
    var minutes: [Int?] = []
    var connections = 0
    for _ in 0..<10 where bench.fault != nil {
      let result = bench.run()
      minutes += result.readings.map(\.sequenceNumber)
      connections += 1
      if result.end == .finish { bench.fault = nil }
    }

    // Two records fit into a notification, and each connection begins with the last one read.
    #expect(connections == 3)
    #expect(minutes == [5, 10, 15, 20, 25, 30, 35, 40] + Array(100..<400))
  }

  @Test func `pairs by asking for the number of records`() {
    var bench = DriverBench(profile, .cgmSensor, purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.writes.map(\.bytes).last == [0x04, 0x01])
    #expect(result.events.contains(.clockSet))
    #expect(result.readings.isEmpty)
    #expect(result.checkpoints.isEmpty)
    #expect(result.end == .finish)
  }

  /// What makes a reading what it is.
  private struct Taken: Hashable {
    let values: [Metric]
    let minute: Int?
    let clock: DeviceReading.Clock?
  }

  private func taken(_ bench: inout DriverBench) -> Set<Taken> {
    Set(
      bench.run().accepted.map {
        Taken(values: $0.values, minute: $0.sequenceNumber, clock: $0.clock)
      })
  }

  /// Its values have checks, so that damage is seen.
  @Test func `takes the right readings from a link that damages them, and nothing else`() {
    var sound = DriverBench(profile, .protectedCGMSensor)
    let expected = taken(&sound)
    var count = 0
    for seed in 0..<100 {
      var bench = DriverBench(profile, FaultyDevice(.protectedCGMSensor, seed: UInt64(seed)))
      let seen = taken(&bench)
      #expect(seen.isSubset(of: expected), "seed \(seed)")
      count += seen.count
    }
    #expect(expected.count == 7)
    #expect(count > 400)
  }

  private static func frame(_ minute: Int) throws -> [UInt8] {
    CGMMeasurement(
      CGMRecord(
        concentration: try MedicalFloat16(Double(90 + minute % 40), exponent: 0),
        timeOffset: UInt16(minute))
    ).payload
  }
}

extension DriverBench {
  /// Ends the sensor's session and begins another, as its manufacturer's app does.
  fileprivate mutating func beginSession(hasCRC: Bool) {
    press(.subscribed(.cgmSpecificOps))
    press(.written(.cgmSpecificOps, hasCRC ? [0x1B, 0xD5, 0xA1] : [0x1B]))
    press(.written(.cgmSpecificOps, hasCRC ? [0x1A, 0x5C, 0xB0] : [0x1A]))
    press(.disconnected(allArrived: true))
  }
}
