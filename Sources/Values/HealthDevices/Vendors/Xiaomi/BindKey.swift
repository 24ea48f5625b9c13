// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A secret of one device, by which its broadcasts are decrypted.
///
/// Its `description` does not contain it.
package struct BindKey: Hashable, Sendable {
  /// The bytes: 16.
  package let bytes: [UInt8]

  /// Takes the bytes; nil unless there are 16.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads 32 hexadecimal digits.
  ///
  /// - Parameter text: The key, in upper or lower case.
  /// - Throws: `keyRequired` when it is none.
  package init(hexadecimal text: String) throws(PayloadError) {
    guard let bytes = [UInt8](hexadecimal: text), bytes.count == 16 else {
      throw PayloadError(
        .keyRequired, field: "Key", message: "A bind key is 32 hexadecimal digits.")
    }
    self.bytes = bytes
  }
}

extension BindKey: CustomStringConvertible, CustomDebugStringConvertible {
  /// Says that there is a key, not which.
  package var description: String { "BindKey(16 bytes)" }
  /// Says that there is a key, not which.
  package var debugDescription: String { description }
}

/// The address of a Bluetooth device.
package struct DeviceAddress: Hashable, Sendable {
  /// The six bytes in the order in which people write them.
  package let bytes: [UInt8]

  /// Takes the bytes in the order in which people write them; nil unless there are six.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 6 else { return nil }
    self.bytes = bytes
  }

  /// Reads twelve hexadecimal digits, for instance `84:46:93:64:A5:E6`.
  ///
  /// - Parameter text: The address; colons and hyphens are ignored.
  /// - Throws: `keyRequired` when it is none.
  package init(_ text: String) throws(PayloadError) {
    let digits = String(text.filter { $0 != ":" && $0 != "-" })
    guard let bytes = [UInt8](hexadecimal: digits), bytes.count == 6 else {
      throw PayloadError(
        .keyRequired, field: "Address",
        message: "An address is twelve hexadecimal digits, for instance 84:46:93:64:A5:E6.")
    }
    self.bytes = bytes
  }
}
