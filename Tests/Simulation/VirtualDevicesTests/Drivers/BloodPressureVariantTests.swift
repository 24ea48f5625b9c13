// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

/// Half a minute later than noon, as the first event of a driver that is asked by hand.
let noon = DriverBench.noon

func later(_ seconds: Double) -> DriverTime {
  var time = DriverBench.noon
  time.elapsed += .seconds(seconds)
  time.secondsSince1970 += seconds
  return time
}

extension DeviceReading {
  /// Systolic, diastolic and pulse rate.
  var pressures: [Double?] {
    [self[.systolic], self[.diastolic], self[.pulse]]
  }
}

@Suite struct `Beurer monitors` {
  @Test func `a BM85 is read in its own layout, also by the profile's driver`() throws {
    for model in [DriverModel.beurerBloodPressure, .bloodPressureProfile] {
      var bench = DriverBench(model, .bm85)
      let result = bench.run()

      #expect(result.accepted.count == 7)
      let first = try #require(result.accepted.first)
      #expect(first.pressures == [146, 103, 63])
      #expect(first.userSlot == 1)
      #expect(
        first.clock
          == .local(LocalDateTime(year: 2014, month: 1, day: 1, hour: 1, minute: 25, second: 0)))
      #expect(first[.meanArterialPressure] == nil)
    }
  }

  @Test func `get three seconds before the first request`() {
    var bench = DriverBench(.beurerBloodPressure, .bm85)
    let result = bench.run()

    #expect(result.elapsed == .seconds(7))
    #expect(result.readings.map { $0.findings.map(\.name) }.contains(["resting"]))
    #expect(result.end == .finish)
  }

  @Test func `the reading keeps the received bytes`() {
    var bench = DriverBench(.beurerBloodPressure, .bm85)
    let result = bench.run()

    #expect(result.readings.map(\.payload) == BloodPressureFrames.capturedBM85)
  }

  @Test func `a new measurement of a BM85 has its layout`() throws {
    var bench = DriverBench(.beurerBloodPressure, .bm85)
    bench.press(.measure(number: 1))
    let result = bench.run()

    let last = try #require(result.accepted.last)
    #expect(last.payload.first == 0x56)
    #expect(last.payload.count == 19)
    #expect(last.pressures == [115, 71, 67])
  }
}

@Suite struct `Medisana monitors` {
  @Test func `are read by the profile`() {
    var bench = DriverBench(.bloodPressureProfile, .bu540)
    let result = bench.run()

    #expect(result.accepted.map(\.pressures) == [[122, 80, 66], [120, 78, 65]])
    #expect(result.accepted.last?.findings.map(\.name) == ["body_movement"])
  }
}

@Suite struct `Omron monitors with the profile` {
  @Test func `send their memory and disconnect themselves`() {
    var bench = DriverBench(.omronBloodPressure, .bp5250)
    let result = bench.run()

    #expect(result.accepted.map(\.pressures) == [[124, 79, 64], [129, 83, 67]])
    #expect(result.accepted.map(\.userSlot) == [1, 2])
    #expect(result.accepted.map { $0.findings.map(\.name) } == [[], ["irregular_pulse"]])
    #expect(result.elapsed == .seconds(30))
  }

  @Test(arguments: [(-601.0, 1), (600.0, 0), (-3.0, 0)])
  func `are set only when their clock is far off`(offset: Double, writes: Int) {
    var bench = DriverBench(
      .omronBloodPressure, .bp5250, clock: VirtualClock(offsetSeconds: offset))
    let result = bench.run()

    #expect(result.facts.contains(.clockDrift(seconds: offset)))
    #expect(result.writes.count == writes)
    #expect(result.events.contains(.clockSet) == (writes == 1))
  }

  @Test func `with Record Access are read by request`() {
    var bench = DriverBench(.omronBloodPressure, .bp7900)
    let result = bench.run()

    #expect(result.accepted.count == 2)
    #expect(result.writes.map(\.bytes) == [[0x01, 0x01]])
    #expect(result.writes.map(\.attribute) == [.omronRecordAccess])
  }

  @Test func `are not read when they are paired`() {
    var bench = DriverBench(.omronBloodPressure, .bp7900, purpose: .pair)
    bench.press(.pairingMode)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.writes.isEmpty)
    #expect(result.end == .finish)
  }

  @Test func `are complete only when they have reported the end of their memory`() {
    let attributes: Set<GATTAttribute> = [.bloodPressureMeasurement, .omronRecordAccess]
    for answer in [
      DriverEvent.value(.omronRecordAccess, [0x06, 0x00, 0x01, 0x01]),
      .writeFailed(.omronRecordAccess, RequestFailure(code: 0x80)),
    ] {
      var driver = OmronProfileDriver(DriverContext(attributes: attributes))
      _ = driver.handle(.begun, at: noon)
      _ = driver.handle(.subscribed(.bloodPressureMeasurement), at: noon)
      #expect(driver.isComplete)
      _ = driver.handle(.subscribed(.omronRecordAccess), at: noon)
      #expect(!driver.isComplete)

      _ = driver.handle(answer, at: noon)

      #expect(driver.isComplete)
    }
  }

  @Test func `may refuse the clock without harm`() {
    let context = DriverContext(
      attributes: [.bloodPressureMeasurement, .currentTime])
    var driver = OmronProfileDriver(context)
    _ = driver.handle(.begun, at: noon)
    _ = driver.handle(.subscribed(.bloodPressureMeasurement), at: noon)

    let failed = driver.handle(
      .subscriptionFailed(.currentTime, RequestFailure(code: 0x03)), at: noon)
    let refused = driver.handle(
      .writeFailed(.currentTime, RequestFailure(code: 0x80)), at: noon)

    #expect(failed.isEmpty && refused.isEmpty)
    #expect(driver.handle(.timeReached, at: later(30)) == [.finish])
  }

  @Test func `time out when they send nothing`() throws {
    var driver = OmronProfileDriver(DriverContext(attributes: [.bloodPressureMeasurement]))
    _ = driver.handle(.begun, at: noon)

    let actions = driver.handle(
      .subscriptionFailed(.bloodPressureMeasurement, RequestFailure(code: 0x05)), at: noon)

    guard case .fail(let failure)? = actions.last else {
      Issue.record("no failure")
      return
    }
    #expect(failure.kind == .communication)
    #expect(driver.handle(.timeReached, at: later(60)).isEmpty)
  }
}

@Suite struct `QardioArm` {
  @Test func `gives the last frame before a pause as its result`() throws {
    var bench = DriverBench(.qardioArm, .qardioArm)
    let result = bench.run()

    #expect(result.readings.map(\.pressures) == [[122, 76, 78]])
    #expect(result.elapsed == .milliseconds(5500))
    #expect(result.end == .finish)
    #expect(result.isReady)
  }

  @Test func `is never written to`() {
    var bench = DriverBench(.qardioArm, .qardioArm)
    let result = bench.run()

    #expect(result.writes.isEmpty)
  }

  @Test func `that disconnects before a result gives no reading`() {
    var driver = QardioDriver(DriverContext(attributes: [.bloodPressureMeasurement]))
    _ = driver.handle(.begun, at: noon)
    _ = driver.handle(.subscribed(.bloodPressureMeasurement), at: noon)
    _ = driver.handle(.value(.bloodPressureMeasurement, [0, 40, 0, 0, 0, 0, 0]), at: noon)
    #expect(!driver.isComplete)
    #expect(driver.deadline == nil)

    _ = driver.handle(.value(.bloodPressureMeasurement, [0, 120, 0, 80, 0, 0, 0]), at: noon)
    #expect(driver.handle(.timeReached, at: later(1)).isEmpty)
    #expect(driver.handle(.timeReached, at: later(1.5)).count == 1)
    #expect(driver.isComplete)
  }
}

@Suite struct `Frames of a QardioArm` {
  private static let result: [UInt8] = [0, 120, 0, 80, 0, 0, 0]
  private var driver = QardioDriver(DriverContext(attributes: [.bloodPressureMeasurement]))

  private mutating func send(_ bytes: [UInt8], at seconds: Double = 0) -> [DriverAction] {
    driver.handle(.value(.bloodPressureMeasurement, bytes), at: later(seconds))
  }

  private mutating func begin() {
    _ = driver.handle(.begun, at: noon)
    _ = driver.handle(.subscribed(.bloodPressureMeasurement), at: noon)
  }

  @Test mutating func `that are no reading do not take the place of the result`() {
    begin()
    #expect(send(Self.result).isEmpty)

    #expect(refusals(in: send([0, 120], at: 1)) == [.malformed])
    let failed: [UInt8] = [0, 0xFF, 0x07, 0xFF, 0x07, 0xFF, 0x07]
    #expect(refusals(in: send(failed, at: 1)) == [.failedMeasurement])

    #expect(refusals(in: driver.handle(.timeReached, at: later(1.5))) == [nil])
  }

  @Test mutating func `that are cut do not end the measurement, and a failure does`() {
    begin()
    #expect(refusals(in: send([0, 120])) == [.malformed])
    #expect(driver.deadline == nil)

    let failed: [UInt8] = [0, 0xFF, 0x07, 0xFF, 0x07, 0xFF, 0x07]
    #expect(refusals(in: send(failed)) == [.failedMeasurement])
    #expect(driver.handle(.timeReached, at: later(4)) == [.finish])
  }

  @Test(arguments: [DriverContext.Purpose.read, .pair])
  mutating func `that come before the subscription is confirmed are taken`(
    purpose: DriverContext.Purpose
  ) {
    driver = QardioDriver(
      DriverContext(purpose: purpose, attributes: [.bloodPressureMeasurement]))
    _ = driver.handle(.begun, at: noon)
    #expect(send(Self.result).isEmpty)

    let begun = driver.handle(.subscribed(.bloodPressureMeasurement), at: noon)
    let settled = driver.handle(.timeReached, at: later(1.5))

    #expect(refusals(in: begun + settled) == [nil])
    #expect(begun.last == (purpose == .read ? DriverAction.ready : .finish))
  }

  @Test mutating func `that come before the subscription survive a lost connection`() {
    _ = driver.handle(.begun, at: noon)
    _ = send(Self.result)

    #expect(refusals(in: driver.handle(.ended, at: noon)) == [nil])
  }
}

@Suite struct `Monitors of one value` {
  @Test(arguments: [
    (DriverModel.yonkerBloodPressure, VirtualDeviceModel.ykIBPA1, [131.0, 103, 81]),
    (.samicoBloodPressure, .phbpb20, [129, 81, 61]),
    (.jumperBloodPressure, .jpdHA120, [136, 86, 72]),
    (.andesFitBloodPressure, .adfB19, [109, 69, 83]),
  ])
  func `give only their result`(
    driver: DriverModel, device: VirtualDeviceModel, expected: [Double]
  ) {
    var bench = DriverBench(driver, device)
    let result = bench.run()

    #expect(result.readings.map(\.pressures) == [expected])
    #expect(result.end == .finish)
    #expect(result.writes.isEmpty)
  }

  @Test func `of Yonker have the time of the monitor`() throws {
    var bench = DriverBench(.yonkerBloodPressure, .ykIBPA1)
    let reading = try #require(bench.run().readings.first)

    #expect(
      reading.clock
        == .local(
          LocalDateTime(year: 2024, month: 11, day: 25, hour: 19, minute: 18, second: 0)))
  }

  @Test func `report undecodable and failed measurements`() throws {
    let context = DriverContext(attributes: [.jumperPressure])
    var driver = DriverModel.jumperBloodPressure.make(context)
    _ = driver.handle(.begun, at: noon)
    _ = driver.handle(.subscribed(.jumperPressure), at: noon)

    let failed = driver.handle(.value(.jumperPressure, [0xFD, 0xFD, 0xFD, 0x0E]), at: noon)
    let broken = driver.handle(.value(.jumperPressure, [0xFD, 0xFD, 0xFC, 120]), at: noon)
    let zero = driver.handle(.value(.jumperPressure, [0xFD, 0xFD, 0xFC, 0, 0, 0]), at: noon)

    #expect(refusals(in: failed) == [.failedMeasurement])
    #expect(refusals(in: broken) == [.malformed])
    #expect(refusals(in: zero) == [.failedMeasurement])
  }
}

/// Why what is delivered is no reading; nil for a reading.
func refusals(in actions: [DriverAction]) -> [RejectedReading.Reason?] {
  actions.compactMap { action in
    guard case .deliver(let reading) = action else { return nil }
    return .some(reading.rejection?.reason)
  }
}
