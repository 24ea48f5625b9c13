// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthDevices

/// A medical device made of `CBPeripheralManager`.
///
/// It behaves like its model: some advertise after a measurement and in pairing mode only, others as
/// long as they are switched on. It runs wherever Core Bluetooth's peripheral role does: on an Apple
/// device, and on Linux over the radio that the options name.
public final class VirtualDevice: Sendable {
  /// The model.
  public let model: VirtualDeviceModel
  private let peripheral: DevicePeripheral

  /// The surroundings of a device: its clock, and its radio's abilities.
  public struct Settings: Sendable {
    /// Its clock minus the true time, in seconds.
    public var clockOffsetSeconds = 0.0
    /// What its Battery Service (180F) reports, 0...100 per cent; the model's level when nil.
    public var batteryPercent: UInt8?
    /// The time zone of its clock.
    public var zone: @Sendable () -> TimeZone = { .autoupdatingCurrent }
    /// The true time.
    public var now: @Sendable () -> Date = { Date() }
    /// The clock for its deadlines.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Whether a central is connected, by its identifier.
    ///
    /// Core Bluetooth does not report whether a central has unsubscribed or was lost. When this
    /// returns false, measurements that may not have arrived are kept, as real devices keep what
    /// was not confirmed.
    public var isConnected: @Sendable (UUID) -> Bool = { _ in true }
    /// Advertises service data (by service UUID) and manufacturer data; both empty for none.
    ///
    /// Core Bluetooth does not let apps advertise these, so devices that only broadcast need a radio
    /// that can, such as a simulated host.
    public var broadcast: @Sendable (_ services: [String: Data], _ manufacturer: Data) -> Void = {
      _, _ in
    }

    /// The settings of a device in the real world.
    public init() {}
  }

  /// Makes a device that is switched off.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - settings: Its surroundings.
  ///   - managerOptions: Options for the `CBPeripheralManager`.
  ///   - onEvent: Called on the device's own queue.
  public init(
    _ model: VirtualDeviceModel, settings: Settings = Settings(),
    managerOptions: sending [String: Any]? = nil,
    onEvent: @escaping @Sendable (VirtualDeviceEvent) -> Void = { _ in }
  ) {
    self.model = model
    peripheral = DevicePeripheral(
      model, settings: settings, managerOptions: managerOptions, onEvent: onEvent)
  }

  /// Switches the device on.
  public func switchOn() { peripheral.switchOn() }

  /// Switches the device off; its memory stays.
  public func switchOff() { peripheral.switchOff() }

  /// Takes a measurement now, as when the user uses the device.
  public func measure() { peripheral.measure() }

  /// Takes a measurement of given values.
  ///
  /// The device makes it as it makes all others: with its clock, its numbers and its format. Where
  /// it does not measure such values, it reports ``VirtualDeviceEvent/failed(_:)``.
  ///
  /// - Parameters:
  ///   - measurement: What is measured.
  ///   - date: When, in true time; now when nil. A device without a memory takes all for now.
  public func measure(_ measurement: VirtualMeasurement, at date: Date? = nil) {
    peripheral.measure(measurement, at: date)
  }

  /// Erases the device's measurements, as of a device that is new.
  public func eraseMeasurements() { peripheral.eraseMeasurements() }

  /// Adds measurements to the device's memory.
  ///
  /// - Parameter payloads: Measurements in the device's own form, oldest first; for a blood
  ///   pressure monitor Blood Pressure Measurement payloads (2A35).
  public func remember(_ payloads: [[UInt8]]) { peripheral.handle(.remember(payloads)) }

  /// Makes the device advertise until it has been paired.
  public func enterPairingMode() { peripheral.handle(.pairingMode) }

  /// Returns when the device has handled all calls made so far.
  package func waitUntilIdle() async { await peripheral.waitUntilIdle() }
}
