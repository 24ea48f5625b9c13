// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Driver of a live oximeter` {
  /// A device, its driver, and the one reading of its first finger.
  struct Case: CustomTestStringConvertible {
    let model: DriverModel
    let device: VirtualDeviceModel
    let values: [Metric]
    let seconds: Int

    var testDescription: String { device.id }
  }

  static let cases = [
    Case(
      model: .pc60, device: .pc60FW,
      values: [.init(.oxygenSaturation, 96), .init(.pulse, 63), .init(.perfusionIndex, 8)],
      seconds: 10),
    Case(
      model: .jumperOximeter, device: .jpd500,
      values: [.init(.oxygenSaturation, 98), .init(.pulse, 67), .init(.perfusionIndex, 2.8)],
      seconds: 10),
    Case(
      model: .berry, device: .bm1000,
      values: [.init(.oxygenSaturation, 97), .init(.pulse, 174)], seconds: 10),
    Case(
      model: .choiceMMedOximeter, device: .md300C228,
      values: [.init(.oxygenSaturation, 97), .init(.pulse, 71)], seconds: 10),
    Case(
      model: .jks50f, device: .jks50f,
      values: [.init(.oxygenSaturation, 100), .init(.pulse, 81), .init(.perfusionIndex, 5.5)],
      seconds: 10),
    Case(
      model: .fs20f, device: .fs20f,
      values: [.init(.oxygenSaturation, 96), .init(.pulse, 76), .init(.perfusionIndex, 1.2)],
      seconds: 10),
  ]

  @Test(arguments: cases)
  func `takes one value that was stable for five seconds`(example: Case) throws {
    var bench = DriverBench(example.model, example.device)
    let result = bench.run()

    #expect(result.readings.count == 1)
    #expect(result.accepted.count == example.device.readingCount)
    #expect(result.accepted.first?.values == example.values)
    #expect(result.elapsed == .seconds(example.seconds))
    #expect(result.isReady)
    #expect(result.end == .finish)
  }

  @Test(arguments: cases)
  func `takes the next finger as another reading`(example: Case) throws {
    var bench = DriverBench(example.model, example.device)
    _ = bench.run()
    let empty = bench.run()
    bench.press(.measure(number: 1))
    let second = bench.run()

    #expect(empty.readings.isEmpty)
    #expect(second.accepted.count == 1)
    #expect(second.accepted.first?[.oxygenSaturation] == 98)
    #expect(second.accepted.first?[.pulse] == 68)
  }

  @Test(arguments: cases)
  func `is paired when it can request values`(example: Case) {
    var bench = DriverBench(example.model, example.device.make(VirtualClock()), purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.end == .finish)
    #expect(result.readings.isEmpty)
  }

  @Test(arguments: cases)
  func `delivers nothing when the link is lost before the value is stable`(example: Case) {
    var bench = DriverBench(example.model, example.device)
    bench.fault = .cut(afterValues: 8)
    let result = bench.run()

    #expect(result.readings.isEmpty)
    #expect(result.end == nil)
  }

  @Test func `greets a ChoiceMMed after it has subscribed`() {
    var bench = DriverBench(.choiceMMedOximeter, .md300C228)
    let result = bench.run()

    #expect(result.writes.map(\.bytes) == [[0xAA, 0x55, 0x04, 0xB1, 0x00, 0x00, 0xB5]])
  }
}

@Suite struct `Driver of a Nonin oximeter` {
  @Test func `takes the SmartPoint value and releases the oximeter`() throws {
    var bench = DriverBench(.nonin, .nonin3230)
    let result = bench.run()

    #expect(
      result.accepted.map(\.values) == [
        [.init(.oxygenSaturation, 97), .init(.pulse, 74), .init(.perfusionIndex, 2.5)]
      ])
    #expect(result.facts.contains(.serialNumber("502645619")))
    #expect(result.writes.map(\.bytes) == [[0x62, 0x4E, 0x4D, 0x49]])
    #expect(result.writes.map(\.attribute) == [.noninControlPoint])
    #expect(result.elapsed == .seconds(8))
    #expect(result.end == .finish)
  }

  @Test func `does not release the oximeter before the reading is stored`() {
    var bench = DriverBench(.nonin, .nonin3230)
    bench.canStore = false
    let result = bench.run()

    #expect(result.confirmations == 1)
    #expect(result.writes.isEmpty)
    #expect(result.end == nil)
  }

  @Test func `reports a low battery once`() {
    var driver = nonin()
    let low = NoninOximetry(status: [.sensorIsCorrect, .lowBattery], saturation: 97, pulseRate: 60)
    let first = driver.handle(.value(.noninOximetry, low.payload), at: DriverBench.noon)
    let second = driver.handle(.value(.noninOximetry, low.payload), at: DriverBench.noon)

    #expect(first == [.fact(.batteryLow)])
    #expect(second == [])
  }

  @Test func `fails when there is no SmartPoint value within a minute`() throws {
    var driver = nonin()
    let weak = NoninOximetry(status: [.sensorIsCorrect], saturation: 97, pulseRate: 60)
    #expect(driver.deadline == nil)
    _ = driver.handle(.value(.noninOximetry, weak.payload), at: DriverBench.noon)
    #expect(driver.deadline == .seconds(60))
    var late = DriverBench.noon
    late.elapsed = .seconds(60)
    let actions = driver.handle(.timeReached, at: late)

    guard case .deliver(let reading)? = actions.first else {
      Issue.record("no refusal: \(actions)")
      return
    }
    #expect(reading.rejection?.reason == .noSignal)
    #expect(actions.last == .finish)
    #expect(driver.isComplete)
  }

  @Test func `continues without the control point`() throws {
    var driver = nonin(attributes: [.noninOximetry])
    let good = NoninOximetry(
      status: [.sensorIsCorrect, .smartPoint], saturation: 97, pulseRate: 60)
    let actions = driver.handle(.value(.noninOximetry, good.payload), at: DriverBench.noon)

    #expect(actions.count == 2)
    #expect(actions.last == .finish)
  }

  @Test func `finishes when the oximeter refuses or ignores the release`() {
    let good = NoninOximetry(
      status: [.sensorIsCorrect, .smartPoint], saturation: 97, pulseRate: 60)
    for answer in [
      DriverEvent.writeFailed(.noninControlPoint, RequestFailure(code: 0x80)), .timeReached,
    ] {
      var driver = nonin()
      _ = driver.handle(.value(.noninOximetry, good.payload), at: DriverBench.noon)
      _ = driver.handle(.stored, at: DriverBench.noon)
      var late = DriverBench.noon
      late.elapsed = .seconds(3)

      #expect(driver.handle(answer, at: late) == [.finish])
    }
  }

  @Test func `skips bytes that are not a packet`() {
    var driver = nonin()
    for bytes in [[], [0x0A], [UInt8](repeating: 0xFF, count: 40)] as [[UInt8]] {
      #expect(driver.handle(.value(.noninOximetry, bytes), at: DriverBench.noon) == [])
    }
    #expect(!driver.isComplete)
  }

  /// A driver that listens.
  private func nonin(
    attributes: Set<GATTAttribute> = [.noninOximetry, .noninControlPoint]
  ) -> any DeviceDriver {
    var driver = DriverModel.nonin.make(DriverContext(attributes: attributes))
    _ = driver.handle(.begun, at: DriverBench.noon)
    _ = driver.handle(.subscribed(.noninOximetry), at: DriverBench.noon)
    return driver
  }
}
