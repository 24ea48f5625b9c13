// SPDX-License-Identifier: Apache-2.0

package import HealthDevices

/// Which of a device's users is meant.
package enum UserChoice: Hashable, Sendable {
  /// By the number in readings.
  case slot(Int)
  /// By what the device shows; where that is not public, by the number in readings.
  case label(Int)

  /// The number in readings of a device.
  ///
  /// - Throws: ``BluetoothError`` of code `misconfigured` for what is no user of such a device.
  package func slot(on model: DeviceModel) throws(BluetoothError) -> Int {
    switch self {
    case .slot(let slot): return slot
    case .label(let label):
      if let slot = (model.userNumbering ?? .notPublic).slot(labeled: label) { return slot }
      throw BluetoothError(
        .misconfigured,
        "\(model.name) has no user \(label): it labels its users from 1. Name one as it shows them."
      )
    }
  }
}
