// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// The clock of a virtual glucose meter: what its records are stamped with, and what its user sees.
///
/// The first never changes when the second is set; the difference is the Time Offset of the
/// records.
struct VirtualMeterClock: Sendable {
  private let kind: VirtualGlucoseMeter.Clock
  private var base: VirtualClock
  private var shown: VirtualClock
  /// Ascensia's meters are told universal time and offset apart.
  private var offsetMinutes: Int16?

  init(_ kind: VirtualGlucoseMeter.Clock, _ clock: VirtualClock) {
    self.kind = kind
    base = clock
    shown = clock
  }

  /// What is in the Glucose Service.
  var glucoseCharacteristics: [VirtualCharacteristic] {
    kind == .dateTime ? [VirtualCharacteristic("2A08", [.read, .write], isProtected: true)] : []
  }

  /// What is in services of its own.
  var services: [VirtualService] {
    switch kind {
    case .none, .dateTime: []
    case .currentTime:
      [
        VirtualService(
          "1805", [VirtualCharacteristic("2A2B", [.read, .write], isProtected: true)])
      ]
    case .contour:
      [
        VirtualService(
          Attribute.contourClock.service,
          [
            VirtualCharacteristic("00001022-0002-11E2-9E96-0800200C9A66", .notify),
            VirtualCharacteristic("00001025-0002-11E2-9E96-0800200C9A66", .notify),
            VirtualCharacteristic(
              Attribute.contourClock.characteristic, .write, isProtected: true),
          ])
      ]
    case .careSens:
      [
        VirtualService(
          Attribute.careSensClock.service,
          [
            VirtualCharacteristic(
              Attribute.careSensClock.characteristic, [.write, .notify], isProtected: true)
          ])
      ]
    }
  }

  /// What a record of this moment is stamped with.
  func stamp(at time: DriverTime) -> (base: Timestamp?, offset: Int16?) {
    let moved = ((shown.offsetSeconds - base.offsetSeconds) / 60).rounded()
    let offset = offsetMinutes ?? Int16(exactly: moved)
    return (base.time(at: time).map { Timestamp($0) }, offset == 0 ? nil : offset)
  }

  /// Takes a request; nil when it is for another attribute.
  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    switch (kind, input) {
    case (.dateTime, .read(.glucoseDateTime)):
      [.answer(shown.time(at: time)?.payload ?? [])]
    case (.dateTime, .written(.glucoseDateTime, let bytes)):
      set(try? DateTime(payload: bytes), at: time)
    case (.currentTime, .read(.currentTime)):
      [.answer(shown.time(at: time).map { CurrentTime(dateTime: $0).payload } ?? [])]
    case (.currentTime, .written(.currentTime, let bytes)):
      set((try? CurrentTime(payload: bytes))?.dateTime, at: time)
    case (.contour, .written(.contourClock, let bytes)): setContour(bytes, at: time)
    case (.careSens, .written(.careSensClock, let bytes)): careSens(bytes, at: time)
    default: nil
    }
  }

  private mutating func set(_ dateTime: DateTime?, at time: DriverTime) -> [VirtualDeviceOutput] {
    guard let dateTime, shown.set(dateTime, at: time) else { return [.refuse(0x0E)] }
    return [.accept, .tell(.clockSet)]
  }

  private mutating func setContour(
    _ bytes: [UInt8], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard let setting = try? ContourClockSetting(payload: bytes),
      base.set(setting.universalTime, at: time)
    else { return [.refuse(0x0E)] }
    offsetMinutes = setting.offsetMinutes
    return [.accept, .tell(.clockSet)]
  }

  private mutating func careSens(_ bytes: [UInt8], at time: DriverTime) -> [VirtualDeviceOutput] {
    guard let frame = try? CareSensClockFrame(payload: bytes),
      frame.header == CareSensClockFrame.requestHeader
    else { return [.refuse(0x0E)] }
    if bytes == CareSensClockFrame.query {
      let answer = shown.time(at: time).map { CareSensClockFrame(setting: $0).payload }
      return [.accept] + (answer.map { [.send(.careSensClock, $0)] } ?? [])
    }
    return set(frame.timestamp.dateTime, at: time)
  }
}
