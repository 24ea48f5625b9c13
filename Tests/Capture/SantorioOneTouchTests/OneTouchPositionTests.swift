// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioCore
import SantorioOneTouch
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct `The position in a meter` {
  @Test func `survives the app`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101))
    try await app.reader.setPassiveReading(true)
    #expect(await app.read(meter) == [101])

    try await app.relaunch()
    #expect(await app.reader.restoreState().value)
    meter.measure(VirtualResult(2, 102))
    #expect(await app.read(meter) == [102])

    #expect(app.kit.calls.last == .read("A", anchor: 1))
    #expect(try await app.pending() == [101, 102])
  }

  @Test func `does not move when the app is ended before the answer is stored`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101), VirtualResult(2, 102))
    meter.will(.late)
    try await app.reader.setPassiveReading(true)
    meter.connects()
    await app.kit.waits(for: .read("A", anchor: nil))

    try await app.relaunch()
    meter.answersLate()
    #expect(await app.reader.restoreState().value)
    #expect(await app.read(meter) == [101, 102])

    #expect(app.kit.calls.last == .read("A", anchor: nil))
    #expect(try await app.pending() == [101, 102])
  }

  @Test func `does not move when the session has ended meanwhile`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101))
    meter.will(.late)
    try await app.reader.setPassiveReading(true)
    meter.connects()
    await app.kit.waits(for: .read("A", anchor: nil))

    try await app.session.start(OneTouchApp.bert)
    meter.answersLate()
    #expect(await app.nextOfAnyKind() == .stateChanged(nil))
    #expect(await app.nextOfAnyKind() == .stateChanged(.noSession))
    #expect(!app.reader.isOn)
    #expect(try await app.pending().isEmpty)

    try await app.session.start(OneTouchApp.anna)
    try await app.reader.setPassiveReading(true)
    #expect(await app.read(meter) == [101])
    #expect(try await app.pending() == [101])
  }

  @Test func `is each user's own, and so is the meter`() async throws {
    let app = try await OneTouchApp()
    let (first, second) = (app.kit.add("A"), app.kit.add("B", isPaired: false))
    first.measure(VirtualResult(1, 101))
    second.measure(VirtualResult(1, 201), VirtualResult(2, 202))
    try await app.reader.setPassiveReading(true)
    #expect(await app.read(first) == [101])

    try await app.session.start(OneTouchApp.bert)
    #expect(await app.reader.restoreState().value == false)
    second.isPaired = true
    first.measure(VirtualResult(2, 102))
    try await app.reader.setPassiveReading(true)
    #expect(await app.next() == .leftAlone(first.named))
    #expect(await app.read(second) == [201, 202])
    first.connects()
    first.disconnects()
    #expect(try await app.pending() == [201, 202])
    #expect(app.kit.calls.filter { $0 == .connect("A") }.count == 1)

    try await app.session.start(OneTouchApp.anna)
    try await app.reader.setPassiveReading(true)
    #expect(await app.next() == .leftAlone(second.named))
    #expect(await app.read(first) == [102])
    #expect(app.kit.calls.contains(.read("A", anchor: 1)))
    #expect(try await app.pending() == [102])
  }

  @Test(arguments: [
    (OneTouchBeginning.afterEarlierReadings, [102.0]), (.allReadings, [101, 102]),
  ])
  func `goes with a meter that is given to another user, or begins anew`(
    _ beginning: OneTouchBeginning, _ values: [Double]
  ) async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101))
    try await app.reader.setPassiveReading(true)
    #expect(await app.read(meter) == [101])
    try await app.session.start(OneTouchApp.bert)
    try await app.reader.setPassiveReading(true)
    #expect(await app.next() == .leftAlone(meter.named))
    meter.measure(VirtualResult(2, 102))

    try await app.reader.assign(meter, beginning: beginning)
    #expect(await app.read(meter) == values)

    #expect(try await app.pending() == values)
    try await app.session.start(OneTouchApp.anna)
    try await app.reader.setPassiveReading(true)
    #expect(await app.next() == .leftAlone(meter.named))
  }

  @Test func `knows all results that a kit gives again, however many it keeps`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.remember((1...2100).map { VirtualResult($0, 100 + Double($0 % 400)) })
    meter.will(.allAgain, .allAgain, .allAgain, .normal, .allAgain)
    try await app.reader.setPassiveReading(true)
    var counts: [Int?] = []
    for _ in 1...3 {
      counts.append(await app.read(meter)?.count)
      meter.disconnects()
    }
    meter.measure(VirtualResult(2101, 99))
    for _ in 1...2 {
      counts.append(await app.read(meter)?.count)
      meter.disconnects()
    }
    #expect(counts == [2100, 0, 0, 1, 0])
    #expect(try await app.session.pendingCount() == 2101)
  }

  @Test func `is not assigned without a user`() async throws {
    let app = try await OneTouchApp(user: nil)
    let meter = app.kit.add("A")
    let error = await #expect(throws: OneTouchError.self) {
      try await app.reader.assign(meter)
    }
    #expect(error?.code == .noUser)
  }

  @Test(arguments: 1...UInt64(cases(few: 6, many: 60)))
  func `is never ahead of what is stored, whatever the kit does`(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    try await app.reader.setPassiveReading(true)
    var count = 0
    for _ in 1...12 {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        count += 1
        meter.measure(VirtualResult(count, 100 + Double(count)))
      }
      let answers: [VirtualKit.Answer] = [
        .normal, .failure, .failureAfter(1), .twice, .allAgain, .late, .empty,
      ]
      meter.will(answers.randomElement(using: &random) ?? .normal)
      meter.disconnects()
      meter.connects()
      let anchor = await app.kit.nextAnchor()
      let stored = try await app.pending()
      #expect(stored.count >= anchor ?? 0)
      #expect(Set(stored).count == stored.count)
      if Int.random(in: 0...2, using: &random) == 0 {
        try await app.relaunch()
        #expect(await app.reader.restoreState().value)
      }
      meter.answersLate()
    }
    meter.forgetsAnswers()
    meter.disconnects()
    meter.connects()
    _ = await app.kit.nextAnchor()
    while try await app.session.pendingCount() < count { await Task.yield() }
    #expect(try await app.pending().sorted() == (0..<count).map { 101 + Double($0) })
  }
}
