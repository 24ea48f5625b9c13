// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthDevices

/// A medical device made of `CBPeripheralManager`.
///
/// It behaves as its kind does: some can be found after a measurement and in pairing mode only,
/// others as long as they are switched on. It runs wherever Core Bluetooth's peripheral role does:
/// on an Apple device, and on Linux over whichever radio the options name.
public final class VirtualDevice: Sendable {
  /// What it is.
  public let model: VirtualDeviceModel
  private let peripheral: DevicePeripheral

  /// How the world looks to a device.
  public struct Settings: Sendable {
    /// Its clock minus the true time, in seconds.
    public var clockOffsetSeconds = 0.0
    /// The time zone of its clock.
    public var zone: @Sendable () -> TimeZone = { .autoupdatingCurrent }
    /// The true time.
    public var now: @Sendable () -> Date = { Date() }
    /// What it waits by.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Whether a central is connected, by its identifier.
    ///
    /// Core Bluetooth does not tell a device whether a central has left in good order or was lost;
    /// with this answer measurements that may not have arrived are kept, as real devices keep what
    /// was not confirmed.
    public var isConnected: @Sendable (UUID) -> Bool = { _ in true }
    /// Puts service data (by service UUID) and manufacturer data on the air; both empty for none.
    ///
    /// Core Bluetooth lets no app advertise these, so that devices that only broadcast need a radio
    /// that can: a simulated host has properties for it.
    public var broadcast: @Sendable (_ services: [String: Data], _ manufacturer: Data) -> Void = {
      _, _ in
    }

    /// The settings of a device in the real world.
    public init() {}
  }

  /// Makes a device that is switched off.
  ///
  /// - Parameters:
  ///   - model: What it is.
  ///   - settings: Its clock and its surroundings.
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

  /// Takes a measurement of this moment, as if somebody had used the device.
  public func measure() { peripheral.measure() }

  /// Gives the device measurements that it has taken.
  ///
  /// - Parameter payloads: Measurements in the device's own form, oldest first; for a blood
  ///   pressure monitor Blood Pressure Measurement payloads (2A35).
  public func remember(_ payloads: [[UInt8]]) { peripheral.handle(.remember(payloads)) }

  /// Lets the device be found until it has been paired.
  public func enterPairingMode() { peripheral.handle(.pairingMode) }

  /// Returns when the device has done what it was told so far.
  package func hasCaughtUp() async { await peripheral.hasCaughtUp() }
}
