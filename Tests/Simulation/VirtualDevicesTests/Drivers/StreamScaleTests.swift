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
  private func `give one reading for each weighing`(scale: Case) {
    var bench = DriverBench(scale.driver, scale.device)
    let result = bench.run()

    #expect(result.isReady)
    #expect(result.readings.map(\.values) == [scale.values])
    #expect(result.end == .finish)
    #expect(result.accepted.count == scale.device.readingCount)
  }

  @Test(arguments: cases)
  private func `wait for the user to step on`(scale: Case) {
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

  @Test func `a weight that waits for its impedance survives a lost connection`() {
    var bench = DriverBench(.hutbit, .hutbit)
    bench.fault = .cut(afterValues: 3)
    let result = bench.run()

    #expect(result.readings.map(\.values) == [[.init(.bodyWeight, 84.1)]])
  }

  @Test func `a changing weight at a lost connection is not a reading`() {
    var bench = DriverBench(.hutbit, .hutbit)
    bench.fault = .cut(afterValues: 2)
    #expect(bench.run().readings.isEmpty)
  }

  @Test func `a QN scale is sent unit, time and start for its protocol`() throws {
    var bench = DriverBench(.qnScale, .qnES26M)
    let result = bench.run()

    #expect(
      result.writes.map(\.bytes) == [
        try bytes("13 09 00 01 10 00 00 00 2D"), try bytes("20 08 00 C0D05B31 44"),
        try bytes("22 06 00 00 03 2B"), try bytes("1F 05 00 10 34"),
      ])
  }

  @Test func `an ICOMON result is acknowledged only when it is on disk`() {
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

  @Test func `stored ICOMON measurements are acknowledged one by one after storage`() throws {
    var dialogue = DriverDialogue(.icomonScale)
    let result = GATTAttribute("FFB0", "FFB3")
    _ = dialogue.report(.begun)
    _ = dialogue.report(.subscribed(GATTAttribute("FFB0", "FFB2")))
    _ = dialogue.report(.subscribed(result))
    let frames = try ["6A21F4C6 00 012DC2", "6A22F4C6 00 012DC2"].enumerated().map {
      ICOMONFrame(sequence: UInt8($0), type: 0xA4, try bytes($1)).payload
    }

    let first = dialogue.report(.value(result, frames[0]))
    let second = dialogue.report(.value(result, frames[1]))
    let afterFirst = dialogue.report(.stored)
    let afterSecond = dialogue.report(.stored)

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
    let acknowledgements = try frames.enumerated().map { number, frame in
      DriverAction.write(
        GATTAttribute("FFB0", "FFB1"),
        try ICOMONFrame(payload: frame).acknowledgement(sequence: UInt8(number)).payload)
    }
    #expect([afterFirst.first, afterSecond.first] == acknowledgements)
    #expect(afterSecond.count == 1)
  }

  /// Length of the information's frame, its ninth byte of content, the weight in kilograms.
  @Test(arguments: [
    (18, 0, 9.78), (20, 0, 9.78), (11, 0, 9.78), (12, 0, 97.8), (15, 0, 97.8), (15, 1, 9.78),
  ])
  func `a QN scale says how fine its weights are`(
    length: Int, step: UInt8, kilograms: Double
  ) throws {
    var dialogue = DriverDialogue(.qnScale)
    let source = GATTAttribute("FFF0", "FFF1")
    _ = dialogue.begin(source)
    var information = [UInt8](repeating: 0x11, count: length - 3)
    if information.count > 8 { information[8] = step }
    _ = dialogue.report(.value(source, QNFrame(.information, information).payload))

    let weight = QNWeight(
      scaleProtocol: 1, state: 1, weight: 978, resistance1: 500, resistance2: 500, prefix: nil)
    let actions = dialogue.report(.value(source, weight.payload))

    let delivered = actions.compactMap { action in
      if case .deliver(let reading) = action { reading[.bodyWeight] } else { nil }
    }
    #expect(delivered == [kilograms])
  }

  @Test func `the weight of the next person is not lost when the time is over`() throws {
    var dialogue = DriverDialogue(.qnScale)
    let source = GATTAttribute("FFF0", "FFF1")
    _ = dialogue.begin(source)
    func weight(_ weight: UInt16, ohms: UInt16) -> DriverEvent {
      let frame = QNWeight(
        scaleProtocol: 1, state: 1, weight: weight, resistance1: ohms, resistance2: ohms,
        prefix: nil)
      return .value(source, frame.payload)
    }
    _ = dialogue.report(weight(8000, ohms: 500))
    var actions: [DriverAction] = []
    // Longer than one weighing is repeated.
    for second in 1...20 where actions.last != .finish {
      dialogue.pass(.seconds(1))
      actions += dialogue.report(weight(second < 10 ? 8000 : 6500, ohms: second < 10 ? 500 : 0))
      actions += dialogue.report(.timeReached)
    }

    let delivered = actions.compactMap { action in
      if case .deliver(let reading) = action { reading[.bodyWeight] } else { nil }
    }
    #expect(delivered == [65])
    #expect(actions.last == .finish)
  }

  @Test(arguments: cases)
  private func `ignore bytes that are not a frame`(scale: Case) {
    var dialogue = DriverDialogue(scale.driver)
    _ = dialogue.report(.begun)
    for source in scale.driver.required {
      for payload in [[], [0x10], [UInt8](repeating: 0xFF, count: 20)] as [[UInt8]] {
        let actions = dialogue.report(.value(source, payload))
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
  @Test func `delivers stored weighings with their time, and a live one`() throws {
    var bench = DriverBench(.oneByone, .eufyC1)
    let result = bench.run()

    #expect(
      result.readings.map(\.values) == [
        [.init(.bodyWeight, 70.4), .init(.bodyImpedance, 501)],
        [.init(.bodyWeight, 70.25), .init(.bodyImpedance, 499)],
      ])
    let stored = LocalDateTime(year: 2026, month: 3, day: 28, hour: 7, minute: 30, second: 0)
    #expect(result.readings.map(\.clock) == [.local(stored), nil])
    #expect(result.readings.count == VirtualDeviceModel.eufyC1.readingCount)
    #expect(
      result.writes.map(\.bytes) == [
        try bytes("FD 37 00 01 00 00 00 00 00 00 CB"), try bytes("F1 07EA 03 1D 0E 00 00"),
        [0xF2, 0x00],
      ])
  }
}
