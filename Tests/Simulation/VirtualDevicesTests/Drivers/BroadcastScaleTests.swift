// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords
import TestSupport

@Suite struct `Scales that only broadcast` {
  @Test func `a repeated broadcast of a Mi Scale is one reading`()
    throws
  {
    var bench = BroadcastBench(.miScale, .miScale)
    let result = bench.listen()

    #expect(result.heard > 20)
    #expect(result.isReady)
    #expect(result.readings.map(\.values) == [[.init(.bodyWeight, 86.55)]])
    let time = LocalDateTime(year: 2026, month: 3, day: 29, hour: 14, minute: 0, second: 2)
    #expect(result.readings.first?.clock == .local(time))
    #expect(result.end == .finish)
  }

  @Test func `the weight of a body scale waits for its impedance`() {
    var bench = BroadcastBench(.miBodyScale, .miBodyScale)
    let result = bench.listen()

    #expect(
      result.readings.map(\.values) == [[.init(.bodyWeight, 85.15), .init(.bodyImpedance, 428)]])
    #expect(result.end == .finish)
  }

  @Test func `an S400 is read with its key: weight, heart rate and impedance`() {
    var bench = BroadcastBench(.xiaomiS400, .xiaomiS400)
    bench.secrets[.bindKey] = VirtualDeviceModel.s400Secret
    let result = bench.listen()

    #expect(
      result.readings.map(\.values) == [
        [.init(.bodyWeight, 74.2), .init(.pulse, 72), .init(.bodyImpedance, 401)]
      ])
    #expect(result.end == .finish)
  }

  @Test func `an S400 without its key fails with a request for it`() {
    var bench = BroadcastBench(.xiaomiS400, .xiaomiS400)
    let result = bench.listen()

    #expect(result.readings.isEmpty)
    guard case .fail(let failure)? = result.end else {
      Issue.record("no failure")
      return
    }
    #expect(failure.kind == .notAuthorized)
    #expect(failure.message.contains("bind key"))
  }

  @Test func `an S400 with a wrong key is reported`() {
    var bench = BroadcastBench(.xiaomiS400, .xiaomiS400)
    bench.secrets[.bindKey] = VirtualDeviceModel.s400Secret.reversed()
    let result = bench.listen()

    #expect(result.readings.isEmpty)
    guard case .fail(let failure)? = result.end else {
      Issue.record("no failure")
      return
    }
    #expect(failure.kind == .notAuthorized)
    #expect(failure.message.contains("not this scale's"))
  }

  @Test func `weight and impedance come at once from an Etekcity Fit 8S and a scale of OKOK`() {
    var etekcity = BroadcastBench(.etekcity, .etekcityFit8S)
    var okok = BroadcastBench(.okokV20, .okokScale)
    let results = [etekcity.listen(), okok.listen()]

    #expect(results.map(\.end) == [.finish, .finish])
    #expect(
      results.map { $0.readings.map(\.values) } == [
        [[.init(.bodyWeight, 80.55), .init(.bodyImpedance, 500)]],
        [[.init(.bodyWeight, 77.2), .init(.bodyImpedance, 500)]],
      ])
  }

  @Test func `a search that begins while a weighing is repeated does not read it again`() {
    var bench = BroadcastBench(.qnScale, .qnBroadcastScale)
    let first = bench.listen(limit: .seconds(4))
    let second = bench.listen()

    #expect(first.readings.map(\.values) == [[.init(.bodyWeight, 70)]])
    #expect(second.heard > 5)
    #expect(second.readings.isEmpty)
  }

  @Test func `the next weighing is another reading, even of the same weight`() {
    var bench = BroadcastBench(.qnScale, .qnBroadcastScale)
    let first = bench.listen()
    bench.wait(.seconds(70))
    bench.press(.measure(number: 1))
    let second = bench.listen()

    #expect(first.end == .finish)
    #expect(first.readings.count == 1)
    #expect(second.readings.map(\.values) == [[.init(.bodyWeight, 61.7)]])
  }
}

@Suite struct `A weighing` {
  private func sample(_ kilograms: Double, settled: Bool = true, complete: Bool = true) throws
    -> WeightSample
  {
    let reading = try #require(DeviceReading(kilograms: kilograms, payload: []))
    return WeightSample(reading, isSettled: settled, isComplete: complete)
  }

  private func time(_ seconds: Int) -> DriverTime {
    DriverTime(
      elapsed: .seconds(seconds), secondsSince1970: 1_774_785_600 + Double(seconds),
      utcOffsetSeconds: 0)
  }

  @Test func `a weight that waits for its rest is delivered when no more is heard`() throws {
    var driver = BroadcastModel.miBodyScale.make(DriverContext(attributes: []))
    let weight = try bytes("02 24 E207 05 1D 0B 22 0E 0000 E842")
    let advertisement = Advertisement(serviceData: ["181B": weight])
    #expect(driver.handle(advertisement, at: time(0)) == [.ready])

    let actions = driver.ended(at: time(1))

    guard case .deliver(let reading)? = actions.first else {
      Issue.record("the weight is lost")
      return
    }
    #expect(reading[.bodyWeight] == 85.64)
    #expect(driver.ended(at: time(2)).isEmpty)
  }

  @Test func `a weight that is repeated for minutes is not read again by later searches`() throws {
    let weight = try sample(80)
    var checkpoints: [SyncCheckpoint] = []
    var readings = 0
    for start in [0, 40, 80, 120] {
      let context = DriverContext(attributes: [], checkpoints: checkpoints)
      var driver = ScaleBroadcastDriver(context) { _, _ in .sample(weight) }
      for action in driver.handle(Advertisement(), at: time(start)) {
        if case .advance(let checkpoint) = action { checkpoints = [checkpoint] }
        if case .deliver = action { readings += 1 }
      }
      #expect(driver.deadline == .seconds(start + 3))
    }

    #expect(readings == 1)
  }

  @Test func `a changing weight is not a reading`() throws {
    var weighing = Weighing()

    #expect(weighing.received(try sample(80, settled: false), at: time(0)).isEmpty)
    #expect(weighing.deadline == nil)
  }

  @Test func `an incomplete weight is delivered after the timeout`() throws {
    var weighing = Weighing(timeout: .seconds(10))

    #expect(weighing.received(try sample(80, complete: false), at: time(0)).isEmpty)
    #expect(weighing.received(try sample(80.05, complete: false), at: time(5)).isEmpty)
    #expect(weighing.deadline == .seconds(10))
    #expect(weighing.timeReached(at: time(9)).isEmpty)
    #expect(weighing.timeReached(at: time(10)).map(\.grams) == [80050])
    #expect(weighing.timeReached(at: time(11)).isEmpty)
  }

  @Test func `an incomplete weight is delivered when the user steps off`() throws {
    var weighing = Weighing()
    _ = weighing.received(try sample(80, complete: false), at: time(0))

    #expect(weighing.received(try sample(12, settled: false), at: time(1)).map(\.grams) == [80000])
    #expect(weighing.ended(at: time(2)).isEmpty)
  }

  @Test func `the same weight within a minute is the same weighing`() throws {
    var weighing = Weighing()

    #expect(weighing.received(try sample(80), at: time(0)).count == 1)
    #expect(weighing.received(try sample(80), at: time(50)).isEmpty)
    #expect(weighing.received(try sample(80), at: time(100)).isEmpty)
    #expect(weighing.received(try sample(80), at: time(160)).count == 1)
    #expect(weighing.received(try sample(81), at: time(161)).count == 1)
  }

  @Test func `an empty scale is not a reading`() {
    #expect(DeviceReading(kilograms: 0, payload: []) == nil)
    #expect(DeviceReading(kilograms: nil, payload: []) == nil)
  }
}
