// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// An oximeter that sends values as long as there is a finger in it.
///
/// Like a real one, it has no value for the first seconds, then changing values, then steady ones
/// whose last digit varies.
package struct VirtualLiveOximeter: VirtualDeviceLogic {
  /// What it shows at one moment.
  package struct Moment: Hashable, Sendable {
    /// Seconds since values were requested.
    package let second: Int
    /// Per cent; nil while it looks for a pulse.
    package let saturation: UInt8?
    /// Beats per minute; nil while it looks for a pulse.
    package let pulseRate: UInt8?
    /// Whether the values have settled.
    package let isSettled: Bool
  }

  /// What distinguishes one model from another.
  package struct Model: Sendable {
    package var services: [VirtualService]
    /// The characteristic that notifies values.
    package var source: GATTAttribute
    /// The time from one value to the next.
    package var period = Duration.seconds(1)
    /// The command that starts the values; nil when they start without one.
    package var startCommand: LiveOximeterDriver.Release?
    /// The command that switches it off.
    package var release: LiveOximeterDriver.Release?
    /// The finger that is in it at first.
    package var first: Finger
    /// The notifications of a moment.
    package var notifications: @Sendable (Moment) -> [[UInt8]]
  }

  /// A finger, as the oximeter measures it.
  package struct Finger: Hashable, Sendable {
    package let saturation: UInt8
    package let pulseRate: UInt8

    package init(saturation: UInt8, pulseRate: UInt8) {
      self.saturation = saturation
      self.pulseRate = pulseRate
    }

    /// The finger of given values, 70...100 per cent and 30...215 beats per minute; nil for others.
    init?(_ measurement: VirtualMeasurement) {
      guard case .oximetry(let saturation, let pulse) = measurement.values,
        (70...100).contains(saturation), (30...215).contains(pulse)
      else { return nil }
      self.init(saturation: UInt8(saturation), pulseRate: UInt8(pulse))
    }

    /// The finger of a healthy person; another one for each number.
    init(number: Int) {
      saturation = UInt8(95 + abs(number % 1000) * 3 % 5)
      pulseRate = UInt8(56 + abs(number % 1000) * 11 % 30)
    }
  }

  private let model: Model
  private var finger: Finger?
  private var isSubscribed = false
  private var isStarted: Bool
  private var start: Duration?
  private var next: Duration?
  private var sent = 0

  package init(_ model: Model) {
    self.model = model
    finger = model.first
    isStarted = model.startCommand == nil
  }

  package var services: [VirtualService] { model.services }
  package var isAdvertising: Bool { finger != nil }
  package var deadline: Duration? { next }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      finger = Finger(number: number)
      return []
    case .subscribed(model.source):
      isSubscribed = true
      begin(at: time)
      return [.report(.subscribed)]
    case .unsubscribed(model.source):
      isSubscribed = false
      next = nil
      return []
    case .written(let attribute, let bytes): return written(attribute, bytes, at: time)
    case .timeReached: return send(at: time)
    case .disconnected: return disconnected()
    case .read: return [.refuse(0x02)]
    case .subscribed, .unsubscribed, .remember, .pairingMode: return []
    }
  }

  package mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    guard let finger = Finger(measurement) else { return nil }
    self.finger = finger
    return []
  }

  package mutating func eraseMeasurements() {
    finger = nil
    next = nil
  }

  private mutating func begin(at time: DriverTime) {
    guard isSubscribed, isStarted, finger != nil, next == nil else { return }
    start = time.elapsed
    next = time.elapsed + model.period
    sent = 0
  }

  private mutating func written(
    _ attribute: GATTAttribute, _ bytes: [UInt8], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    let request = LiveOximeterDriver.Release(attribute, bytes)
    if request == model.startCommand {
      isStarted = true
      begin(at: time)
      return [.accept]
    }
    guard request == model.release else { return [.refuse(0x13)] }
    finger = nil
    next = nil
    return [.accept]
  }

  private mutating func send(at time: DriverTime) -> [VirtualDeviceOutput] {
    guard let start, let due = next, time.elapsed >= due, let finger else { return [] }
    next = due + model.period
    sent += 1
    let second = Int((time.elapsed - start) / .seconds(1))
    return model.notifications(Self.moment(second, finger)).map { .send(model.source, $0) }
  }

  /// Removes the finger once values were sent.
  private mutating func disconnected() -> [VirtualDeviceOutput] {
    isSubscribed = false
    isStarted = model.startCommand == nil
    next = nil
    guard sent > 0 else { return [] }
    finger = nil
    return [.report(.transferred(measurements: 1))]
  }

  private static func moment(_ second: Int, _ finger: Finger) -> Moment {
    switch second {
    case ...2: Moment(second: second, saturation: nil, pulseRate: nil, isSettled: false)
    case 3:
      Moment(
        second: second, saturation: finger.saturation - 7, pulseRate: finger.pulseRate + 34,
        isSettled: false)
    case 4:
      Moment(
        second: second, saturation: finger.saturation - 3, pulseRate: finger.pulseRate + 12,
        isSettled: false)
    default:
      Moment(
        second: second, saturation: finger.saturation - (second % 4 == 3 ? 1 : 0),
        pulseRate: finger.pulseRate + UInt8(second % 3), isSettled: second > 7)
    }
  }
}
