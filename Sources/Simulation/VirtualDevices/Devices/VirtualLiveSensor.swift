// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A device that sends what it measures once a second to each subscriber: an oximeter on a
/// finger, a heart rate strap.
package struct VirtualLiveSensor: VirtualDeviceLogic {
  /// What distinguishes one model from another.
  package struct Model: Sendable {
    package var information: [VirtualService]
    /// The characteristic that notifies measurements.
    package var measurement: GATTAttribute
    /// The other characteristics of that service.
    package var constants: [VirtualCharacteristic]
    /// Makes the value for a second after it was put on; `number` counts how often it was put on.
    package var frame: @Sendable (_ second: Int, _ number: Int) -> [UInt8]
    /// The same of given values; nil where it does not measure such values.
    package var encode: @Sendable (VirtualMeasurement, _ second: Int) -> [UInt8]? = { _, _ in nil }
  }

  private let model: Model
  private var number = 1
  /// What it measures, where that was given.
  private var measured: VirtualMeasurement?
  private var second = 0
  package private(set) var deadline: Duration?

  package init(_ model: Model) { self.model = model }

  package var isAdvertising: Bool { true }

  package var services: [VirtualService] {
    [
      VirtualService(
        model.measurement.service,
        [VirtualCharacteristic(model.measurement.characteristic, .notify)] + model.constants)
    ] + model.information
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      self.number = number
      measured = nil
      second = 0
      return []
    case .subscribed(model.measurement):
      second = 0
      deadline = time.elapsed + .seconds(1)
      return [.report(.subscribed)]
    case .unsubscribed(model.measurement):
      deadline = nil
      return []
    case .disconnected:
      deadline = nil
      return [.report(.transferred(measurements: min(second, 1)))]
    case .timeReached: return timeReached(time.elapsed)
    case .read, .written: return [.refuse(0x06)]
    case .remember, .pairingMode, .subscribed, .unsubscribed: return []
    }
  }

  package mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    guard model.encode(measurement, 0) != nil else { return nil }
    measured = measurement
    second = 0
    return []
  }

  private mutating func timeReached(_ now: Duration) -> [VirtualDeviceOutput] {
    guard let deadline, now >= deadline else { return [] }
    defer { second += 1 }
    self.deadline = max(deadline, now) + .seconds(1)
    let frame = measured.flatMap { model.encode($0, second) } ?? model.frame(second, number)
    return [.send(model.measurement, frame)]
  }
}
