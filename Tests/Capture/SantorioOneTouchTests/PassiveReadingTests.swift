// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioCore
import SantorioOneTouch
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct `Passive reading with the kit` {
  @Test func `connects paired meters, reads them, and connects them again`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    app.kit.add("unpaired", isPaired: false)
    meter.measure(VirtualResult(1, 101), VirtualResult(2, 102))

    try await app.reader.setPassiveReading(true)
    #expect(app.reader.isOn)
    #expect(app.kit.calls == [.connect("A")])
    #expect(app.kit.autoClockSync)
    #expect(await app.read(meter) == [101, 102])
    meter.measure(VirtualResult(3, 103))
    meter.disconnects()
    await app.kit.waits(for: .read("A", anchor: nil))
    await app.kit.waits(for: .connect("A"))
    #expect(await app.read(meter) == [103])

    #expect(app.kit.calls.contains(.read("A", anchor: 2)))
    #expect(!app.kit.calls.contains(.connect("unpaired")))
    #expect(try await app.pending() == [101, 102, 103])
  }

  @Test func `leaves a meter alone that is not paired, since reading it would begin to pair`()
    async throws
  {
    let app = try await OneTouchApp()
    let (stranger, own) = (app.kit.add("stranger", isPaired: false), app.kit.add("own"))
    try await app.reader.setPassiveReading(true)

    stranger.connects()
    stranger.disconnects()
    #expect(await app.read(own) == [])

    #expect(app.kit.calls == [.connect("own"), .read("own", anchor: nil)])
  }

  @Test func `reads nothing while it is off`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101))
    #expect(await app.reader.obstacle() == .notSet)
    try await app.reader.setPassiveReading(true)
    #expect(await app.nextOfAnyKind() == .stateChanged(nil))
    #expect(await app.reader.obstacle() == nil)

    try await app.reader.setPassiveReading(false)
    #expect(await app.nextOfAnyKind() == .stateChanged(.notSet))
    meter.connects()
    meter.disconnects()
    await app.reader.connectPairedDevices()

    #expect(app.kit.calls == [.connect("A"), .disconnect("A")])
    #expect(!app.reader.isOn)
    try await app.relaunch()
    #expect(await app.reader.restoreState().value == false)
    #expect(try await app.pending().isEmpty)
  }

  @Test func `needs the session of a user of the server`() async throws {
    let app = try await OneTouchApp(user: nil)
    app.kit.add("A")
    await #expect(throws: OneTouchError.self) { try await app.reader.setPassiveReading(true) }
    #expect(await app.reader.obstacle() == .noSession)

    try await app.session.start(.default)
    let error = await #expect(throws: OneTouchError.self) {
      try await app.reader.setPassiveReading(true)
    }
    #expect(error?.code == .noUser)
    #expect(await app.reader.obstacle() == .defaultUser)
    #expect(!app.reader.isOn)
    #expect(app.kit.calls.isEmpty)
  }

  @Test func `does not read a meter without a serial number`() async throws {
    let app = try await OneTouchApp()
    app.kit.add("")
    try await app.reader.setPassiveReading(true)

    #expect(await app.next()?.failure == .noSerialNumber)
    #expect(app.kit.calls.isEmpty)
  }

  @Test func `reads a meter that was paired meanwhile`() async throws {
    let app = try await OneTouchApp()
    try await app.reader.setPassiveReading(true)
    let meter = app.kit.add("new")
    meter.measure(VirtualResult(1, 101))

    await app.reader.connectPairedDevices()

    #expect(app.kit.calls == [.connect("new")])
    #expect(await app.read(meter) == [101])
  }

  // The kit connects a meter while the app looks up whether it is to be read.
  @Test func `reads a meter that was connected before it was on`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101))
    try await app.reader.setPassiveReading(true)
    try await app.relaunch()
    meter.connects()

    #expect(await app.reader.restoreState().value)

    #expect(await app.next()?.values == [101])
  }

  @Test func `reads a meter that was connected before it was paired`() async throws {
    let app = try await OneTouchApp()
    try await app.reader.setPassiveReading(true)
    let meter = app.kit.add("new", isPaired: false)
    meter.measure(VirtualResult(1, 101))
    meter.connects()
    meter.isPaired = true
    await app.reader.connectPairedDevices()

    #expect(await app.next()?.values == [101])
  }

  @Test func `is off when the session has ended`() async throws {
    let app = try await OneTouchApp()
    app.kit.add("A")
    try await app.reader.setPassiveReading(true)
    #expect(await app.nextOfAnyKind() == .stateChanged(nil))
    try await app.session.end()
    #expect(await app.nextOfAnyKind() == .stateChanged(.noSession))
    #expect(!app.reader.isOn)
  }

  @Test func `asks again after no answer, also when it was switched on twice`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.will(.never)
    try await app.reader.setPassiveReading(true)
    meter.connects()
    _ = await app.clock.sleepBegins { $0 == .seconds(300) }
    try await app.reader.setPassiveReading(true)
    app.clock.advance(by: .seconds(300))
    #expect(await app.next()?.failure == .noAnswer)
  }

  @Test func `reports what is no reading, and goes on behind it`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    var (control, broken) = (VirtualResult(1, 101), VirtualResult(2, .nan))
    control.isControl = true
    broken.meal = .before
    meter.measure(control, broken, VirtualResult(3, 103))
    try await app.reader.setPassiveReading(true)

    meter.connects()
    guard case .rejected(let rejections, _) = await app.next() else {
      Issue.record("the rejections were not reported")
      return
    }
    #expect(rejections.map(\.reason) == [.control, .outOfRange])
    #expect(await app.next()?.values == [103])
    let kinds = try await app.session.pendingRecords().map(\.kind)
    #expect(kinds == [.rejected, .rejected, .measurement])

    meter.disconnects()
    #expect(await app.read(meter) == [])
    #expect(app.kit.calls.last == .read("A", anchor: 3))
    #expect(try await app.session.pendingCount() == 3)
  }

  // MARK: - Faults of the kit

  @Test func `tries again after an error, after longer and longer pauses`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101))
    meter.will(.failure, .failure, .failure)
    try await app.reader.setPassiveReading(true)

    meter.connects()
    for seconds in [5, 10, 20] {
      let event = await app.next()
      #expect(event?.failure == .kit)
      #expect(event?.nextTry == .seconds(seconds))
      _ = await app.clock.sleepBegins { $0 == .seconds(seconds) }
      #expect(try await app.pending().isEmpty)
      app.clock.advance(by: .seconds(seconds))
    }

    #expect(await app.next()?.values == [101])
    #expect(try await app.pending() == [101])
  }

  @Test func `keeps the kit's words out of logs and dumps`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.will(.failure)
    try await app.reader.setPassiveReading(true)
    meter.connects()
    let event = try #require(await app.next())
    guard case .failed(let error, _, _) = event else {
      Issue.record("\(event)")
      return
    }
    let words = try #require(error.kitMessage)
    var dumped = ""
    dump(event, to: &dumped)
    for text in ["\(event)", String(reflecting: event), dumped] { #expect(!text.contains(words)) }
  }

  @Test func `stores what comes with an error, and asks for all of it again`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101), VirtualResult(2, 102), VirtualResult(3, 103))
    meter.will(.failureAfter(2))
    try await app.reader.setPassiveReading(true)

    #expect(await app.read(meter) == [101, 102])
    #expect(await app.next()?.failure == .kit)
    _ = await app.clock.sleepBegins { $0 == .seconds(5) }
    app.clock.advance(by: .seconds(5))

    #expect(await app.next()?.values == [103])
    #expect(app.kit.calls.suffix(2) == [.read("A", anchor: nil), .read("A", anchor: nil)])
    #expect(try await app.pending() == [101, 102, 103])
  }

  @Test func `stores once what the kit gives twice`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101), VirtualResult(2, 102), VirtualResult(2, 102))
    meter.will(.twice, .allAgain)
    try await app.reader.setPassiveReading(true)

    #expect(await app.read(meter) == [101, 102])
    meter.disconnects()
    meter.measure(VirtualResult(3, 103))
    #expect(await app.read(meter) == [103])
    #expect(try await app.pending() == [101, 102, 103])
  }

  @Test func `stores a reading again whose mark the user has changed`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    var result = VirtualResult(1, 101)
    meter.measure(result)
    meter.will(.normal, .allAgain)
    try await app.reader.setPassiveReading(true)
    #expect(await app.read(meter) == [101])

    result.meal = .after
    meter.remember([result])
    meter.disconnects()

    #expect(await app.read(meter) == [101])
    let waiting = try await app.session.pendingRecords()
    #expect(waiting.map(\.mealRelationship) == [.after])
  }

  @Test func `takes an answer that comes after its time, unless the meter was asked again`()
    async throws
  {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101))
    meter.will(.late, .late, .normal)
    try await app.reader.setPassiveReading(true)

    meter.connects()
    _ = await app.clock.sleepBegins { $0 == .seconds(300) }
    app.clock.advance(by: .seconds(300))
    #expect(await app.next()?.failure == .noAnswer)
    meter.answersLate()
    #expect(await app.next()?.values == [101])

    meter.measure(VirtualResult(2, 102))
    meter.disconnects()
    meter.connects()
    await app.kit.waits(for: .read("A", anchor: 1))
    meter.disconnects()
    #expect(await app.read(meter) == [102])
    meter.answersLate()
    meter.disconnects()
    #expect(await app.read(meter) == [])
    #expect(try await app.pending() == [101, 102])
  }

  @Test func `keeps its place when the kit answers with nothing`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101))
    meter.will(.normal, .empty)
    try await app.reader.setPassiveReading(true)
    #expect(await app.read(meter) == [101])
    meter.disconnects()
    #expect(await app.read(meter) == [])
    meter.disconnects()
    meter.measure(VirtualResult(2, 102))
    #expect(await app.read(meter) == [102])
    #expect(app.kit.calls.contains(.read("A", anchor: 1)))
  }

  @Test func `waits longer and longer for a meter that only connects and disconnects`()
    async throws
  {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    try await app.reader.setPassiveReading(true)
    await app.kit.waits(for: .connect("A"))

    for _ in 1...3 {
      meter.disconnects()
      await app.kit.waits(for: .connect("A"))
    }
    for seconds in [5, 10] {
      meter.disconnects()
      _ = await app.clock.sleepBegins { $0 == .seconds(seconds) }
      app.clock.advance(by: .seconds(seconds))
      await app.kit.waits(for: .connect("A"))
    }
    #expect(app.kit.calls.count == 6)
  }
}
