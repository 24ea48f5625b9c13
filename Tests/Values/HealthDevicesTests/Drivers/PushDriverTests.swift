// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import HealthRecords

private let serial = GATTAttribute("180A", "2A25")
private let measurement = GATTAttribute("1810", "2A35")
private let interim = GATTAttribute("1810", "2A36")

/// The reading of a frame of the tests: its first byte is the temperature; 0 means nothing.
private func reading(_ bytes: [UInt8]) -> DeviceReading {
  guard bytes.first != 0 else {
    return DeviceReading(rejected: .malformed, "It is no temperature.", payload: bytes)
  }
  return DeviceReading([.init(.bodyTemperature, Double(bytes.first ?? 0))], payload: bytes)
}

/// Speaks with a driver: an event goes in, the actions come out.
private struct Dialogue {
  var driver: PushDriver

  init(
    _ purpose: DriverContext.Purpose = .read,
    _ steps: [DriverSteps.Step] = [.subscribe(measurement)],
    quietTime: Duration = PushDriver.quietTime
  ) {
    let context = DriverContext(purpose: purpose, attributes: [serial, measurement, interim])
    driver = PushDriver(
      context, steps: steps, measurements: [measurement, interim], quietTime: quietTime
    ) { attribute, bytes, _ in attribute == measurement ? reading(bytes) : nil }
  }

  mutating func say(_ event: DriverEvent, at seconds: Double = 0) -> [DriverAction] {
    driver.handle(event, at: .after(seconds))
  }

  mutating func receive(_ byte: UInt8, at seconds: Double) -> [DriverAction] {
    say(.value(measurement, [byte]), at: seconds)
  }
}

@Suite struct `Driver of a device that sends by itself` {
  @Test func `takes all steps and is ready`() {
    var dialogue = Dialogue(.read, [.read(serial), .subscribe(measurement)])
    #expect(dialogue.say(.begun) == [.read(serial)])
    #expect(
      dialogue.say(.value(serial, Array("77".utf8)))
        == [.fact(.serialNumber("77")), .subscribe(measurement)])
    #expect(dialogue.say(.subscribed(measurement)) == [.ready])
    #expect(dialogue.driver.deadline == nil)
    #expect(dialogue.driver.isComplete)
  }

  @Test func `is ready at once without any step`() {
    var dialogue = Dialogue(.read, [])
    #expect(dialogue.say(.begun) == [.ready])
  }

  @Test func `delivers each measurement at once and ends after four quiet seconds`() {
    var dialogue = Dialogue()
    _ = dialogue.say(.begun)
    _ = dialogue.say(.subscribed(measurement))
    #expect(dialogue.receive(36, at: 10) == [.deliver(reading([36]))])
    #expect(dialogue.driver.deadline == .seconds(14))
    #expect(dialogue.receive(37, at: 13) == [.deliver(reading([37]))])
    #expect(dialogue.driver.deadline == .seconds(17))
    #expect(dialogue.say(.timeReached, at: 14) == [])
    #expect(dialogue.driver.deadline == .seconds(17))
    #expect(dialogue.say(.timeReached, at: 17) == [.finish])
    #expect(dialogue.driver.deadline == nil)
  }

  @Test func `waits on after a value that means nothing`() {
    var dialogue = Dialogue()
    _ = dialogue.say(.begun)
    _ = dialogue.say(.subscribed(measurement))
    #expect(dialogue.receive(0, at: 10) == [.deliver(reading([0]))])
    #expect(dialogue.driver.deadline == nil)
    #expect(dialogue.receive(36, at: 30) == [.deliver(reading([36]))])
    #expect(dialogue.driver.deadline == .seconds(34))
  }

  @Test func `waits for the first measurement however long it takes`() {
    var dialogue = Dialogue()
    _ = dialogue.say(.begun)
    _ = dialogue.say(.subscribed(measurement))
    #expect(dialogue.driver.deadline == nil)
    #expect(dialogue.say(.timeReached, at: 10_000) == [])
    #expect(dialogue.receive(36, at: 10_001) == [.deliver(reading([36]))])
  }

  @Test func `ends when the timer is late`() {
    var dialogue = Dialogue()
    _ = dialogue.say(.begun)
    _ = dialogue.say(.subscribed(measurement))
    _ = dialogue.receive(36, at: 1)
    #expect(dialogue.say(.timeReached, at: 130) == [.finish])
  }

  @Test func `takes a measurement that comes before the subscription is confirmed`() {
    var dialogue = Dialogue()
    #expect(dialogue.say(.begun) == [.subscribe(measurement)])
    #expect(dialogue.receive(36, at: 1) == [.deliver(reading([36]))])
    #expect(dialogue.driver.deadline == nil)
    #expect(dialogue.say(.timeReached, at: 6) == [])
    #expect(dialogue.say(.subscribed(measurement), at: 6) == [.ready])
    #expect(dialogue.driver.deadline == .seconds(5))
    #expect(dialogue.receive(37, at: 6.5) == [.deliver(reading([37]))])
    #expect(dialogue.say(.timeReached, at: 10.5) == [.finish])
  }

  @Test func `still delivers what comes after its end, and ends but once`() {
    var dialogue = Dialogue()
    _ = dialogue.say(.begun)
    _ = dialogue.say(.subscribed(measurement))
    _ = dialogue.receive(36, at: 0)
    #expect(dialogue.say(.timeReached, at: 4) == [.finish])
    #expect(dialogue.receive(37, at: 5) == [.deliver(reading([37]))])
    #expect(dialogue.driver.deadline == nil)
    #expect(dialogue.say(.timeReached, at: 20) == [])
    #expect(dialogue.say(.subscribed(measurement), at: 21) == [])
  }

  @Test func `does not take what is on the way to a measurement for one`() {
    var dialogue = Dialogue()
    _ = dialogue.say(.begun)
    _ = dialogue.say(.subscribed(measurement))
    #expect(dialogue.say(.value(interim, [120]), at: 1) == [])
    #expect(dialogue.driver.deadline == nil)
    #expect(dialogue.say(.timeReached, at: 20) == [])
    #expect(dialogue.receive(36, at: 21) == [.deliver(reading([36]))])
    #expect(dialogue.say(.value(interim, [120]), at: 24) == [])
    #expect(dialogue.driver.deadline == .seconds(28))
    #expect(dialogue.say(.timeReached, at: 28) == [.finish])
  }

  @Test func `takes another quiet time`() {
    var dialogue = Dialogue(quietTime: .milliseconds(500))
    _ = dialogue.say(.begun)
    _ = dialogue.say(.subscribed(measurement))
    _ = dialogue.receive(36, at: 1)
    #expect(dialogue.say(.timeReached, at: 1.499) == [])
    #expect(dialogue.say(.timeReached, at: 1.5) == [.finish])
  }

  @Test func `ends with a step that fails`() {
    var dialogue = Dialogue()
    _ = dialogue.say(.begun)
    #expect(
      dialogue.say(.subscriptionFailed(measurement, RequestFailure(code: 3))) == [
        .fail(
          DriverFailure(
            .communication, "The device does not send its measurements: 2A35 (ATT error 0x3)."))
      ])
    #expect(dialogue.receive(36, at: 1) == [.deliver(reading([36]))])
    #expect(dialogue.driver.deadline == nil)
    #expect(dialogue.say(.timeReached, at: 20) == [])
  }

  @Test func `keeps to the deadlines of its steps until they are done`() {
    var dialogue = Dialogue(.read, [.pause(.seconds(9)), .subscribe(measurement)])
    #expect(dialogue.say(.begun) == [])
    #expect(dialogue.driver.deadline == .seconds(9))
    _ = dialogue.receive(36, at: 1)
    #expect(dialogue.driver.deadline == .seconds(9))
    #expect(dialogue.say(.timeReached, at: 9) == [.subscribe(measurement)])
    #expect(dialogue.say(.subscribed(measurement), at: 9) == [.ready])
    #expect(dialogue.say(.timeReached, at: 9) == [.finish])
  }

  @Test func `is paired when its steps are done, and waits a while for what the device keeps`() {
    var dialogue = Dialogue(.pair)
    _ = dialogue.say(.begun)
    #expect(dialogue.say(.subscribed(measurement), at: 1) == [.paired])
    #expect(dialogue.driver.deadline == .seconds(5))
    #expect(dialogue.receive(36, at: 3) == [.deliver(reading([36]))])
    #expect(dialogue.say(.timeReached, at: 5) == [])
    #expect(dialogue.say(.timeReached, at: 7) == [.finish])
    var silent = Dialogue(.pair)
    _ = silent.say(.begun)
    _ = silent.say(.subscribed(measurement), at: 1)
    #expect(silent.say(.timeReached, at: 5) == [.finish])
  }

  @Test func `does nothing with values that are no measurements`() {
    var dialogue = Dialogue()
    _ = dialogue.say(.begun)
    _ = dialogue.say(.subscribed(measurement))
    #expect(dialogue.say(.value(serial, [1]), at: 1) == [])
    #expect(dialogue.say(.stored, at: 1) == [])
    #expect(dialogue.driver.deadline == nil)
  }
}
