// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
package import HealthGATT

/// A monitor that notifies its measurement when a host listens, and has no more to say.
package struct VirtualOneValueMonitor: VirtualDeviceLogic {
  package typealias Encoding = @Sendable (_ number: Int, _ shown: DateTime?) -> [[UInt8]]

  private let value: Attribute
  private let encode: Encoding
  private let others: [VirtualCharacteristic]
  private var clock: VirtualClock
  private var frames: [[UInt8]]
  private var measurementCount: Int
  private var isListenedTo = false

  /// Makes a monitor.
  ///
  /// - Parameters:
  ///   - value: Where it notifies.
  ///   - others: What else its service has.
  ///   - frames: The values of its first measurement, those on the way to it included.
  ///   - clock: Its clock.
  ///   - encode: The values of another measurement.
  package init(
    _ value: Attribute, others: [VirtualCharacteristic] = [], frames: [[UInt8]],
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
      if isListenedTo { return made.map { .send(value, $0) } }
      frames += made
      return []
    case .remember(let frames):
      self.frames += frames
      measurementCount += frames.count
      return []
    case .subscribed(value):
      isListenedTo = true
      return [.tell(.subscribed)] + frames.map { .send(value, $0) }
    case .left(let allArrived):
      isListenedTo = false
      guard allArrived else { return [] }
      defer { (frames, measurementCount) = ([], 0) }
      return [.tell(.transferred(measurements: measurementCount))]
    case .read, .written: return [.refuse(0x06)]
    case .pairingMode, .subscribed, .unsubscribed, .timeReached: return []
    }
  }
}
