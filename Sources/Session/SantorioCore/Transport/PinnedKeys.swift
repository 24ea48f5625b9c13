// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The only public keys of a server that are trusted.
///
/// The server's certificate must be valid as without pins, and its public key must be one of
/// these: an attacker then needs the key, not just an authority that signs for the attacker. A
/// server that changes its key locks out clients that do not know the new one, so at least two
/// keys are required: the one in use and one in reserve. Do not pin keys if the configuration of
/// installed programs cannot be changed.
public struct PinnedKeys: Hashable, Sendable {
  /// The SHA-256 of each key's SubjectPublicKeyInfo (RFC 5280 §4.1), in base64 as in RFC 7469 §2.4.
  public let pins: [String]

  /// Makes the set of keys.
  ///
  /// A pin of a certificate's key: `openssl x509 -in cert.pem -noout -pubkey | openssl pkey -pubin
  /// -outform der | openssl dgst -sha256 -binary | base64`.
  ///
  /// - Parameter pins: The SHA-256 of each key's SubjectPublicKeyInfo in base64, at least two.
  /// - Throws: ``TransportError`` of code `invalidPins`.
  public init(_ pins: [String]) throws(TransportError) {
    guard Set(pins).count >= 2 else {
      throw TransportError(
        .invalidPins, "two different pins are required: for the key in use and for a reserve key")
    }
    for (index, pin) in pins.enumerated() where !Self.isPin(pin) {
      throw TransportError(.invalidPins, "pin \(index) is not a base64-encoded SHA-256")
    }
    self.pins = pins
  }

  private static func isPin(_ text: String) -> Bool {
    guard let digest = Data(base64Encoded: text) else { return false }
    return digest.count == 32 && digest.base64EncodedString() == text
  }

  /// Checks a key's digest.
  func contains(_ digest: [UInt8]) -> Bool { pins.contains(Data(digest).base64EncodedString()) }

  /// Refuses an address where no key would be checked.
  func check(_ url: URL) throws(TransportError) {
    guard url.scheme?.lowercased() == "https" else {
      throw TransportError(.invalidRequest, "keys are pinned, so only https is allowed")
    }
  }
}
