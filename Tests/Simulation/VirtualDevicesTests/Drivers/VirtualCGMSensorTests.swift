// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices

@Suite struct `Virtual CGM sensor` {
  @Test func `requires the subscriptions before a request`() {
    var sensor = Sensor()
    #expect(sensor.write(.cgmRecordAccess, [0x01, 0x01]) == [.refuse(0xFD)])
    #expect(sensor.write(.cgmSpecificOps, [0x02]) == [.refuse(0xFD)])
    _ = sensor.input(.subscribed(.cgmMeasurement))
    #expect(sensor.write(.cgmRecordAccess, [0x01, 0x01]) == [.refuse(0xFD)])
    sensor.subscribe()

    #expect(sensor.write(.cgmRecordAccess, [0x01, 0x01]) == [.accept])
  }

  @Test func `sends as many records at once as a notification holds, and the end`() throws {
    var sensor = Sensor()
    sensor.subscribe()
    _ = sensor.write(.cgmRecordAccess, [0x01, 0x01])
    let sent = sensor.run()
    let records = try sent.dropLast().map { try CGMMeasurement(payload: $0.bytes).records.count }

    #expect(records == [2, 2, 2, 2])
    #expect(sent.allSatisfy { $0.bytes.count <= 20 })
    #expect(sent.last?.bytes == [0x06, 0x00, 0x01, 0x01])
  }

  @Test(
    arguments: [
      ([0x04, 0x01], [0x05, 0, 8, 0]), ([0x04, 0x03, 1, 30, 0], [0x05, 0, 3, 0]),
      ([0x04, 0x02, 1, 30, 0], [0x05, 0, 6, 0]), ([0x04, 0x04, 1, 10, 0, 20, 0], [0x05, 0, 3, 0]),
      ([0x04, 0x05], [0x05, 0, 1, 0]), ([0x04, 0x03, 1, 99, 0], [0x05, 0, 0, 0]),
      ([0x01, 0x03, 1, 99, 0], [0x06, 0, 1, 6]), ([0x02, 0x01], [0x06, 0, 2, 2]),
      ([0x01, 0x00], [0x06, 0, 1, 3]), ([0x01, 0x07], [0x06, 0, 1, 4]),
      ([0x01, 0x01, 0x01], [0x06, 0, 1, 5]),
      ([0x01, 0x03, 2, 0xEA, 7, 3, 1, 0, 0, 0], [0x06, 0, 1, 9]), ([], [0x06, 0, 0, 5]),
    ] as [([UInt8], [UInt8])])
  func `answers requests for records by their minutes`(request: [UInt8], answer: [UInt8]) {
    var sensor = Sensor()
    sensor.subscribe()

    #expect(
      sensor.write(.cgmRecordAccess, request) == [.accept, .send(.cgmRecordAccess, answer)])
  }

  @Test func `performs one request at a time and aborts it on request`() {
    var sensor = Sensor()
    sensor.subscribe()
    _ = sensor.write(.cgmRecordAccess, [0x01, 0x01])

    #expect(sensor.write(.cgmRecordAccess, [0x01, 0x01]) == [.refuse(0xFE)])
    #expect(
      sensor.write(.cgmRecordAccess, [0x03, 0x00]) == [
        .accept, .send(.cgmRecordAccess, [0x06, 0x00, 0x03, 0x01]),
      ])
    #expect(sensor.run().isEmpty)
  }

  @Test func `has no start time until it is given the time`() {
    var sensor = Sensor()
    #expect(sensor.input(.read(.cgmStatus)) == [.answer([60, 0, 0, 1, 0])])
    #expect(
      sensor.input(.read(.cgmSessionStartTime)) == [.answer([0, 0, 0, 0, 0, 0, 0, 0, 0])])
    #expect(
      sensor.write(.cgmSessionStartTime, [0xEA, 7, 3, 29, 14, 0, 0, 8, 0])
        == [.accept, .report(.clockSet)])

    #expect(
      sensor.input(.read(.cgmSessionStartTime)) == [.answer([0xEA, 7, 3, 29, 13, 0, 0, 8, 0])])
    #expect(sensor.input(.read(.cgmStatus)) == [.answer([60, 0, 0, 0, 0])])
    #expect(sensor.write(.cgmSessionStartTime, [1]) == [.refuse(0x0E)])
    #expect(
      sensor.write(.cgmSessionStartTime, [0, 0, 0, 0, 0, 0, 0, 0, 0]) == [.refuse(0x0E)])
  }

  @Test func `wants a check where it sends them`() {
    var sensor = Sensor(.protectedCGMSensor)
    sensor.subscribe()
    #expect(
      sensor.write(.cgmSessionStartTime, [0xEA, 7, 3, 29, 12, 0, 0, 0, 0]) == [.refuse(0x80)])
    #expect(
      sensor.write(.cgmSessionStartTime, [0xEA, 7, 3, 29, 12, 0, 0, 0, 0, 0x9A, 0x4C])
        == [.refuse(0x81)])
    #expect(
      sensor.write(.cgmSessionStartTime, [0xEA, 7, 3, 29, 12, 0, 0, 0, 0, 0x9A, 0x4B])
        == [.accept, .report(.clockSet)])
    #expect(sensor.write(.cgmSpecificOps, [0x1B]) == [.refuse(0x80)])
    #expect(sensor.write(.cgmSpecificOps, [0x1B, 0xD5, 0xA2]) == [.refuse(0x81)])
    #expect(
      sensor.write(.cgmSpecificOps, [0x02, 0x95, 0x2C]).last
        == .send(.cgmSpecificOps, [0x03, 0x05, 0x7D, 0x8D]))
  }

  @Test func `performs all operations of its control point`() {
    var sensor = Sensor()
    sensor.subscribe()
    func answer(_ bytes: [UInt8]) -> [VirtualDeviceOutput] {
      [.accept, .send(.cgmSpecificOps, bytes)]
    }
    let dialogue: [(request: [UInt8], answer: [UInt8])] = [
      ([0x01, 1], [0x1C, 0x01, 1]), ([0x02], [0x03, 1]), ([0x01], [0x1C, 0x01, 3]),
      ([0x05, 0xFF, 0xFF], [0x1C, 0x05, 5]),
      ([0x04, 100, 0, 60, 0, 0x12, 0, 0, 0, 0, 0], [0x1C, 0x04, 1]),
      ([0x05, 0xFF, 0xFF], [0x06, 100, 0, 60, 0, 0x12, 0, 0, 1, 0, 0]),
      ([0x05, 1, 0], [0x06, 100, 0, 60, 0, 0x12, 0, 0, 1, 0, 0]),
      ([0x05, 2, 0], [0x1C, 0x05, 5]), ([0x08], [0x1C, 0x08, 4]),
      ([0x07, 180, 0], [0x1C, 0x07, 1]), ([0x08], [0x09, 180, 0]),
      ([0x16, 20, 0xF0], [0x1C, 0x16, 1]), ([0x17], [0x18, 20, 0xF0]),
      ([0x19], [0x1C, 0x19, 1]), ([0x03, 1], [0x1C, 0x03, 2]), ([0x63], [0x1C, 0x63, 2]),
      ([], [0x1C, 0, 3]), ([0x1A], [0x1C, 0x1A, 4]), ([0x1B], [0x1C, 0x1B, 1]),
      ([0x1B], [0x1C, 0x1B, 4]), ([0x1A], [0x1C, 0x1A, 1]),
    ]
    for (request, expected) in dialogue {
      #expect(sensor.write(.cgmSpecificOps, request) == answer(expected), "\(request)")
    }
    // The session is a new one, without records.
    #expect(sensor.input(.read(.cgmStatus)) == [.answer([0, 0, 0, 1, 0])])
    #expect(
      sensor.write(.cgmRecordAccess, [0x01, 0x01]).last
        == .send(.cgmRecordAccess, [0x06, 0, 1, 6]))
  }

  @Test func `notifies what is measured while it is connected, but not after its session`() throws {
    var sensor = Sensor()
    #expect(sensor.input(.measure(number: 1)).isEmpty)
    sensor.subscribe()
    #expect(
      sensor.input(.measure(number: 2)) == [.send(.cgmMeasurement, [6, 0, 108, 0, 61, 0])])
    _ = sensor.write(.cgmSpecificOps, [0x1B])

    #expect(sensor.input(.measure(number: 3)).isEmpty)
    #expect(sensor.input(.read(.cgmStatus)) == [.answer([61, 0, 1, 1, 0])])
  }

  @Test func `advertises until its newest record was sent`() {
    var sensor = Sensor()
    #expect(sensor.isAdvertising)
    sensor.subscribe()
    _ = sensor.write(.cgmRecordAccess, [0x01, 0x01])
    _ = sensor.input(.disconnected(allArrived: false))
    #expect(sensor.isAdvertising)

    sensor.subscribe()
    _ = sensor.write(.cgmRecordAccess, [0x01, 0x01])
    _ = sensor.run()
    #expect(
      sensor.input(.disconnected(allArrived: true)) == [.report(.transferred(measurements: 8))])
    #expect(!sensor.isAdvertising)
    _ = sensor.input(.measure(number: 1))
    #expect(sensor.isAdvertising)
  }
}

/// A virtual sensor and its clock.
private struct Sensor {
  private var logic: any VirtualDeviceLogic
  private var time = DriverBench.noon

  init(_ model: VirtualDeviceModel = .cgmSensor) {
    logic = model.make(VirtualClock())
  }

  var isAdvertising: Bool { logic.isAdvertising }

  mutating func input(_ input: VirtualDeviceInput) -> [VirtualDeviceOutput] {
    logic.handle(input, at: time)
  }

  mutating func write(_ attribute: GATTAttribute, _ bytes: [UInt8]) -> [VirtualDeviceOutput] {
    input(.written(attribute, bytes))
  }

  mutating func subscribe() {
    for attribute in [GATTAttribute.cgmMeasurement, .cgmRecordAccess, .cgmSpecificOps] {
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
