// SPDX-License-Identifier: Apache-2.0

/// Consent Code: the secret, often called PIN, that gives access to a user's data on a device.
///
/// `description` does not show it.
///
/// Source: User Data Service, Consent Code.
public struct ConsentCode: RawRepresentable, Hashable, Sendable {
  /// The 16 bits as sent; 0...9999 in a device that keeps to the specification.
  public let rawValue: UInt16

  /// Takes any 16 bits, as a device sent them.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Creates a code.
  ///
  /// - Throws: `outOfRange` outside of 0...9999.
  public init(_ code: Int) throws(PayloadError) {
    guard (0...9999).contains(code) else {
      throw PayloadError(
        .outOfRange, field: "Consent Code", message: "It is 0...9999. Ask the user again.")
    }
    rawValue = UInt16(code)
  }

  init(from reader: inout PayloadReader) throws(PayloadError) {
    rawValue = try reader.uint16(field: "Consent Code")
  }
}

extension ConsentCode: CustomStringConvertible {
  /// Always the same text, for logs.
  public var description: String { "<consent code>" }
}
