// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A blood pressure monitor made of `CBPeripheralManager`.
///
/// It can be found after a measurement and in pairing mode, as real ones, and sends what it keeps,
/// oldest first, to whoever subscribes. It runs wherever Core Bluetooth's peripheral role does: on
/// an Apple device, and on Linux over whichever radio the options name.
public final class VirtualBloodPressureMonitor: Sendable {
  /// What it is.
  public let model: BloodPressureMonitorModel
  private let peripheral: MonitorPeripheral

  /// Makes a monitor that is switched off.
  ///
  /// - Parameters:
  ///   - model: What it is.
  ///   - clockOffsetSeconds: Its clock minus the true time, in seconds.
  ///   - zone: The time zone of its clock.
  ///   - now: The true time.
  ///   - managerOptions: Options for the `CBPeripheralManager`.
  ///   - isConnected: Whether a central is connected, by its identifier. Core Bluetooth does not tell a
  ///     device whether a central has left in good order or was lost; with this answer measurements
  ///     that may not have arrived are kept, as real devices keep what was not confirmed.
  ///   - onEvent: Called on the monitor's own queue.
  public init(
    _ model: BloodPressureMonitorModel, clockOffsetSeconds: Double = 0,
    zone: TimeZone = .autoupdatingCurrent, now: @escaping @Sendable () -> Date = { Date() },
    managerOptions: sending [String: Any]? = nil,
    isConnected: @escaping @Sendable (UUID) -> Bool = { _ in true },
    onEvent: @escaping @Sendable (VirtualDeviceEvent) -> Void = { _ in }
  ) {
    self.model = model
    peripheral = MonitorPeripheral(
      model, clockOffsetSeconds: clockOffsetSeconds, zone: zone, now: now,
      managerOptions: managerOptions, isConnected: isConnected, onEvent: onEvent)
  }

  /// Switches the radio on; the monitor cannot be found before it is measured with or paired.
  public func switchOn() { peripheral.switchOn() }

  /// Switches the radio off; the memory stays.
  public func switchOff() { peripheral.switchOff() }

  /// Takes measurements, as if the button had been pressed: they are kept, and the monitor appears.
  ///
  /// - Parameter frames: Blood Pressure Measurement payloads (2A35), oldest first.
  public func measure(_ frames: [[UInt8]]) { peripheral.measure(frames) }

  /// Lets the monitor be found until it has been paired.
  public func enterPairingMode() { peripheral.enterPairingMode() }
}
