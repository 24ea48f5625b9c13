// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing

private let serial = GATTAttribute("180A", "2A25")
private let clock = GATTAttribute("1810", "2A08")
private let currentTime = GATTAttribute("1805", "2A2B")
private let measurement = GATTAttribute("1810", "2A35")
private let control = GATTAttribute("FFF0", "FFF2")

extension DriverTime {
  /// Some seconds after 2024-06-15 15:40:00 UTC, two hours ahead of it.
  static func after(_ seconds: Double) -> DriverTime {
    DriverTime(
      elapsed: .seconds(seconds), secondsSince1970: 1_718_466_000 + seconds, utcOffsetSeconds: 7200)
  }
}

/// Speaks with steps: an event goes in, the actions come out.
private struct Dialogue {
  var steps: DriverSteps

  init(
    _ steps: DriverSteps.Step...,
    having attributes: Set<GATTAttribute> = [serial, clock, currentTime, measurement, control]
  ) {
    self.steps = DriverSteps(steps, having: DriverContext(attributes: attributes))
  }

  mutating func begin() -> [DriverAction] { steps.begin(at: .after(0)) }

  mutating func say(_ event: DriverEvent, at seconds: Double = 0) -> [DriverAction] {
    steps.handle(event, at: .after(seconds))
  }
}

private let refusal = RequestFailure(code: 0x0F, message: "Encryption is insufficient.")

private let absence = RequestFailure(code: 0x0A, message: "Attribute not found.")

@Suite struct `Driver steps` {
  @Test func `read the identity three times, and report the failure`() {
    var dialogue = Dialogue(.read(serial), .read(currentTime), .subscribe(measurement))
    #expect(dialogue.begin() == [.read(serial)])
    #expect(dialogue.say(.readFailed(serial, refusal)) == [.read(serial)])
    #expect(dialogue.say(.readFailed(serial, RequestFailure(code: nil))) == [.read(serial)])
    #expect(
      dialogue.say(.readFailed(serial, refusal)) == [.unread(serial), .read(currentTime)])
    // Other facts are optional.
    #expect(dialogue.say(.readFailed(currentTime, refusal)) == [.subscribe(measurement)])
  }

  @Test func `take an answer to a repeated question`() {
    var dialogue = Dialogue(.read(serial), .subscribe(measurement))
    _ = dialogue.begin()
    _ = dialogue.say(.readFailed(serial, refusal))
    #expect(
      dialogue.say(.value(serial, Array("77".utf8)))
        == [.fact(.serialNumber("77")), .subscribe(measurement)])
  }

  @Test(arguments: [0x01, 0x02, 0x06, 0x0A] as [UInt8])
  func `take it for an answer that a device has no such fact`(code: UInt8) {
    var dialogue = Dialogue(.read(serial), .subscribe(measurement))
    _ = dialogue.begin()
    #expect(
      dialogue.say(.readFailed(serial, RequestFailure(code: code))) == [.subscribe(measurement)])
  }

  @Test func `are made one after the other, each when the one before was answered`() {
    var dialogue = Dialogue(.read(serial), .write(control, [1]), .subscribe(measurement))
    #expect(dialogue.begin() == [.read(serial)])
    #expect(!dialogue.steps.isDone)
    #expect(
      dialogue.say(.value(serial, Array("77".utf8)))
        == [.fact(.serialNumber("77")), .write(control, [1])])
    #expect(dialogue.say(.written(control)) == [.subscribe(measurement)])
    #expect(dialogue.say(.subscribed(measurement)) == [])
    #expect(dialogue.steps.isDone)
  }

  @Test func `leave out what the device does not have, and are done when nothing is left`() {
    var dialogue = Dialogue(
      .read(serial), .setClock(clock, tolerance: 0), .attempt(control, [1]),
      .subscribe(measurement), having: [measurement])
    #expect(dialogue.begin() == [.subscribe(measurement)])
    var empty = Dialogue(.read(serial), .write(control, [1]), having: [])
    #expect(empty.begin() == [])
    #expect(empty.steps.isDone)
  }

  @Test func `ignore what does not answer the step under way`() {
    var dialogue = Dialogue(.read(serial), .write(control, [1]))
    _ = dialogue.begin()
    for event: DriverEvent in [
      .value(measurement, [1]), .written(control), .subscribed(serial), .written(serial),
      .timeReached, .stored, .begun,
    ] {
      #expect(dialogue.say(event) == [])
    }
    #expect(dialogue.say(.readFailed(serial, absence)) == [.write(control, [1])])
    #expect(dialogue.say(.value(serial, Array("77".utf8))) == [])
    #expect(dialogue.say(.written(control)) == [])
    #expect(dialogue.steps.isDone)
    #expect(dialogue.say(.written(control)) == [])
  }

  @Test(arguments: [[], [0xFF], [0, 0]] as [[UInt8]])
  func `continue without an empty fact`(bytes: [UInt8]) {
    var dialogue = Dialogue(.read(serial), .subscribe(measurement))
    _ = dialogue.begin()
    #expect(dialogue.say(.value(serial, bytes)) == [.subscribe(measurement)])
  }

  @Test func `continue after an attempt that was refused`() {
    var dialogue = Dialogue(.attempt(control, [1, 2]), .read(serial))
    #expect(dialogue.begin() == [.write(control, [1, 2])])
    #expect(dialogue.say(.writeFailed(control, refusal)) == [.read(serial)])
    var accepted = Dialogue(.attempt(control, [1, 2]), .read(serial))
    _ = accepted.begin()
    #expect(accepted.say(.written(control)) == [.read(serial)])
  }

  @Test(arguments: [true, false])
  func `leave out the last attempt when one before was refused`(isRefused: Bool) {
    var dialogue = Dialogue(.attempt(control, [1]), .attemptLast(clock, [2]), .read(serial))
    _ = dialogue.begin()
    let answer: DriverEvent = isRefused ? .writeFailed(control, refusal) : .written(control)
    #expect(dialogue.say(answer) == [isRefused ? .read(serial) : .write(clock, [2])])
    guard !isRefused else { return }
    #expect(dialogue.say(.writeFailed(clock, refusal)) == [.read(serial)])
  }

  @Test func `end with a write that was refused`() {
    var dialogue = Dialogue(.write(control, [1]), .read(serial))
    _ = dialogue.begin()
    #expect(
      dialogue.say(.writeFailed(control, refusal)) == [
        .fail(
          DriverFailure(
            .communication,
            "The device refuses a request: FFF2 (ATT error 0xF). Encryption is insufficient."))
      ])
    #expect(!dialogue.steps.isDone)
    #expect(dialogue.say(.value(serial, [0x37])) == [])
  }

  @Test func `end with a subscription that was refused`() {
    var dialogue = Dialogue(.subscribe(measurement), .read(serial))
    _ = dialogue.begin()
    #expect(
      dialogue.say(.subscriptionFailed(measurement, RequestFailure(code: nil, message: "No."))) == [
        .fail(
          DriverFailure(.communication, "The device does not send its measurements: 2A35. No."))
      ])
    #expect(!dialogue.steps.isDone)
  }

  @Test func `wait as long as a pause is, whatever comes meanwhile`() {
    var dialogue = Dialogue(.pause(.seconds(2)), .read(serial))
    #expect(dialogue.begin() == [])
    #expect(dialogue.steps.deadline == .seconds(2))
    #expect(dialogue.say(.value(serial, [1]), at: 1) == [])
    #expect(dialogue.say(.stored, at: 3) == [])
    #expect(dialogue.say(.timeReached, at: 1.9) == [])
    #expect(dialogue.steps.deadline == .seconds(2))
    #expect(dialogue.say(.timeReached, at: 2) == [.read(serial)])
    #expect(dialogue.steps.deadline == nil)
  }

  @Test func `count a pause from the answer before it`() {
    var dialogue = Dialogue(.read(serial), .pause(.milliseconds(500)), .subscribe(measurement))
    _ = dialogue.begin()
    #expect(dialogue.steps.deadline == nil)
    #expect(dialogue.say(.readFailed(serial, absence), at: 3) == [])
    #expect(dialogue.steps.deadline == .seconds(3.5))
    #expect(dialogue.say(.timeReached, at: 3.6) == [.subscribe(measurement)])
  }
}

@Suite struct `Clock of a device` {
  // The receiver's clock shows 17:40:00 of 15 June 2024.
  private let rightNow: [UInt8] = [0xE8, 0x07, 6, 15, 17, 40, 0]

  @Test(
    arguments: [
      ([0xE8, 0x07, 6, 15, 17, 38, 30], -90.0), ([0xE8, 0x07, 6, 15, 19, 40, 0], 7200.0),
      ([0xE7, 0x07, 6, 16, 17, 40, 0], -31_536_000.0), ([0xE8, 0x07, 6, 15, 17, 40, 0], 0.0),
    ] as [([UInt8], Double)])
  func `is measured before it is set`(shown: [UInt8], drift: Double) {
    var dialogue = Dialogue(.setClock(clock, tolerance: -1), .read(serial))
    #expect(dialogue.begin() == [.read(clock)])
    #expect(
      dialogue.say(.value(clock, shown))
        == [.fact(.clockDrift(seconds: drift)), .write(clock, rightNow)])
    #expect(dialogue.say(.written(clock)) == [.fact(.clockSet), .read(serial)])
  }

  @Test(arguments: [(600.0, 600, false), (600.0, -600, false), (600.0, 601, true), (0.0, 1, true)])
  func `is left alone when it is right enough`(tolerance: Double, drift: Int, isSet: Bool) throws {
    var dialogue = Dialogue(.setClock(clock, tolerance: tolerance), .read(serial))
    _ = dialogue.begin()
    let shown = try #require(DateTime(secondsSince1970: 1_718_466_000 + 7200 + drift))
    #expect(
      dialogue.say(.value(clock, shown.payload)) == [
        .fact(.clockDrift(seconds: Double(drift))),
        isSet ? .write(clock, rightNow) : .read(serial),
      ])
  }

  @Test func `is off by whole seconds, since it shows no parts of them`() {
    var dialogue = Dialogue(.setClock(clock, tolerance: 0), .read(serial))
    _ = dialogue.begin()
    #expect(
      dialogue.say(.value(clock, rightNow), at: 0.4)
        == [.fact(.clockDrift(seconds: 0)), .read(serial)])
  }

  @Test func `was never set when a part of its date is unknown`() {
    var dialogue = Dialogue(.setClock(clock, tolerance: 600), .read(serial))
    _ = dialogue.begin()
    #expect(
      dialogue.say(.value(clock, [0, 0, 0, 0, 0, 3, 7]))
        == [.fact(.clockNotSet), .write(clock, rightNow)])
  }

  @Test(arguments: [[], [1], [0xE8, 0x07, 13, 40, 25, 61, 61]] as [[UInt8]])
  func `is set although what it shows is not a time`(shown: [UInt8]) {
    var dialogue = Dialogue(.setClock(clock, tolerance: 600), .read(serial))
    _ = dialogue.begin()
    #expect(dialogue.say(.value(clock, shown)) == [.write(clock, rightNow)])
  }

  @Test func `is set although it cannot be read, and may refuse to be set`() {
    var dialogue = Dialogue(.setClock(clock, tolerance: 600), .read(serial))
    _ = dialogue.begin()
    #expect(dialogue.say(.readFailed(clock, refusal)) == [.write(clock, rightNow)])
    #expect(dialogue.say(.writeFailed(clock, RequestFailure(code: 0x80))) == [.read(serial)])
  }

  @Test func `is left alone when the receiver's own clock shows nonsense`() {
    var steps = DriverSteps(
      [.setClock(clock, tolerance: 0)], having: DriverContext(attributes: [clock]))
    let nonsense = DriverTime(elapsed: .zero, secondsSince1970: 1e15, utcOffsetSeconds: 0)
    #expect(steps.begin(at: nonsense) == [.read(clock)])
    #expect(steps.handle(.readFailed(clock, refusal), at: nonsense) == [])
    #expect(steps.isDone)
  }

  @Test func `is read and set as Current Time, too`() {
    var dialogue = Dialogue(.setClock(currentTime, tolerance: 1), .read(serial))
    #expect(dialogue.begin() == [.read(currentTime)])
    #expect(
      dialogue.say(.value(currentTime, [0xE8, 0x07, 6, 15, 17, 38, 30, 6, 0x80, 0])) == [
        .fact(.clockDrift(seconds: -90)),
        .write(currentTime, [0xE8, 0x07, 6, 15, 17, 40, 0, 6, 0, 1]),
      ])
  }

  @Test(
    arguments: [
      // 1 is Monday.
      (0, [0xB2, 0x07, 1, 1, 0, 0, 0, 4, 0, 1]),
      (-345_600, [0xB1, 0x07, 12, 28, 0, 0, 0, 7, 0, 1]),
      (951_782_400, [0xD0, 0x07, 2, 29, 0, 0, 0, 2, 0, 1]),
      (1_718_409_600, [0xE8, 0x07, 6, 15, 0, 0, 0, 6, 0, 1]),
      (1_718_495_999, [0xE8, 0x07, 6, 15, 23, 59, 59, 6, 0, 1]),
      (1_718_496_000, [0xE8, 0x07, 6, 16, 0, 0, 0, 7, 0, 1]),
      (1_718_582_400, [0xE8, 0x07, 6, 17, 0, 0, 0, 1, 0, 1]),
      (1_718_668_800, [0xE8, 0x07, 6, 18, 0, 0, 0, 2, 0, 1]),
      (1_718_755_200, [0xE8, 0x07, 6, 19, 0, 0, 0, 3, 0, 1]),
      (1_718_928_000, [0xE8, 0x07, 6, 21, 0, 0, 0, 5, 0, 1]),
    ] as [(Double, [UInt8])])
  func `is set with the right day of the week`(seconds: Double, bytes: [UInt8]) {
    let time = DriverTime(elapsed: .zero, secondsSince1970: seconds, utcOffsetSeconds: 0)
    #expect(DeviceClock.bytes(for: currentTime, at: time) == bytes)
  }

  @Test func `is set with the day of the receiver's zone, and parts of a second`() {
    // 22:30:00.75 UTC of Saturday is 00:30 of Sunday two hours ahead.
    let time = DriverTime(
      elapsed: .zero, secondsSince1970: 1_718_490_600.75, utcOffsetSeconds: 7200)
    #expect(
      DeviceClock.bytes(for: currentTime, at: time)
        == [0xE8, 0x07, 6, 16, 0, 30, 0, 7, 0xC0, 1])
    #expect(DeviceClock.bytes(for: clock, at: time) == [0xE8, 0x07, 6, 16, 0, 30, 0])
    let beforeEpoch = DriverTime(
      elapsed: .zero, secondsSince1970: -1e-20, utcOffsetSeconds: 0)
    #expect(
      DeviceClock.bytes(for: currentTime, at: beforeEpoch)
        == [0xB1, 0x07, 12, 31, 23, 59, 59, 3, 0xFF, 1])
  }
}

@Suite struct `Facts of a device` {
  @Test(arguments: [
    ("2A29", "A&D", DeviceInformation.manufacturer("A&D")), ("2A24", "UA-651", .model("UA-651")),
    ("2A25", "77\0\0", .serialNumber("77")), ("2A26", "1.0", .firmwareRevision("1.0")),
    ("2A27", "B", .hardwareRevision("B")), ("2A28", "2", .softwareRevision("2")),
  ])
  func `are read from Device Information`(
    characteristic: String, text: String, fact: DeviceInformation
  ) {
    #expect(DeviceInformation(GATTAttribute("180A", characteristic), Array(text.utf8)) == fact)
  }

  @Test func `are numbers, too`() {
    #expect(DeviceInformation(GATTAttribute("180F", "2A19"), [90]) == .batteryPercent(90))
    #expect(
      DeviceInformation(GATTAttribute("180A", "2A23"), [1, 2, 3, 0xFE, 0xFF, 4, 5, 6])
        == .systemID(0x0605_04FF_FE03_0201))
  }

  @Test func `are nil when they say nothing`() {
    #expect(DeviceInformation(GATTAttribute("180F", "2A19"), [101]) == nil)
    #expect(DeviceInformation(GATTAttribute("180F", "2A19"), []) == nil)
    #expect(DeviceInformation(GATTAttribute("180A", "2A25"), [0xFF]) == nil)
    #expect(DeviceInformation(GATTAttribute("180A", "2A25"), []) == nil)
    #expect(DeviceInformation(GATTAttribute("180A", "2A23"), [1]) == nil)
    #expect(DeviceInformation(GATTAttribute("180A", "2A23"), [0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(
      DeviceInformation(
        GATTAttribute("180A", "2A23"), [0xDE, 0xBC, 0x9A, 0xFE, 0xFF, 0x56, 0x34, 0x12]) == nil)
    #expect(DeviceInformation(GATTAttribute("180A", "2A4A"), [0x31]) == nil)
  }
}
