// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// The clocks of a virtual glucose meter: the base time of its records, and the time that its user
/// sees.
///
/// Setting the clock changes only the time that the user sees; the difference is the Time Offset of
/// the records.
struct VirtualMeterClock: Sendable {
  private let kind: VirtualGlucoseMeter.Clock
  private var base: VirtualClock
  private var shown: VirtualClock
  /// The offset from universal time, which Ascensia's meters receive separately.
  private var offsetMinutes: Int16?

  init(_ kind: VirtualGlucoseMeter.Clock, _ clock: VirtualClock) {
    self.kind = kind
    base = clock
    shown = clock
  }

  /// The clock's characteristics in the Glucose Service.
  var glucoseCharacteristics: [VirtualCharacteristic] {
    kind == .dateTime ? [VirtualCharacteristic("2A08", [.read, .write], isProtected: true)] : []
  }

  /// The clock's own services.
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
          GATTAttribute.contourClock.service,
          [
            VirtualCharacteristic("00001022-0002-11E2-9E96-0800200C9A66", .notify),
            VirtualCharacteristic("00001025-0002-11E2-9E96-0800200C9A66", .notify),
            VirtualCharacteristic(
              GATTAttribute.contourClock.characteristic, .write, isProtected: true),
          ])
      ]
    case .careSens:
      [
        VirtualService(
          GATTAttribute.careSensClock.service,
          [
            VirtualCharacteristic(
              GATTAttribute.careSensClock.characteristic, [.write, .notify], isProtected: true)
          ])
      ]
    }
  }

  /// The base time and the Time Offset of a record of this moment.
  func stamp(at time: DriverTime) -> (base: Timestamp?, offset: Int16?) {
    let moved = ((shown.offsetSeconds - base.offsetSeconds) / 60).rounded()
    let offset = offsetMinutes ?? Int16(exactly: moved)
    return (Timestamp(base.time(at: time)), offset == 0 ? nil : offset)
  }

  /// Handles a request; nil when it is for another attribute.
  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    switch (kind, input) {
    case (.dateTime, .read(.glucoseDateTime)):
      [.answer(Timestamp(shown.time(at: time)).bytes)]
    case (.dateTime, .written(.glucoseDateTime, let bytes)):
      set((try? DateTime(payload: bytes))?.localDateTime, at: time)
    case (.currentTime, .read(.currentTime)):
      [.answer(shown.currentTime(at: time))]
    case (.currentTime, .written(.currentTime, let bytes)):
      set((try? CurrentTime(payload: bytes))?.dateTime.localDateTime, at: time)
    case (.contour, .written(.contourClock, let bytes)): setContour(bytes, at: time)
    case (.careSens, .written(.careSensClock, let bytes)): careSens(bytes, at: time)
    default: nil
    }
  }

  private mutating func set(_ dateTime: LocalDateTime?, at time: DriverTime)
    -> [VirtualDeviceOutput]
  {
    guard let dateTime, shown.set(dateTime, at: time) else { return [.refuse(0x0E)] }
    return [.accept, .report(.clockSet)]
  }

  private mutating func setContour(
    _ bytes: [UInt8], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard let setting = try? ContourClockSetting(payload: bytes),
      let universal = setting.universalTime.localDateTime, base.set(universal, at: time)
    else { return [.refuse(0x0E)] }
    offsetMinutes = setting.offsetMinutes
    return [.accept, .report(.clockSet)]
  }

  private mutating func careSens(_ bytes: [UInt8], at time: DriverTime) -> [VirtualDeviceOutput] {
    guard let frame = try? CareSensClockFrame(payload: bytes),
      frame.header == CareSensClockFrame.requestHeader
    else { return [.refuse(0x0E)] }
    if bytes == CareSensClockFrame.query {
      let answer = CareSensClockFrame(setting: shown.time(at: time)).payload
      return [.accept, .send(.careSensClock, answer)]
    }
    return set(frame.timestamp.localDateTime, at: time)
  }
}
