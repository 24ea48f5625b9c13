// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A OneTouch meter by LifeScan: bonds, answers one request at a time, and numbers its records.
///
/// It does not answer a request before its last answer was acknowledged, or a request of the other
/// family.
package struct VirtualOneTouchMeter: VirtualDeviceLogic {
  /// What distinguishes one model from another.
  package struct Model: Hashable, Sendable {
    package var family: OneTouchFrame.Family
    package var model: String
    package var serialNumber: String
    /// Whether Device Information includes the serial number.
    package var includesSerialNumber: Bool
    /// The number of the first record in the memory.
    package var firstRecordID: UInt16
    /// Records, oldest first.
    package var memory: [OneTouchRecord]
  }

  private static let secondsFrom1970To2000 = 946_684_800
  private static let successReply = OneTouchReply()

  private let model: Model
  private var clock: VirtualClock
  private var memory: [OneTouchRecord]
  private var transport = OneTouchTransport(.meter)
  private var isSubscribed = false
  private var lastRequest: OneTouchFrame?
  private var readCount = 0

  package init(_ model: Model, clock: VirtualClock) {
    self.model = model
    self.clock = clock
    memory = model.memory
  }

  package var isAdvertising: Bool { true }

  package var services: [VirtualService] {
    let information = [
      VirtualCharacteristic("2A29", text: "LifeScan"),
      VirtualCharacteristic("2A24", text: model.model),
    ]
    let serialNumber = VirtualCharacteristic("2A25", text: model.serialNumber)
    return [
      VirtualService(
        GATTAttribute.oneTouchRequest.service,
        [
          VirtualCharacteristic(
            GATTAttribute.oneTouchRequest.characteristic, .write, isProtected: true),
          VirtualCharacteristic(
            GATTAttribute.oneTouchReply.characteristic, .notify, isProtected: true),
        ]),
      VirtualService("180A", information + (model.includesSerialNumber ? [serialNumber] : [])),
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      memory.append(record(UInt16(88 + number * 13 % 74), at: time))
    case .remember(let payloads):
      memory += payloads.compactMap { try? OneTouchRecord(payload: $0) }
    case .subscribed(.oneTouchReply):
      isSubscribed = true
      return [.report(.subscribed)]
    case .written(.oneTouchRequest, let bytes): return [.accept] + received(bytes, at: time)
    case .disconnected(let allArrived): return disconnected(allArrived: allArrived)
    case .read, .written: return [.refuse(0x06)]
    case .pairingMode, .subscribed, .unsubscribed, .timeReached: break
    }
    return []
  }

  package mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    guard case .glucose(let milligrams, let meal) = measurement.values,
      (20...600).contains(milligrams)
    else { return nil }
    let mark = meal.map { $0 == .before ? OneTouchRecord.Meal.before : .after }
    memory.append(record(UInt16(milligrams), mark ?? .none, at: time))
    return []
  }

  package mutating func eraseMeasurements() { memory = [] }

  private mutating func disconnected(allArrived: Bool) -> [VirtualDeviceOutput] {
    defer {
      transport = OneTouchTransport(.meter)
      isSubscribed = false
      lastRequest = nil
      readCount = 0
    }
    return allArrived ? [.report(.transferred(measurements: readCount))] : []
  }

  private mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [VirtualDeviceOutput] {
    guard isSubscribed, let outputs = try? transport.received(bytes) else { return [] }
    var sent: [VirtualDeviceOutput] = []
    for output in outputs {
      switch output {
      case .send(let bytes): sent.append(.send(.oneTouchReply, bytes))
      case .received(let frame): sent += answer(frame, at: time)
      }
    }
    return sent
  }

  private mutating func answer(_ frame: OneTouchFrame, at time: DriverTime) -> [VirtualDeviceOutput]
  {
    guard frame.family == model.family,
      transport.unacknowledgedCount == 0 || frame == lastRequest
    else { return [] }
    lastRequest = frame
    let (reply, events) = reply(to: try? OneTouchRequest(message: frame.message), at: time)
    guard let answer = try? OneTouchFrame(model.family, message: reply.payload),
      let block = try? transport.send(answer)
    else { return [] }
    return [.send(.oneTouchReply, block)] + events
  }

  private mutating func reply(
    to request: OneTouchRequest?, at time: DriverTime
  ) -> (OneTouchReply, [VirtualDeviceOutput]) {
    switch request {
    case .readClock:
      let seconds = clock.secondsSince1970(at: time) - Self.secondsFrom1970To2000
      return (.number(UInt32(clamping: seconds)), [])
    case .setClock(let seconds):
      let isSet = clock.set(LocalDateTime(secondsSince2000: seconds), at: time)
      return isSet ? (Self.successReply, [.report(.clockSet)]) : (OneTouchReply(.invalidValue), [])
    case .newestRecordID:
      return (.number(UInt32(model.firstRecordID) + UInt32(memory.count) - 1), [])
    case .recordCount: return (.recordCount(UInt16(clamping: memory.count)), [])
    case .record(let id): return (record(id), [])
    case .text(.serialNumber): return (OneTouchReply(text: model.serialNumber), [])
    case .text(.model): return (OneTouchReply(text: model.model), [])
    case .text, nil: return (OneTouchReply(.unsupported), [])
    }
  }

  private mutating func record(_ id: UInt16) -> OneTouchReply {
    let index = Int(id) - Int(model.firstRecordID)
    guard memory.indices.contains(index) else { return Self.successReply }
    readCount += 1
    return OneTouchReply(body: memory[index].payload)
  }

  /// A test of a moment.
  private func record(
    _ milligrams: UInt16, _ meal: OneTouchRecord.Meal = .none, at time: DriverTime
  ) -> OneTouchRecord {
    let seconds = clock.secondsSince1970(at: time) - Self.secondsFrom1970To2000
    return OneTouchRecord(
      secondsSince2000: UInt32(clamping: seconds), milligramsPerDeciliter: milligrams, meal: meal)
  }
}

extension VirtualOneTouchMeter: DatedMemory {
  var measurementTimes: [Int] {
    memory.map { Int($0.secondsSince2000) + Self.secondsFrom1970To2000 }
  }

  mutating func moveMeasurements(bySeconds seconds: Int) {
    memory = memory.map { record in
      var writer = PayloadWriter()
      writer.uint32(UInt32(clamping: Int(record.secondsSince2000) + seconds))
      writer.append(record.payload.dropFirst(4))
      return (try? OneTouchRecord(payload: writer.bytes)) ?? record
    }
  }
}

extension OneTouchReply {
  fileprivate static func number(_ number: UInt32) -> OneTouchReply {
    var writer = PayloadWriter()
    writer.uint32(number)
    return OneTouchReply(body: writer.bytes)
  }

  fileprivate static func recordCount(_ count: UInt16) -> OneTouchReply {
    var writer = PayloadWriter()
    writer.uint16(count)
    return OneTouchReply(body: writer.bytes)
  }
}

extension VirtualDeviceModel {
  /// The OneTouch Verio Flex: bonds, has a settable clock, numbers its records.
  ///
  /// Its records are composed; among them is a test of the control solution.
  package static let oneTouchVerioFlex = VirtualDeviceModel(
    id: "onetouch-verio-flex",
    summary: "OneTouch Verio Flex: bonds, has a settable clock, numbers its records.",
    peripheralID: 10_250, advertisedName: "OneTouch J7RG",
    advertisedServices: [GATTAttribute.oneTouchRequest.service], readingCount: 4
  ) { clock in
    VirtualOneTouchMeter(
      .init(
        family: .verio, model: "OneTouch Verio Flex", serialNumber: "ZXCVJ7RG",
        includesSerialNumber: true, firstRecordID: 41,
        memory: [
          // 2026-03-25 07:12:30, before a meal
          OneTouchRecord(
            secondsSince2000: 827_737_950, milligramsPerDeciliter: 104, meal: .before),
          // 2026-03-25 09:30:00, after a meal
          OneTouchRecord(secondsSince2000: 827_746_200, milligramsPerDeciliter: 151, meal: .after),
          // 2026-03-26 07:05:10, the control solution
          OneTouchRecord(
            secondsSince2000: 827_823_910, milligramsPerDeciliter: 118, isControlSolution: true),
          // 2026-03-26 07:09:45
          OneTouchRecord(secondsSince2000: 827_824_185, milligramsPerDeciliter: 97),
          // 2026-03-26 22:40:00, above what the meter can measure
          OneTouchRecord(secondsSince2000: 827_880_000, milligramsPerDeciliter: 601),
        ]), clock: clock)
  }

  /// The OneTouch Select Plus Flex: as the Verio Flex, with frames of its own family.
  ///
  /// The first record has the time and the value of one that a real meter sent (sivulich/
  /// AppiaGlucometers, section 5.1.10 of its document); the others are composed.
  package static let oneTouchSelectPlusFlex = VirtualDeviceModel(
    id: "onetouch-select-plus-flex",
    summary: "OneTouch Select Plus Flex: like the Verio Flex; replays a real record.",
    peripheralID: 10_250, advertisedName: "OneTouch L3K2",
    advertisedServices: [GATTAttribute.oneTouchRequest.service], readingCount: 3
  ) { clock in
    VirtualOneTouchMeter(
      .init(
        family: .selectPlus, model: "OneTouch Select Plus Flex", serialNumber: "OTSPFX0041L3K2",
        includesSerialNumber: false, firstRecordID: 1,
        memory: [
          // 2020-06-03 20:02:19
          OneTouchRecord(secondsSince2000: 644_529_739, milligramsPerDeciliter: 168),
          // 2020-06-04 06:50:00
          OneTouchRecord(
            secondsSince2000: 644_568_600, milligramsPerDeciliter: 92, meal: .before),
          // 2020-06-04 08:55:00
          OneTouchRecord(secondsSince2000: 644_576_100, milligramsPerDeciliter: 137, meal: .after),
        ]), clock: clock)
  }

  static let oneTouchDevices = [oneTouchVerioFlex, oneTouchSelectPlusFlex]
}
