// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SantorioBluetooth
public import SantorioCore

/// For whom devices are paired and read, and how: what an app gives to the screens.
public struct CaptureContext: Sendable {
  /// Where readings go.
  public let session: SantorioSession
  /// For whom devices are paired and read; of the same session.
  public let receiver: BluetoothReceiver
  /// The radio.
  public let central: BluetoothCentral
  /// The person's units.
  public var units: UnitPreferences
  /// The time of day.
  public var now: @Sendable () -> Date = { Date() }

  /// What the screens work with.
  ///
  /// - Parameters:
  ///   - session: Where readings go.
  ///   - receiver: For whom devices are paired and read; made of the session when nil.
  ///   - central: The radio.
  ///   - units: The person's units.
  public init(
    session: SantorioSession, receiver: BluetoothReceiver? = nil,
    central: BluetoothCentral = .shared, units: UnitPreferences = UnitPreferences()
  ) {
    self.session = session
    self.receiver = receiver ?? BluetoothReceiver(session: session)
    self.central = central
    self.units = units
  }
}
