// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// The address of a characteristic: its UUID and that of its service, in upper case, and in the
/// short form where there is one.
///
/// A service that ends in `*` stands for the one that begins so: some manufacturers end it in the
/// device's address. The code that carries out a driver's actions finds it among all services of
/// the device.
public struct GATTAttribute: Hashable, Sendable {
  /// The service's UUID, in upper case: 4 or 8 hexadecimal digits, or 36 characters.
  public let service: String
  /// The characteristic's UUID, in the same form.
  public let characteristic: String

  /// Makes the address of a characteristic.
  ///
  /// - Parameters:
  ///   - service: The service's UUID, or its beginning with `*` behind it.
  ///   - characteristic: The characteristic's UUID.
  public init(_ service: String, _ characteristic: String) {
    self.service = service.bluetoothUUID
    self.characteristic = characteristic.bluetoothUUID
  }

  /// Whether the service is known by its beginning only.
  public var isPattern: Bool { service.last == "*" }

  /// Whether this is the attribute of a device with a given service and characteristic.
  public func matches(service: String, characteristic: String) -> Bool {
    guard characteristic.bluetoothUUID == self.characteristic else { return false }
    return isPattern
      ? service.uppercased().hasPrefix(self.service.dropLast())
      : service.bluetoothUUID == self.service
  }
}

extension String {
  /// A UUID in upper case, and in the shortest form that means the same (Core Specification, Vol 3,
  /// Part B, 2.5.1).
  var bluetoothUUID: String {
    var text = uppercased()
    let base = "-0000-1000-8000-00805F9B34FB"
    if text.count == 36, text.hasSuffix(base) { text.removeLast(base.count) }
    if text.count == 8, text.hasPrefix("0000") { text.removeFirst(4) }
    return text
  }
}

extension GATTAttribute {
  /// The clock of the Current Time Service.
  public static let currentTime = GATTAttribute("1805", "2A2B")
}
