// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// An Omron monitor that keeps to the Blood Pressure Profile.
///
/// It sends its measurements to each subscriber, or, with a Record Access Control Point, on
/// request, and then erases them. Its clock can be set only after it was read.
package struct VirtualOmronMonitor: VirtualDeviceLogic {
  private static let measurement = GATTAttribute("1810", "2A35")
  private static let recordAccess = GATTAttribute("1810", "2A52")
  private static let currentTime = GATTAttribute("1805", "2A2B")
  private static let dataFieldIgnored: UInt8 = 0x80

  private let model: String
  private let hasRecordAccess: Bool
  private var clock: VirtualClock
  private var memory: [[UInt8]]
  private var isPairing = false
  private var hasReportedTime = false
  /// How many of its measurements were sent over this connection.
  private var sent = 0

  package init(model: String, hasRecordAccess: Bool, memory: [[UInt8]], clock: VirtualClock) {
    self.model = model
    self.hasRecordAccess = hasRecordAccess
    self.memory = memory
    self.clock = clock
  }

  package var isAdvertising: Bool { isPairing || !memory.isEmpty }

  /// Omron's manufacturer data: one user, and whether the monitor waits to be paired.
  package var broadcast: VirtualBroadcast? {
    let count = UInt8(clamping: memory.count)
    return VirtualBroadcast(
      manufacturerData: [0x0E, 0x02, 0x01, isPairing ? 0x08 : 0x00, count, 0, count])
  }

  package var services: [VirtualService] {
    var bloodPressure = [
      VirtualCharacteristic("2A35", .indicate, isProtected: true),
      VirtualCharacteristic("2A49", value: [0x07, 0x00]),
    ]
    if hasRecordAccess {
      bloodPressure.append(VirtualCharacteristic("2A52", [.write, .indicate], isProtected: true))
    }
    return [
      VirtualService("1810", bloodPressure),
      VirtualService(
        "1805", [VirtualCharacteristic("2A2B", [.read, .write, .notify], isProtected: true)]),
      .deviceInformation(
        manufacturer: "OMRON", model: model, serialNumber: "20260017", firmwareRevision: "1.03"),
      .battery(percent: 80),
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      memory.append(measurement(number, at: time))
      return []
    case .remember(let frames):
      memory += frames
      return []
    case .pairingMode:
      isPairing = true
      return []
    case .subscribed(Self.measurement):
      return [.report(.subscribed)] + (hasRecordAccess ? [] : send())
    case .subscribed(Self.currentTime):
      hasReportedTime = true
      return [.send(Self.currentTime, shownTime(at: time))]
    case .disconnected(let allArrived): return disconnected(allArrived)
    case .read(Self.currentTime): return [.answer(shownTime(at: time))]
    case .written(Self.currentTime, let bytes): return [setClock(bytes, at: time)]
    case .written(Self.recordAccess, let bytes): return recordsRequested(bytes)
    case .read, .written: return [.refuse(0x06)]
    case .subscribed, .unsubscribed, .timeReached: return []
    }
  }

  private mutating func send() -> [VirtualDeviceOutput] {
    sent = memory.count
    return memory.map { .send(Self.measurement, $0) }
  }

  /// Erases exactly the measurements that it has sent.
  private mutating func disconnected(_ allArrived: Bool) -> [VirtualDeviceOutput] {
    defer { sent = 0 }
    hasReportedTime = false
    guard allArrived else { return [] }
    memory.removeFirst(sent)
    isPairing = false
    return [.report(.transferred(measurements: sent))]
  }

  private mutating func recordsRequested(_ bytes: [UInt8]) -> [VirtualDeviceOutput] {
    guard bytes == [0x01, 0x01] else {
      // Op code not supported.
      return [.send(Self.recordAccess, [0x06, 0x00, bytes.first ?? 0, 0x02])]
    }
    let code: UInt8 = memory.isEmpty ? 0x06 : 0x01
    return send() + [.send(Self.recordAccess, [0x06, 0x00, 0x01, code])]
  }

  private func shownTime(at time: DriverTime) -> [UInt8] {
    (try? DateTime(clock.time(at: time))).map {
      CurrentTime(dateTime: $0, dayOfWeek: .unknown, fractions256: 0, adjustReason: []).payload
    } ?? []
  }

  private mutating func setClock(_ bytes: [UInt8], at time: DriverTime) -> VirtualDeviceOutput {
    guard hasReportedTime else { return .refuse(Self.dataFieldIgnored) }
    guard let shown = (try? CurrentTime(payload: bytes))?.dateTime.localDateTime,
      clock.set(shown, at: time)
    else { return .refuse(Self.dataFieldIgnored) }
    return .report(.clockSet)
  }

  private func measurement(_ number: Int, at time: DriverTime) -> [UInt8] {
    SimulatedPressure(number)
      .measurement(at: clock.time(at: time), userID: UserID(rawValue: 1))?.payload ?? []
  }
}
