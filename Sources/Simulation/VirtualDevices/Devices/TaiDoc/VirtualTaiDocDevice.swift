// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A device by TaiDoc: announces itself, answers frames by frames, and keeps records for its users.
///
/// It executes every command, including "erase memory", so that a driver that sends this one by
/// mistake fails the tests.
package struct VirtualTaiDocDevice: VirtualDeviceLogic {
  /// A record as it is sent.
  package struct Record: Hashable, Sendable {
    package var time: TaiDocDateTime
    /// Four bytes.
    package var value: [UInt8]

    package init(time: TaiDocDateTime, value: [UInt8]) {
      self.time = time
      self.value = value
    }
  }

  /// What distinguishes one model from another.
  package struct Model: Sendable {
    package var number: TaiDocModel
    package var serialNumber: String
    /// Records by user, oldest first; those of a device without users belong to user 0.
    package var memory: [UInt8: [Record]]
    /// How often an oximeter measures before it has a value; nil for other devices.
    package var samplesWithoutFinger: Int?
    /// Whether it answers bonded peers only.
    package var demandsBond: Bool

    package init(
      number: TaiDocModel, serialNumber: String, memory: [UInt8: [Record]],
      samplesWithoutFinger: Int? = nil, demandsBond: Bool = false
    ) {
      self.number = number
      self.serialNumber = serialNumber
      self.memory = memory
      self.samplesWithoutFinger = samplesWithoutFinger
      self.demandsBond = demandsBond
    }
  }

  private let model: Model
  private var clock: VirtualClock
  private var memory: [UInt8: [Record]]
  private var samplesWithoutFinger: Int
  private var readCount = 0

  package init(_ model: Model, clock: VirtualClock) {
    self.model = model
    self.clock = clock
    memory = model.memory
    samplesWithoutFinger = model.samplesWithoutFinger ?? 0
  }

  package var isAdvertising: Bool { true }

  package var services: [VirtualService] {
    [
      VirtualService(
        GATTAttribute.taiDoc.service,
        [
          VirtualCharacteristic(
            GATTAttribute.taiDoc.characteristic, [.write, .writeWithoutResponse, .notify],
            isProtected: model.demandsBond)
        ]),
      .deviceInformation(
        manufacturer: "TaiDoc", model: model.number.name, serialNumber: model.serialNumber,
        firmwareRevision: "V1.0"),
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number): measure(number, at: time)
    case .remember(let payloads): for payload in payloads { store(payload) }
    case .subscribed(.taiDoc):
      return [.report(.subscribed), send(TaiDocFrame(.enterCommunication, .reply))]
    case .written(.taiDoc, let bytes):
      guard let frame = try? TaiDocFrame(payload: bytes), frame.direction == .request else {
        return [.accept]
      }
      return [.accept] + answer(frame, at: time)
    case .disconnected(let allArrived):
      defer { readCount = 0 }
      return allArrived ? [.report(.transferred(measurements: readCount))] : []
    case .read, .written: return [.refuse(0x06)]
    case .pairingMode, .subscribed, .unsubscribed, .timeReached: break
    }
    return []
  }

  // MARK: - Answers

  private mutating func answer(_ frame: TaiDocFrame, at time: DriverTime) -> [VirtualDeviceOutput] {
    switch frame.command {
    case .readModel: return reply(model.number.payload, to: frame)
    case .readClock:
      let shown = try? TaiDocDateTime(clock.time(at: time))
      return shown.map { reply($0.payload, to: frame) } ?? []
    case .setClock: return setClock(frame, at: time)
    case .readRecordCount:
      let count = records(of: frame.data[0]).count
      return reply([UInt8(truncatingIfNeeded: count), UInt8(count >> 8 & 0xFF), 0, 0], to: frame)
    case .readRecordTime:
      return record(frame).map { reply($0.time.payload, to: frame) } ?? []
    case .readRecordValue:
      readCount += 1
      return record(frame).map { reply($0.value, to: frame) } ?? []
    case .readCurrentOximetry: return reply(currentOximetry(), to: frame)
    case .eraseMemory:
      memory = [:]
      return reply(frame.data, to: frame)
    default: return []
    }
  }

  private mutating func setClock(_ frame: TaiDocFrame, at time: DriverTime) -> [VirtualDeviceOutput]
  {
    guard let shown = (try? TaiDocDateTime(payload: frame.data))?.dateTime?.localDateTime,
      clock.set(shown, at: time)
    else { return [] }
    return reply(frame.data, to: frame) + [.report(.clockSet)]
  }

  /// The newest record has the index 0.
  private func record(_ frame: TaiDocFrame) -> Record? {
    let records = records(of: frame.data[3])
    let index = records.count - 1 - (Int(frame.data[0]) | Int(frame.data[1]) << 8)
    return records.indices.contains(index) ? records[index] : nil
  }

  /// A device without users has the same memory for each.
  private func records(of user: UInt8) -> [Record] { memory[0] ?? memory[user] ?? [] }

  private mutating func currentOximetry() -> [UInt8] {
    guard model.samplesWithoutFinger != nil, samplesWithoutFinger == 0 else {
      samplesWithoutFinger -= samplesWithoutFinger > 0 ? 1 : 0
      return TaiDocOximetryValue(saturation: 0, pulseRate: 0).payload
    }
    return TaiDocOximetryValue(saturation: 97, pulseRate: 72).payload
  }

  private func reply(_ data: [UInt8], to frame: TaiDocFrame) -> [VirtualDeviceOutput] {
    guard data.count == 4 else { return [] }
    return [send(TaiDocFrame(frame.command, .reply, data[0], data[1], data[2], data[3]))]
  }

  private func send(_ frame: TaiDocFrame) -> VirtualDeviceOutput { .send(.taiDoc, frame.payload) }

  // MARK: - Measurements

  /// A measurement of this moment with plausible values.
  private mutating func measure(_ number: Int, at time: DriverTime) {
    guard let shown = try? TaiDocDateTime(clock.time(at: time)) else { return }
    let value: [UInt8]
    switch model.number.kind {
    case .bloodPressure:
      value = [108 + number * 7 % 34, 84 + number * 3 % 20, 66 + number * 5 % 16, 56 + number % 28]
        .map { UInt8($0) }
    case .temperature:
      value =
        TaiDocTemperatureValue(temperature: UInt16(362 + number * 3 % 9), ambient: 224).payload
    case .oximetry:
      samplesWithoutFinger = 0
      return
    case .glucose, nil:
      value = TaiDocGlucoseValue(milligramsPerDeciliter: UInt16(88 + number * 13 % 74)).payload
    }
    let user: UInt8 = memory[0] == nil ? 1 : 0
    memory[user, default: []].append(Record(time: shown, value: value))
  }

  package mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    guard let value = value(of: measurement.values),
      let shown = try? TaiDocDateTime(clock.time(at: time))
    else { return nil }
    let user = memory[0] == nil ? measurement.user ?? 1 : 0
    memory[user, default: []].append(Record(time: shown, value: value))
    return []
  }

  package mutating func eraseMeasurements() { memory = memory.mapValues { _ in [] } }

  /// The four bytes of given values; nil for those that it does not measure.
  private func value(of values: VirtualMeasurement.Values) -> [UInt8]? {
    switch (model.number.kind, values) {
    case (.bloodPressure, .bloodPressure(let systolic, let diastolic, let pulse)):
      let mean = diastolic + (systolic - diastolic) / 3
      let bytes = [systolic, mean, diastolic, pulse].compactMap(UInt8.init(exactly:))
      return bytes.count == 4 ? bytes : nil
    case (.temperature, .temperature(let celsius)):
      return UInt16(exactly: (celsius * 10).rounded())
        .map { TaiDocTemperatureValue(temperature: $0, ambient: 224).payload }
    case (.glucose, .glucose(let milligrams, nil)):
      return UInt16(exactly: milligrams)
        .map { TaiDocGlucoseValue(milligramsPerDeciliter: $0).payload }
    default: return nil
    }
  }

  /// Stores four bytes of time and four of value for user 1, or for the only user.
  private mutating func store(_ payload: [UInt8]) {
    guard payload.count == 8, let time = try? TaiDocDateTime(payload: payload.prefix(4)) else {
      return
    }
    let user: UInt8 = memory[0] == nil ? 1 : 0
    memory[user, default: []].append(Record(time: time, value: Array(payload.suffix(4))))
  }
}

extension VirtualTaiDocDevice: DatedMemory {
  var measurementTimes: [Int] {
    memory.values.joined().compactMap { $0.time.dateTime?.secondsSince1970 }
  }

  mutating func moveMeasurements(bySeconds seconds: Int) {
    memory = memory.mapValues { records in records.map { $0.moved(bySeconds: seconds) } }
  }
}

extension VirtualTaiDocDevice.Record {
  fileprivate func moved(bySeconds seconds: Int) -> Self {
    guard let shown = time.dateTime?.secondsSince1970,
      let moved = try? TaiDocDateTime(LocalDateTime(secondsSince1970: shown + seconds))
    else { return self }
    return Self(time: moved, value: value)
  }
}
