// SPDX-License-Identifier: Apache-2.0

/// Why something could not be encrypted, decrypted or authenticated.
///
/// The description never contains a key or a byte of what was to be encrypted.
package struct CryptographyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure this is.
  package enum Code: String, Hashable, Sendable {
    /// A key has a length that the cipher does not accept.
    case invalidKey
    /// A nonce, a tag or the bytes themselves have a length that the cipher does not accept.
    case invalidLength
    /// The key, the nonce or the bytes are not those that were sealed.
    case authenticationFailed
    /// The platform's library failed, usually for lack of memory.
    case unavailable
  }

  package let code: Code
  /// What happened and what to do.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message.
  package var description: String { "\(code.rawValue): \(message)" }
}
