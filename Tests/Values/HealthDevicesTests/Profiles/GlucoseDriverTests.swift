// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import PayloadTesting
import Testing
import HealthRecords

/// A driver and the events that a test makes up, on a clock of its own.
private struct MeterDialogue {
  private var driver: GlucoseDriver
  private var seconds = 0.0

  init(
    purpose: DriverContext.Purpose = .read, checkpoints: [SyncCheckpoint] = [],
    dialect: GlucoseDialect = GlucoseDialect(), hasContext: Bool = true
  ) {
    var attributes: Set<GATTAttribute> = [.glucoseMeasurement, .glucoseRecordAccess]
    if hasContext { attributes.insert(.glucoseContext) }
    driver = GlucoseDriver(
      DriverContext(purpose: purpose, attributes: attributes, checkpoints: checkpoints),
      dialect: dialect)
  }

  var deadline: Duration? { driver.deadline }
  var isComplete: Bool { driver.isComplete }

  mutating func hear(_ event: DriverEvent, at seconds: Double? = nil) -> [DriverAction] {
    self.seconds = seconds ?? self.seconds
    return driver.handle(
      event,
      at: DriverTime(
        elapsed: .seconds(self.seconds), secondsSince1970: 1_774_785_600 + self.seconds,
        utcOffsetSeconds: 0))
  }

  mutating func hear(_ attribute: GATTAttribute, _ hexadecimal: String) throws -> [DriverAction] {
    hear(.value(attribute, try bytes(hexadecimal)))
  }

  /// Up to the first request, which is returned.
  mutating func prepare() -> [DriverAction] {
    #expect(hear(.begun) == [.subscribe(.glucoseMeasurement)])
    #expect(hear(.subscribed(.glucoseMeasurement)) == [.subscribe(.glucoseContext)])
    #expect(hear(.subscribed(.glucoseContext)) == [.subscribe(.glucoseRecordAccess)])
    return hear(.subscribed(.glucoseRecordAccess))
  }
}

private func ask(_ hexadecimal: String) throws -> [DriverAction] {
  [.write(.glucoseRecordAccess, try bytes(hexadecimal))]
}

extension [DriverAction] {
  fileprivate var failure: DriverFailure.Kind? {
    if case .fail(let failure)? = last { failure.kind } else { nil }
  }

  fileprivate var advances: [Int] {
    compactMap { if case .advance(let checkpoint) = $0 { checkpoint.sequenceNumber } else { nil } }
  }

  fileprivate var readings: [DeviceReading] {
    compactMap { if case .deliver(let reading) = $0 { reading } else { nil } }
  }
}

@Suite struct `Glucose driver` {
  @Test func `needs no context, no clock and no facts`() throws {
    var meter = MeterDialogue(hasContext: false)

    #expect(meter.hear(.begun) == [.subscribe(.glucoseMeasurement)])
    #expect(meter.hear(.subscribed(.glucoseMeasurement)) == [.subscribe(.glucoseRecordAccess)])
    #expect(meter.hear(.subscribed(.glucoseRecordAccess)) == (try ask("01 01")))
    #expect(meter.hear(.written(.glucoseRecordAccess)).isEmpty)
    #expect(try meter.hear(.glucoseRecordAccess, "06 00 01 06") == [.finish])
    #expect(meter.deadline == nil)
  }

  @Test func `fails without its subscriptions`() throws {
    var meter = MeterDialogue()
    _ = meter.hear(.begun)
    let actions = meter.hear(
      .subscriptionFailed(.glucoseMeasurement, RequestFailure(code: 0x05)))

    #expect(actions.failure == .communication)
    #expect(meter.hear(.timeReached, at: 100).isEmpty)
    #expect(meter.deadline == nil)
  }

  @Test func `ends with a time-out when the meter stays silent`() throws {
    var meter = MeterDialogue()
    #expect(meter.prepare() == (try ask("01 01")))
    _ = meter.hear(.written(.glucoseRecordAccess))

    #expect(meter.deadline == .seconds(30))
    #expect(meter.hear(.timeReached, at: 29).isEmpty)
    #expect(meter.hear(.timeReached, at: 30).failure == .timeout)
  }

  @Test func `delivers what came before the meter fell silent`() throws {
    var meter = MeterDialogue()
    _ = meter.prepare()
    #expect(try meter.hear(.glucoseMeasurement, "02 0700 EA070301000A00 62B0 11").isEmpty)
    let actions = meter.hear(.timeReached, at: 60)

    #expect(actions.readings.map(\.sequenceNumber) == [7])
    #expect(actions.count == 3)
    #expect(actions.failure == .timeout)
    guard case .advance(let checkpoint) = actions[1] else {
      Issue.record("no advance")
      return
    }
    #expect(checkpoint.sequenceNumber == 7)
  }

  @Test func `delivers what came before the meter reported a failure`() throws {
    var meter = MeterDialogue()
    _ = meter.prepare()
    _ = try meter.hear(.glucoseMeasurement, "02 0700 EA070301000A00 62B0 11")
    let actions = try meter.hear(.glucoseRecordAccess, "06 00 01 08")

    #expect(actions.readings.map(\.sequenceNumber) == [7])
    #expect(actions.failure == .communication)
  }

  @Test func `takes records that come just after the end was reported`() throws {
    var meter = MeterDialogue()
    _ = meter.prepare()
    _ = try meter.hear(.glucoseMeasurement, "12 0700 EA070301000A00 62B0 11")
    #expect(try meter.hear(.glucoseRecordAccess, "06 00 01 01").isEmpty)
    _ = try meter.hear(.glucoseContext, "02 0700 03")
    _ = try meter.hear(.glucoseMeasurement, "02 0800 EA070301000B00 62B0 11")
    let actions = meter.hear(.timeReached, at: 1)

    #expect(actions.readings.map(\.sequenceNumber) == [7, 8])
    #expect(actions.readings.map(\.mealRelationship) == [.fasting, nil])
    #expect(actions.last == .finish)
    #expect(meter.hear(.timeReached, at: 9).isEmpty)
  }

  @Test func `holds nothing back when the end is reported, since the meter may disconnect`() throws
  {
    var meter = MeterDialogue()
    _ = meter.prepare()
    #expect(!meter.isComplete)
    _ = try meter.hear(.glucoseMeasurement, "02 0700 EA070301000A00 62B0 11")
    _ = try meter.hear(.glucoseMeasurement, "02 0800 EA070301000B00 62B0 11")
    #expect(!meter.isComplete)
    let actions = try meter.hear(.glucoseRecordAccess, "06 00 01 01")

    #expect(actions.readings.map(\.sequenceNumber) == [7, 8])
    #expect(actions.count == 3)
    #expect(meter.isComplete)
  }

  @Test func `is not complete while a context is missing that was announced`() throws {
    var meter = MeterDialogue()
    _ = meter.prepare()
    _ = try meter.hear(.glucoseMeasurement, "02 0700 EA070301000A00 62B0 11")
    _ = try meter.hear(.glucoseMeasurement, "12 0800 EA070301000B00 62B0 11")
    let actions = try meter.hear(.glucoseRecordAccess, "06 00 01 01")

    #expect(actions.readings.map(\.sequenceNumber) == [7])
    #expect(!meter.isComplete)
    #expect(meter.hear(.timeReached, at: 1).readings.map(\.sequenceNumber) == [8])
    #expect(meter.isComplete)
  }

  @Test func `is not complete when the memory turns out to be another one`() throws {
    let last = try GlucoseMeasurement(payload: try bytes("02 0700 EA070301000A00 62B0 11"))
    var meter = MeterDialogue(checkpoints: [last.checkpoint(key: CheckpointKey())])
    _ = meter.prepare()
    _ = try meter.hear(.glucoseMeasurement, "02 0900 EA070301000A00 62B0 11")

    #expect(try meter.hear(.glucoseRecordAccess, "06 00 01 01").isEmpty)
    #expect(!meter.isComplete)
    #expect(meter.hear(.timeReached, at: 1) == (try ask("01 01")))
  }

  @Test func `keeps how far it came in a memory that is another one`() throws {
    let last = try GlucoseMeasurement(payload: try bytes("02 0700 EA070301000A00 62B0 11"))
    var meter = MeterDialogue(checkpoints: [last.checkpoint(key: CheckpointKey())])
    _ = meter.prepare()
    _ = try meter.hear(.glucoseMeasurement, "02 0900 EA070301000A00 62B0 11")
    _ = try meter.hear(.glucoseRecordAccess, "06 00 01 01")
    #expect(meter.hear(.timeReached, at: 1) == (try ask("01 01")))
    for number in [1, 2, 9] {
      #expect(
        try meter.hear(.glucoseMeasurement, "02 0\(number)00 EA070301000A00 62B0 11").isEmpty)
    }
    let actions = meter.hear(.timeReached, at: 60)

    #expect(actions.readings.map(\.sequenceNumber) == [1, 2, 9])
    #expect(actions.advances == [9])
    #expect(actions.failure == .timeout)
  }

  @Test func `asks for everything after a cut in a memory without order`() throws {
    var meter = MeterDialogue()
    _ = meter.prepare()
    var checkpoints: [SyncCheckpoint] = []
    for number in Array(31...40) + [11] {
      let frame = [0x02, UInt8(number), 0] + (try bytes("EA070301000A00 62B0 11"))
      for case .advance(let last) in meter.hear(.value(.glucoseMeasurement, frame)) {
        checkpoints = [last]
      }
    }
    var next = MeterDialogue(checkpoints: checkpoints)

    #expect(checkpoints.count == 1)
    #expect(next.prepare() == (try ask("01 01")))
  }

  @Test func `delivers a broken record as refused and reads on`() throws {
    var meter = MeterDialogue()
    _ = meter.prepare()
    let broken = try meter.hear(.glucoseMeasurement, "02 0700 EA07")
    let context = try meter.hear(.glucoseContext, "02 07")
    _ = try meter.hear(.glucoseMeasurement, "02 0800 EA070301000B00 62B0 11")
    let rest = try meter.hear(.glucoseRecordAccess, "06 00 01 01")

    #expect(broken.readings.map(\.rejection?.reason) == [.malformed])
    #expect(broken.readings.first?.payload == (try bytes("02 0700 EA07")))
    #expect(context.readings.map(\.rejection?.reason) == [.malformed])
    #expect(rest.readings.map(\.rejection?.reason) == [nil])
  }

  @Test func `subscribes anew, in order, when the meter has lost its subscriptions`() throws {
    var meter = MeterDialogue()
    _ = meter.prepare()

    #expect(
      meter.hear(.writeFailed(.glucoseRecordAccess, RequestFailure(code: 0xFD))) == [
        .subscribe(.glucoseMeasurement), .subscribe(.glucoseContext),
        .subscribe(.glucoseRecordAccess),
      ])
    #expect(meter.hear(.subscribed(.glucoseMeasurement)).isEmpty)
    #expect(meter.hear(.subscribed(.glucoseContext)).isEmpty)
    #expect(meter.hear(.subscribed(.glucoseRecordAccess)) == (try ask("01 01")))
  }

  @Test func `aborts a request in progress and asks again`() throws {
    var meter = MeterDialogue()
    _ = meter.prepare()

    #expect(
      meter.hear(.writeFailed(.glucoseRecordAccess, RequestFailure(code: 0xFE)), at: 1)
        == (try ask("03 00")))
    #expect(try meter.hear(.glucoseRecordAccess, "06 00 03 01").isEmpty)
    #expect(meter.hear(.timeReached, at: 3) == (try ask("01 01")))
  }

  @Test func `says when the meter must be paired`() throws {
    var meter = MeterDialogue()
    _ = meter.prepare()

    #expect(
      meter.hear(.writeFailed(.glucoseRecordAccess, RequestFailure(code: 0x0F))).failure
        == .notPaired)
  }

  @Test func `asks for everything where the meter does not know numbers`() throws {
    let last = try GlucoseMeasurement(payload: try bytes("02 0700 EA070301000A00 62B0 11"))
    var meter = MeterDialogue(checkpoints: [last.checkpoint(key: CheckpointKey())])

    #expect(meter.prepare() == (try ask("01 03 01 0700")))
    #expect(try meter.hear(.glucoseRecordAccess, "06 00 01 04") == (try ask("01 01")))
    for number in 6...8 {
      _ = try meter.hear(.glucoseMeasurement, "02 0\(number)00 EA070301000A00 62B0 11")
    }
    let actions = try meter.hear(.glucoseRecordAccess, "06 00 01 01")

    #expect(actions.readings.map(\.sequenceNumber) == [8])
    #expect(meter.hear(.timeReached, at: 1) == [.finish])
  }

  @Test func `fails where the meter does not support requests for records`() throws {
    var meter = MeterDialogue()
    _ = meter.prepare()

    #expect(try meter.hear(.glucoseRecordAccess, "06 00 01 02").failure == .communication)
  }

  @Test func `asks for the whole memory when its last number is near the end of all numbers`()
    throws
  {
    let last = try GlucoseMeasurement(payload: try bytes("02 00FF EA070301000A00 62B0 11"))
    var meter = MeterDialogue(checkpoints: [last.checkpoint(key: CheckpointKey())])

    #expect(meter.prepare() == (try ask("01 01")))
  }

  @Test func `waits before the first request as long as the dialect says`() throws {
    var dialect = GlucoseDialect()
    dialect.pause = .milliseconds(2500)
    var meter = MeterDialogue(dialect: dialect)

    #expect(meter.prepare().isEmpty)
    #expect(meter.deadline == .milliseconds(2500))
    #expect(meter.hear(.timeReached, at: 2).isEmpty)
    #expect(meter.hear(.timeReached, at: 2.5) == (try ask("01 01")))
  }

  @Test func `is paired when a request is accepted, or refused for anything but the bond`() throws {
    for event in [
      DriverEvent.written(.glucoseRecordAccess),
      .writeFailed(.glucoseRecordAccess, RequestFailure(code: 0xFE)),
    ] {
      var meter = MeterDialogue(purpose: .pair)
      #expect(meter.prepare() == (try ask("04 01")))
      #expect(meter.hear(event) == [.paired])
      #expect(meter.hear(.timeReached, at: 3.9).isEmpty)
      #expect(meter.hear(.timeReached, at: 4) == [.finish])
    }
  }

  @Test func `is not paired without a bond`() {
    var meter = MeterDialogue(purpose: .pair)
    _ = meter.prepare()

    #expect(
      meter.hear(.writeFailed(.glucoseRecordAccess, RequestFailure(code: 0x05))).failure
        == .notPaired)
  }

  @Test func `delivers what a meter sends by itself while it is paired, and comes no further`()
    throws
  {
    var meter = MeterDialogue(purpose: .pair)
    _ = meter.prepare()
    _ = meter.hear(.written(.glucoseRecordAccess))
    _ = try meter.hear(.glucoseMeasurement, "02 0700 EA070301000A00 62B0 11")
    let actions = meter.hear(.timeReached, at: 4)

    #expect(actions.readings.map(\.sequenceNumber) == [7])
    #expect(actions.count == 2)
    #expect(actions.last == .finish)
  }

  @Test func `never sends a forbidden request, whatever it receives`() throws {
    var generator = SeededGenerator(seed: 20_261_122)
    let frames = try Vector.all.filter { $0.char.hasPrefix("2A") }.map { try bytes($0.hex) }
    let attributes: [GATTAttribute] = [.glucoseMeasurement, .glucoseContext, .glucoseRecordAccess]
    for run in 0..<400 {
      var meter = MeterDialogue(purpose: run % 4 == 0 ? .pair : .read)
      var actions = meter.hear(.begun)
      for step in 0..<120 {
        let attribute = attributes[Int.random(in: 0..<3, using: &generator)]
        let event: DriverEvent =
          switch Int.random(in: 0..<8, using: &generator) {
          case 0: .written(attribute)
          case 1: .subscribed(attribute)
          case 2:
            .writeFailed(
              attribute, RequestFailure(code: UInt8.random(in: 0...255, using: &generator)))
          case 3: .timeReached
          default: .value(attribute, frames[Int.random(in: 0..<frames.count, using: &generator)])
          }
        actions += meter.hear(event, at: Double(step) * 0.7)
      }
      let ends = actions.indices.filter { $0 > 0 && actions[$0 - 1].isEnd }
      #expect(ends.isEmpty)
      for case .write(let attribute, let bytes) in actions {
        #expect(ForbiddenCommand.first(writing: bytes, to: attribute) == nil)
      }
    }
  }
}

extension DriverAction {
  fileprivate var isEnd: Bool {
    switch self {
    case .finish, .fail: true
    default: false
    }
  }
}
