// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
package import HealthGATT

/// A monitor that notifies its one measurement to each subscriber.
package struct VirtualOneValueMonitor: VirtualDeviceLogic {
  package typealias Encoding = @Sendable (_ number: Int, _ shown: LocalDateTime) -> [[UInt8]]

  private let value: GATTAttribute
  private let encode: Encoding
  private let others: [VirtualCharacteristic]
  private var clock: VirtualClock
  private var frames: [[UInt8]]
  private var measurementCount: Int
  private var isSubscribed = false

  /// Makes a monitor.
  ///
  /// - Parameters:
  ///   - value: The characteristic that notifies the measurement.
  ///   - others: The other characteristics of its service.
  ///   - frames: The values of its first measurement, intermediate ones included.
  ///   - clock: Its clock.
  ///   - encode: Makes the values of another measurement.
  package init(
    _ value: GATTAttribute, others: [VirtualCharacteristic] = [], frames: [[UInt8]],
    clock: VirtualClock, encode: @escaping Encoding
  ) {
    self.value = value
    self.others = others
    self.frames = frames
    self.clock = clock
    self.encode = encode
    measurementCount = frames.isEmpty ? 0 : 1
  }

  package var isAdvertising: Bool { true }

  package var services: [VirtualService] {
    [
      VirtualService(
        value.service, [VirtualCharacteristic(value.characteristic, .notify)] + others)
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      let made = encode(number, clock.time(at: time))
      measurementCount += 1
      if isSubscribed { return made.map { .send(value, $0) } }
      frames += made
      return []
    case .remember(let frames):
      self.frames += frames
      measurementCount += frames.count
      return []
    case .subscribed(value):
      isSubscribed = true
      return [.report(.subscribed)] + frames.map { .send(value, $0) }
    case .disconnected(let allArrived):
      isSubscribed = false
      guard allArrived else { return [] }
      defer { (frames, measurementCount) = ([], 0) }
      return [.report(.transferred(measurements: measurementCount))]
    case .read, .written: return [.refuse(0x06)]
    case .pairingMode, .subscribed, .unsubscribed, .timeReached: return []
    }
  }
}
