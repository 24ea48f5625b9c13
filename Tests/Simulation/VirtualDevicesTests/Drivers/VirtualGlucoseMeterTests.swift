// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices

@Suite struct `Virtual glucose meter` {
  @Test func `requires all subscriptions before a request`() {
    var meter = Meter()
    #expect(meter.write([0x01, 0x01]) == [.refuse(0xFD)])
    _ = meter.input(.subscribed(.glucoseMeasurement))
    _ = meter.input(.subscribed(.glucoseContext))
    #expect(meter.write([0x01, 0x01]) == [.refuse(0xFD)])
    _ = meter.input(.subscribed(.glucoseRecordAccess))

    #expect(meter.write([0x01, 0x01]) == [.accept])
  }

  @Test func `sends one record after the other, its context after it, and the end`() throws {
    var meter = Meter()
    meter.subscribe()
    _ = meter.write([0x01, 0x01])
    let sent = meter.run()

    #expect(sent.map(\.attribute.characteristic).prefix(4) == ["2A18", "2A18", "2A34", "2A18"])
    #expect(sent.count == 9)
    #expect(sent.last?.bytes == [0x06, 0x00, 0x01, 0x01])
    #expect(meter.elapsed == .milliseconds(180))
  }

  @Test func `performs one request at a time and aborts it on request`() {
    var meter = Meter()
    meter.subscribe()
    _ = meter.write([0x01, 0x01])

    #expect(meter.write([0x01, 0x01]) == [.refuse(0xFE)])
    #expect(
      meter.write([0x03, 0x00]) == [
        .accept, .send(.glucoseRecordAccess, [0x06, 0x00, 0x03, 0x01]),
      ])
    #expect(meter.run().isEmpty)
    #expect(meter.write([0x01, 0x06]) == [.accept])
  }

  @Test(
    arguments: [
      ([0x04, 0x01], [0x05, 0, 6, 0]), ([0x04, 0x03, 1, 9, 0], [0x05, 0, 4, 0]),
      ([0x04, 0x02, 1, 9, 0], [0x05, 0, 3, 0]), ([0x04, 0x04, 1, 8, 0, 12, 0], [0x05, 0, 2, 0]),
      ([0x04, 0x05], [0x05, 0, 1, 0]), ([0x04, 0x03, 1, 99, 0], [0x05, 0, 0, 0]),
      ([0x01, 0x03, 1, 99, 0], [0x06, 0, 1, 6]), ([0x02, 0x01], [0x06, 0, 2, 2]),
      ([0x07, 0x01], [0x06, 0, 7, 2]), ([0x63, 0x01], [0x06, 0, 0x63, 2]),
      ([0x01, 0x00], [0x06, 0, 1, 3]), ([0x01, 0x07], [0x06, 0, 1, 4]),
      ([0x01, 0x01, 0x01], [0x06, 0, 1, 5]), ([0x01, 0x03], [0x06, 0, 1, 5]),
      ([0x01, 0x03, 2, 0xEA, 7, 3, 1, 0, 0, 0], [0x06, 0, 1, 9]), ([], [0x06, 0, 0, 5]),
    ] as [([UInt8], [UInt8])])
  func `answers as the Glucose Service specifies`(request: [UInt8], answer: [UInt8]) {
    var meter = Meter()
    meter.subscribe()

    #expect(meter.write(request) == [.accept, .send(.glucoseRecordAccess, answer)])
  }

  @Test func `advertises until its newest record was sent`() {
    var meter = Meter()
    #expect(meter.isAdvertising)
    meter.subscribe()
    _ = meter.write([0x01, 0x01])
    _ = meter.input(.disconnected(allArrived: false))
    #expect(meter.isAdvertising)

    meter.subscribe()
    _ = meter.write([0x01, 0x01])
    _ = meter.run()
    #expect(
      meter.input(.disconnected(allArrived: true)) == [.report(.transferred(measurements: 6))])
    #expect(!meter.isAdvertising)
    _ = meter.input(.measure(number: 1))
    #expect(meter.isAdvertising)
  }

  @Test func `stamps records with the base time and the user's time as an offset`() throws {
    var meter = Meter(.accuChekGuide, clock: VirtualClock(offsetSeconds: -3600))
    let noon = try DateTime(year: 2026, month: 3, day: 29, hours: 14, minutes: 0, seconds: 0)
    #expect(
      meter.input(.written(.glucoseDateTime, noon.payload)) == [.accept, .report(.clockSet)])
    _ = meter.input(.measure(number: 1))
    meter.subscribe()
    _ = meter.write([0x01, 0x06])
    let record = try GlucoseMeasurement(payload: try #require(meter.run().first).bytes)

    #expect(record.baseTime.dateTime?.hours == 13)
    #expect(record.timeOffset == 60)
    #expect(record.userFacingTime == noon)
    #expect(meter.input(.written(.glucoseDateTime, [1])) == [.refuse(0x0E)])
    #expect(meter.input(.read(.currentTime)) == [.refuse(0x06)])
  }
}

/// A virtual meter and its clock.
private struct Meter {
  private var logic: any VirtualDeviceLogic
  private var time = DriverBench.noon

  init(_ model: VirtualDeviceModel = .glucoseMeter, clock: VirtualClock = VirtualClock()) {
    logic = model.make(clock)
  }

  var isAdvertising: Bool { logic.isAdvertising }
  var elapsed: Duration { time.elapsed }

  mutating func input(_ input: VirtualDeviceInput) -> [VirtualDeviceOutput] {
    logic.handle(input, at: time)
  }

  mutating func write(_ bytes: [UInt8]) -> [VirtualDeviceOutput] {
    input(.written(.glucoseRecordAccess, bytes))
  }

  mutating func subscribe() {
    for attribute in [GATTAttribute.glucoseMeasurement, .glucoseContext, .glucoseRecordAccess] {
      _ = input(.subscribed(attribute))
    }
  }

  /// Lets it send all that it has to send.
  mutating func run() -> [(attribute: GATTAttribute, bytes: [UInt8])] {
    var sent: [(GATTAttribute, [UInt8])] = []
    while let deadline = logic.deadline {
      time.elapsed = deadline
      for case .send(let attribute, let bytes) in input(.timeReached) {
        sent.append((attribute, bytes))
      }
    }
    return sent
  }
}
