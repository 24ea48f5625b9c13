// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// The address of a characteristic: its UUID and that of its service, in upper case, and in the
/// short form where there is one.
///
/// A service that ends in `*` stands for the one that begins so: some manufacturers end it in the
/// device's address. The code that carries out a driver's actions finds it among all services of
/// the device.
package struct Attribute: Hashable, Sendable {
  package let service: String
  package let characteristic: String

  package init(_ service: String, _ characteristic: String) {
    self.service = service.uppercased()
    self.characteristic = characteristic.uppercased()
  }

  /// Whether the service is known by its beginning only.
  package var isPattern: Bool { service.last == "*" }

  /// Whether this is the attribute of a device with a given service and characteristic.
  package func matches(service: String, characteristic: String) -> Bool {
    guard characteristic.uppercased() == self.characteristic else { return false }
    return isPattern
      ? service.uppercased().hasPrefix(self.service.dropLast())
      : service.uppercased() == self.service
  }
}

extension Attribute {
  /// The clock of the Current Time Service.
  package static let currentTime = Attribute("1805", "2A2B")
}
