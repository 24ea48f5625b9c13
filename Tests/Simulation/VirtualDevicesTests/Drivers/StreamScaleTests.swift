// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Scales that send a stream of weights` {
  private struct Case: Sendable, CustomTestStringConvertible {
    let driver: DriverModel
    let device: VirtualDeviceModel
    let values: [Metric]

    var testDescription: String { device.id }
  }

  private static let cases = [
    Case(driver: .renphoScale, device: .renphoMSC04, values: [.init(.bodyWeight, 95.55)]),
    Case(
      driver: .qnScale, device: .qnES26M,
      values: [.init(.bodyWeight, 97.85), .init(.bodyImpedance, 501)]),
    Case(
      driver: .qnScaleFFE0, device: .qnFFE0,
      values: [.init(.bodyWeight, 97.85), .init(.bodyImpedance, 501)]),
    Case(
      driver: .hutbit, device: .hutbit,
      values: [.init(.bodyWeight, 84.1), .init(.bodyImpedance, 518)]),
    Case(
      driver: .icomonScale, device: .runstarR6,
      values: [.init(.bodyWeight, 77.25), .init(.pulse, 72), .init(.bodyImpedance, 500)]),
    Case(
      driver: .koogeekS1, device: .koogeekS1,
      values: [.init(.bodyWeight, 78.3), .init(.bodyImpedance, 470)]),
    Case(
      driver: .etekcityESF551, device: .etekcityESF551,
      values: [.init(.bodyWeight, 80.55), .init(.bodyImpedance, 500)]),
    Case(driver: .samicoScale, device: .pylePHLSCBT4, values: [.init(.bodyWeight, 78.5)]),
    Case(
      driver: .yunmai, device: .yunmaiMini,
      values: [.init(.bodyWeight, 77.2), .init(.bodyImpedance, 500), .init(.bodyFat, 22.3)]),
  ]

  @Test(arguments: cases)
  private func `give one reading of a weighing`(scale: Case) {
    var bench = DriverBench(scale.driver, scale.device)
    let result = bench.run()

    #expect(result.isReady)
    #expect(result.readings.map(\.values) == [scale.values])
    #expect(result.end == .finish)
    #expect(result.accepted.count == scale.device.readingCount)
  }

  @Test(arguments: cases)
  private func `wait for somebody to step on them`(scale: Case) {
    var bench = DriverBench(scale.driver, scale.device)
    _ = bench.run()
    let empty = bench.run()
    bench.press(.measure(number: 3))
    let next = bench.run()

    #expect(empty.isReady)
    #expect(empty.readings.isEmpty)
    #expect(empty.end == nil)
    #expect(next.readings.map { $0[.bodyWeight] } == [62.7])
  }

  @Test func `a weight whose impedance was on its way is not lost with the connection`() {
    var bench = DriverBench(.hutbit, .hutbit)
    bench.cutAfterValues = 3
    let result = bench.run()

    #expect(result.readings.map(\.values) == [[.init(.bodyWeight, 84.1)]])
  }

  @Test func `a weight that still changed when the connection was cut is no reading`() {
    var bench = DriverBench(.hutbit, .hutbit)
    bench.cutAfterValues = 2
    #expect(bench.run().readings.isEmpty)
  }

  @Test func `a QN scale is told unit, time and start, with its protocol`() throws {
    var bench = DriverBench(.qnScale, .qnES26M)
    let result = bench.run()

    #expect(
      result.writes.map(\.bytes) == [
        try bytes("13 09 00 01 10 00 00 00 2D"), try bytes("20 08 00 C0D05B31 44"),
        try bytes("22 06 00 00 03 2B"), try bytes("1F 05 00 10 34"),
      ])
  }

  @Test func `a result of ICOMON's is acknowledged when it is on disk, not before`() {
    var stored = DriverBench(.icomonScale, .runstarR6)
    let result = stored.run()
    var lost = DriverBench(.icomonScale, .runstarR6)
    lost.canStore = false
    let unstored = lost.run()

    #expect(result.confirmations == 1)
    #expect(result.writes.map { Array($0.bytes[3...4]) } == [[0xB0, 0x02]])
    #expect(unstored.confirmations == 1)
    #expect(unstored.writes.isEmpty)
    #expect(unstored.end == nil)
  }

  @Test func `stored measurements of ICOMON's are acknowledged each after its own storage`() throws
  {
    var dialogue = DriverDialogue(.icomonScale)
    let result = Attribute("FFB0", "FFB3")
    _ = dialogue.tell(.begun)
    _ = dialogue.tell(.subscribed(Attribute("FFB0", "FFB2")))
    _ = dialogue.tell(.subscribed(result))
    let frames = try ["6A21F4C6 00 012DC2", "6A22F4C6 00 012DC2"].enumerated().map {
      ICOMONFrame(sequence: UInt8($0), type: 0xA4, try bytes($1)).payload
    }

    let first = dialogue.tell(.value(result, frames[0]))
    let second = dialogue.tell(.value(result, frames[1]))
    let afterFirst = dialogue.tell(.stored)
    let afterSecond = dialogue.tell(.stored)

    guard case .deliver(let reading)? = first.first else {
      Issue.record("no reading")
      return
    }
    #expect(reading.clock == .universal(0x6A21_F4C6))
    #expect(reading[.bodyWeight] == 77.25)
    #expect(first.last == .confirmStorage)
    #expect(second.count == 1)
    #expect(afterFirst.count == 2)
    #expect(afterFirst.last == .confirmStorage)
    #expect(afterSecond.count == 1)
  }

  @Test(arguments: cases)
  private func `pass over bytes that are no frame`(scale: Case) {
    var dialogue = DriverDialogue(scale.driver)
    _ = dialogue.tell(.begun)
    for source in scale.driver.required {
      for payload in [[], [0x10], [UInt8](repeating: 0xFF, count: 20)] as [[UInt8]] {
        let actions = dialogue.tell(.value(source, payload))
        #expect(!actions.contains { if case .deliver = $0 { true } else { false } })
      }
    }
  }

  @Test(arguments: cases)
  private func `are paired without a weighing`(scale: Case) {
    var bench = DriverBench(scale.driver, scale.device, purpose: .pair)
    #expect(bench.run().isPaired)
  }
}

@Suite struct `Eufy C1` {
  @Test func `tells what it keeps with its time, and a weighing of this moment`() throws {
    var bench = DriverBench(.oneByone, .eufyC1)
    let result = bench.run()

    #expect(
      result.readings.map(\.values) == [
        [.init(.bodyWeight, 70.4), .init(.bodyImpedance, 501)],
        [.init(.bodyWeight, 70.25), .init(.bodyImpedance, 499)],
      ])
    let stored = try DateTime(year: 2026, month: 3, day: 28, hours: 7, minutes: 30, seconds: 0)
    #expect(result.readings.map(\.clock) == [.local(stored), nil])
    #expect(result.readings.count == VirtualDeviceModel.eufyC1.readingCount)
    #expect(
      result.writes.map(\.bytes) == [
        try bytes("FD 37 00 01 00 00 00 00 00 00 CB"), try bytes("F1 07EA 03 1D 0E 00 00"),
        [0xF2, 0x00],
      ])
  }
}
