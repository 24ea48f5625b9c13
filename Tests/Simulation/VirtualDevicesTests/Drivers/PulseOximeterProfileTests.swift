// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Driver of the Pulse Oximeter Profile` {
  @Test func `reads finished readings and rejects others`() throws {
    var bench = DriverBench(.pulseOximeterSpotCheck, .spotCheckOximeter)
    let result = bench.run()

    #expect(result.readings.map(\.rejection?.reason) == [nil, .noSignal, .control, nil])
    #expect(
      result.accepted.map(\.values) == [
        [.init(.oxygenSaturation, 96), .init(.pulse, 80)],
        [.init(.oxygenSaturation, 98), .init(.pulse, 71)],
      ])
    #expect(result.facts.contains(.clockNotSet))
    #expect(result.accepted.last?.clock == nil)
    #expect(result.end == .finish)
    #expect(result.elapsed == .seconds(4))
  }

  @Test func `takes one reading from a stable stream`() throws {
    var bench = DriverBench(.pulseOximeterContinuous, .continuousOximeter)
    let result = bench.run()

    #expect(
      result.readings.map(\.values) == [
        [.init(.oxygenSaturation, 97), .init(.pulse, 61), .init(.perfusionIndex, 3.4)]
      ])
    #expect(result.readings.first?.clock == .age(0))
    #expect(result.isReady)
    #expect(result.end == .finish)
    #expect(result.elapsed == .seconds(13))
  }

  @Test func `takes no reading from a stream without a finger`() {
    var bench = DriverBench(.pulseOximeterContinuous, .continuousOximeter)
    let result = bench.run(limit: .seconds(3))

    #expect(result.readings.isEmpty)
    #expect(result.end == nil)
  }

  @Test(arguments: [VirtualDeviceModel.spotCheckOximeter, .continuousOximeter])
  func `pairs`(virtual: VirtualDeviceModel) {
    var bench = DriverBench(
      virtual.id == "plx-continuous" ? .pulseOximeterContinuous : .pulseOximeterSpotCheck, virtual,
      purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.end == .finish)
  }
}

@Suite struct `An oximeter with a memory` {
  @Test func `is asked for all records and nothing else`() {
    var driver = PulseOximeterDriver(
      DriverContext(attributes: [.plxSpotCheckMeasurement, .plxRecordAccess]))
    let spotCheck: [UInt8] = [0x02, 0x60, 0x00, 0x50, 0x00, 0x80, 0x02]

    #expect(driver.report(.begun, at: 0) == [.subscribe(.plxSpotCheckMeasurement)])
    #expect(
      driver.report(.subscribed(.plxSpotCheckMeasurement), at: 0) == [.subscribe(.plxRecordAccess)])
    #expect(
      driver.report(.subscribed(.plxRecordAccess), at: 0) == [.write(.plxRecordAccess, [1, 1])])
    #expect(driver.report(.value(.plxSpotCheckMeasurement, spotCheck), at: 1).count == 1)
    #expect(driver.report(.written(.plxRecordAccess), at: 1) == [.ready])
    #expect(driver.report(.value(.plxRecordAccess, [6, 0, 1, 1]), at: 2) == [])
    #expect(driver.report(.timeReached, at: 5) == [.finish])
  }

  @Test func `is complete only when it has reported the end`() {
    var driver = PulseOximeterDriver(
      DriverContext(attributes: [.plxSpotCheckMeasurement, .plxRecordAccess]))
    _ = driver.report(.begun, at: 0)
    _ = driver.report(.subscribed(.plxSpotCheckMeasurement), at: 0)
    #expect(driver.isComplete)
    _ = driver.report(.subscribed(.plxRecordAccess), at: 0)
    #expect(!driver.isComplete)
    _ = driver.report(.written(.plxRecordAccess), at: 0)
    _ = driver.report(.value(.plxRecordAccess, [6, 0, 1, 8]), at: 1)
    #expect(!driver.isComplete)

    _ = driver.report(.value(.plxRecordAccess, [6, 0, 1, 1]), at: 1)

    #expect(driver.isComplete)
  }

  @Test func `is waited for when it refuses to report`() {
    var driver = PulseOximeterDriver(
      DriverContext(attributes: [.plxSpotCheckMeasurement, .plxRecordAccess]))
    _ = driver.report(.begun, at: 0)
    _ = driver.report(.subscribed(.plxSpotCheckMeasurement), at: 0)
    _ = driver.report(.subscribed(.plxRecordAccess), at: 0)

    let failure = RequestFailure(code: 0xFE)
    #expect(driver.report(.writeFailed(.plxRecordAccess, failure), at: 0) == [.ready])
    #expect(driver.isComplete)
  }
}

@Suite struct `An oximeter with stream and spot-check` {
  private static let attributes: Set<GATTAttribute> = [
    .plxSpotCheckMeasurement, .plxContinuousMeasurement,
  ]
  private var driver = PulseOximeterDriver(DriverContext(attributes: attributes))

  /// Subscribes, and lets the stream be steady for five seconds.
  private mutating func stream() throws {
    _ = driver.report(.begun, at: 0)
    _ = driver.report(.subscribed(.plxSpotCheckMeasurement), at: 0)
    #expect(driver.report(.subscribed(.plxContinuousMeasurement), at: 0) == [.ready])
    for second in 0...5 {
      let frame = PLXContinuousMeasurement(try PulseOximetry(percent: 95, beatsPerMinute: 70))
      #expect(driver.report(.value(.plxContinuousMeasurement, frame.payload), at: second) == [])
    }
  }

  @Test mutating func `takes the spot-check instead of the stream`() throws {
    try stream()
    let spotCheck = PLXSpotCheckMeasurement(try PulseOximetry(percent: 96, beatsPerMinute: 71))

    let actions = driver.report(.value(.plxSpotCheckMeasurement, spotCheck.payload), at: 12)

    #expect(actions == [.deliver(DeviceReading(spotCheck))])
    #expect(driver.deadline == .seconds(16))
    #expect(driver.report(.timeReached, at: 16) == [.finish])
  }

  @Test mutating func `takes the stream if no spot-check comes`() throws {
    try stream()
    #expect(driver.deadline == .seconds(15))
    #expect(driver.report(.timeReached, at: 14) == [])

    let actions = driver.report(.timeReached, at: 15)

    guard case .deliver(let reading)? = actions.first else {
      Issue.record("nothing delivered")
      return
    }
    #expect(reading[.oxygenSaturation] == 95)
    #expect(actions.last == .finish)
    #expect(driver.report(.ended, at: 15) == [])
  }

  @Test mutating func `keeps the stream's reading in case the device disconnects`() throws {
    try stream()

    #expect(driver.isComplete)
    guard case .deliver(let reading)? = driver.report(.ended, at: 12).first else {
      Issue.record("nothing delivered")
      return
    }
    #expect(reading[.oxygenSaturation] == 95)
  }

  @Test mutating func `fails when a stream does not settle within a minute`() throws {
    _ = driver.report(.begun, at: 0)
    _ = driver.report(.subscribed(.plxSpotCheckMeasurement), at: 0)
    _ = driver.report(.subscribed(.plxContinuousMeasurement), at: 0)
    for second in 0..<60 {
      let numbers = try PulseOximetry(percent: second % 4 < 2 ? 90 : 95, beatsPerMinute: 70)
      let frame = PLXContinuousMeasurement(numbers).payload
      #expect(driver.report(.value(.plxContinuousMeasurement, frame), at: second) == [])
    }
    #expect(driver.deadline == .seconds(60))

    #expect(
      driver.report(.timeReached, at: 60) == [.deliver(LiveOximetry.unsteady), .finish])
  }

  @Test mutating func `delivers no second reading of a stream that goes on`() throws {
    try stream()
    #expect(driver.report(.timeReached, at: 15).last == .finish)

    try expectSilence(from: 16)
  }

  @Test mutating func `without spot-checks delivers no second reading either`() throws {
    driver = PulseOximeterDriver(DriverContext(attributes: [.plxContinuousMeasurement]))
    _ = driver.report(.begun, at: 0)
    _ = driver.report(.subscribed(.plxContinuousMeasurement), at: 0)
    let frame = PLXContinuousMeasurement(try PulseOximetry(percent: 95, beatsPerMinute: 70))
    let actions = (0...5).flatMap {
      driver.report(.value(.plxContinuousMeasurement, frame.payload), at: $0)
    }
    #expect(actions == [.deliver(DeviceReading(frame)), .finish])

    try expectSilence(from: 6)
  }

  @Test mutating func `delivers nothing of a stream that settles after it was given up`() throws {
    _ = driver.report(.begun, at: 0)
    _ = driver.report(.subscribed(.plxSpotCheckMeasurement), at: 0)
    _ = driver.report(.subscribed(.plxContinuousMeasurement), at: 0)
    let frame = PLXContinuousMeasurement(try PulseOximetry(percent: 95, beatsPerMinute: 70))
    _ = driver.report(.value(.plxContinuousMeasurement, frame.payload), at: 0)
    #expect(driver.report(.timeReached, at: 60).last == .finish)

    try expectSilence(from: 61)
  }

  /// The user keeps the finger in the sensor for two minutes.
  private mutating func expectSilence(from start: Int) throws {
    let frame = PLXContinuousMeasurement(try PulseOximetry(percent: 95, beatsPerMinute: 70))
    for second in start..<start + 120 {
      #expect(driver.report(.value(.plxContinuousMeasurement, frame.payload), at: second) == [])
      #expect(driver.report(.timeReached, at: second) == [])
    }
    #expect(driver.deadline == nil)
  }

  @Test mutating func `ignores garbage`() throws {
    try stream()
    #expect(driver.report(.value(.plxContinuousMeasurement, [0xFF]), at: 11) == [])

    let actions = driver.report(.value(.plxSpotCheckMeasurement, [0x01, 0x61]), at: 12)

    guard case .deliver(let reading)? = actions.first else {
      Issue.record("nothing delivered")
      return
    }
    #expect(reading.rejection?.reason == .malformed)
    #expect(reading.payload == [0x01, 0x61])
  }
}

extension DeviceDriver {
  /// Tells an event by hand, so many seconds after the beginning.
  mutating func report(_ event: DriverEvent, at second: Int) -> [DriverAction] {
    var time = DriverBench.noon
    time.elapsed = .seconds(second)
    time.secondsSince1970 += Double(second)
    return handle(event, at: time)
  }
}
