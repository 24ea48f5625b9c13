// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import SantorioBluetooth

/// The radio of a hub.
package struct HubRadio: Sendable {
  /// The one central of it.
  package let central: BluetoothCentral
  /// The clock of its time; that of the devices where they are simulated.
  package let clock: any Clock<Duration>
  /// The time of day.
  package let now: @Sendable () -> Date
  /// The time for which the machine has run; nil where the time of day is never set.
  package let uptime: @Sendable () -> Uptime?
  /// What it is called, to show: "hci0", "simulated".
  package let name: String
  /// Says who answers the questions of a device that is being paired; nil for nobody.
  package let prepare: @Sendable (HubPairing?) -> Void

  /// Describes a radio.
  package init(
    central: BluetoothCentral, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    uptime: @escaping @Sendable () -> Uptime? = { nil }, name: String,
    prepare: @escaping @Sendable (HubPairing?) -> Void = { _ in }
  ) {
    self.central = central
    self.clock = clock
    self.now = now
    self.uptime = uptime
    self.name = name
    self.prepare = prepare
  }
}

/// How the questions of a device are answered while it is being paired.
package struct HubPairing: Sendable {
  /// The passkey that the device shows, or its fixed one; nil when none was given.
  package let passkey: Int?
  /// Whether all questions are answered by yes.
  package let acceptsAll: Bool
  /// The device that is asked for; nil for any that has no other patient.
  package let device: UUID?
  /// The devices of other patients.
  package let others: Set<UUID>
  /// Shows a line to who has asked for the pairing.
  package let show: @Sendable (String) -> Void

  /// Returns whether a question is of the device that is paired: others may connect meanwhile.
  ///
  /// - Parameter peripheral: The device that asks.
  /// - Returns: False for another patient's.
  package func concerns(_ peripheral: UUID) -> Bool {
    device.map { $0 == peripheral } ?? !others.contains(peripheral)
  }
}
