// SPDX-License-Identifier: Apache-2.0

/// A secret of one device, by which its broadcasts are decrypted.
///
/// Its `description` does not tell it.
package struct BindKey: Hashable, Sendable {
  /// The octets: 16.
  package let octets: [UInt8]

  /// Takes the octets; nil unless there are 16.
  package init?(octets: [UInt8]) {
    guard octets.count == 16 else { return nil }
    self.octets = octets
  }

  /// Reads 32 hexadecimal digits.
  ///
  /// - Parameter text: The key, in upper or lower case.
  /// - Throws: `keyRequired` when it is none.
  package init(hexadecimal text: String) throws(PayloadError) {
    guard let octets = [UInt8](hexadecimal: text), octets.count == 16 else {
      throw PayloadError(
        .keyRequired, field: "Key", message: "A bind key is 32 hexadecimal digits.")
    }
    self.octets = octets
  }
}

extension BindKey: CustomStringConvertible, CustomDebugStringConvertible {
  /// Says that there is a key, not which.
  package var description: String { "BindKey(16 octets)" }
  /// Says that there is a key, not which.
  package var debugDescription: String { description }
}

/// The address of a Bluetooth device.
package struct DeviceAddress: Hashable, Sendable {
  /// The six octets in the order in which people write them.
  package let octets: [UInt8]

  /// Takes the octets in the order in which people write them; nil unless there are six.
  package init?(octets: [UInt8]) {
    guard octets.count == 6 else { return nil }
    self.octets = octets
  }

  /// Reads twelve hexadecimal digits, for instance `84:46:93:64:A5:E6`.
  ///
  /// - Parameter text: The address; colons and hyphens are ignored.
  /// - Throws: `keyRequired` when it is none.
  package init(_ text: String) throws(PayloadError) {
    let digits = String(text.filter { $0 != ":" && $0 != "-" })
    guard let octets = [UInt8](hexadecimal: digits), octets.count == 6 else {
      throw PayloadError(
        .keyRequired, field: "Address",
        message: "An address is twelve hexadecimal digits, for instance 84:46:93:64:A5:E6.")
    }
    self.octets = octets
  }
}
