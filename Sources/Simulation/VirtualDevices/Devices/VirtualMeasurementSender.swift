// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
package import HealthGATT

/// A device that stores its measurements and sends them, oldest first, to each subscriber: a blood
/// pressure monitor, a thermometer, a weight scale, an oximeter with a memory.
///
/// Like real ones it advertises after a measurement and in pairing mode.
package struct VirtualMeasurementSender: VirtualDeviceLogic {
  /// What distinguishes one model from another.
  package struct Model: Sendable {
    /// Device Information, and the battery.
    package var information: [VirtualService]
    /// The characteristic that notifies measurements.
    package var measurement: GATTAttribute
    /// The other characteristics of that service.
    package var constants: [VirtualCharacteristic] = []
    /// The clock's characteristic, if it has one.
    package var clock: GATTAttribute?
    /// Whether measurements and the clock require a bond.
    package var demandsBond = true
    /// Whether measurements are erased once they were sent; otherwise all are sent each time.
    package var erasesSentMeasurements = true
    /// Payloads, oldest first.
    package var memory: [[UInt8]]
    /// A measurement of this moment; the numbers count from 1.
    package var measure: @Sendable (_ number: Int, _ time: LocalDateTime) -> [UInt8]
    /// A measurement of given values; nil where it has none of such values.
    package var encode: @Sendable (VirtualMeasurement, _ time: LocalDateTime) -> [UInt8]? = {
      _, _ in nil
    }
  }

  private let model: Model
  private var clock: VirtualClock
  private var memory: [[UInt8]]
  /// How many of them the subscriber is sent.
  private var sentCount = 0
  private var isPairing = false

  package init(_ model: Model, clock: VirtualClock) {
    self.model = model
    self.clock = clock
    memory = model.memory
  }

  package var isAdvertising: Bool { isPairing || !memory.isEmpty }

  package var services: [VirtualService] {
    let measurement = VirtualCharacteristic(
      model.measurement.characteristic, .indicate, isProtected: model.demandsBond)
    let clock = model.clock.map {
      VirtualCharacteristic($0.characteristic, [.read, .write], isProtected: model.demandsBond)
    }
    return [
      VirtualService(
        model.measurement.service, [measurement] + (clock.map { [$0] } ?? []) + model.constants)
    ] + model.information
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      memory.append(model.measure(number, clock.time(at: time)))
      return []
    case .remember(let payloads):
      memory += payloads
      return []
    case .pairingMode:
      isPairing = true
      return []
    case .subscribed(model.measurement):
      sentCount = memory.count
      return [.report(.subscribed)] + memory.map { .send(model.measurement, $0) }
    case .disconnected(let allArrived): return disconnected(allArrived)
    case .read(let attribute) where attribute == model.clock:
      return [.answer(Timestamp(clock.time(at: time)).bytes)]
    case .written(let attribute, let bytes) where attribute == model.clock:
      return [clock.write(bytes, at: time)]
    case .read, .written: return [.refuse(0x06)]
    case .subscribed, .unsubscribed, .timeReached: return []
    }
  }

  package mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    guard let payload = model.encode(measurement, clock.time(at: time)) else { return nil }
    memory.append(payload)
    return []
  }

  package mutating func eraseMeasurements() {
    memory = []
    sentCount = 0
  }

  private mutating func disconnected(_ allArrived: Bool) -> [VirtualDeviceOutput] {
    defer { sentCount = 0 }
    guard allArrived else { return [] }
    if model.erasesSentMeasurements { memory.removeFirst(sentCount) }
    isPairing = false
    return [.report(.transferred(measurements: sentCount))]
  }
}

extension VirtualClock {
  /// A central writes Date Time (2A08) or Current Time (2A2B).
  mutating func write(_ bytes: [UInt8], at time: DriverTime) -> VirtualDeviceOutput {
    guard [7, 10].contains(bytes.count) else { return .refuse(0x0D) }
    guard let shown = (try? DateTime(payload: bytes.prefix(7)))?.localDateTime,
      set(shown, at: time)
    else { return .refuse(0x0E) }
    return .report(.clockSet)
  }
}

extension VirtualMeasurementSender: DatedMemory {
  var measurementTimes: [Int] {
    memory.compactMap { payload in timeOffset(in: payload).flatMap(payload.seconds(at:)) }
  }

  mutating func moveMeasurements(bySeconds seconds: Int) {
    for index in memory.indices {
      guard let offset = timeOffset(in: memory[index]) else { continue }
      memory[index].moveTime(at: offset, bySeconds: seconds)
    }
  }

  /// The offset of a payload's time; nil for a payload without one.
  private func timeOffset(in payload: [UInt8]) -> Int? {
    guard payload.hasTimestamp else { return nil }
    switch model.measurement {
    case .bloodPressureMeasurement: return 7
    case .temperatureMeasurement: return 5
    case .weightMeasurement: return 3
    default: return nil
    }
  }
}
