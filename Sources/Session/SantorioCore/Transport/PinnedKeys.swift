// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The public keys of a server that alone are trusted.
///
/// The server's certificate has to be valid as without pins, and its public key has to be one of
/// these: so an attacker needs the key and not merely an authority that signs for him. A server
/// that changes its key locks its clients out unless they know the new one, so two keys is the
/// least: the one in use and one kept in reserve. Without a way to change the configuration of
/// programs that are installed, do not pin.
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
        .invalidPins, "two different pins are needed: of the key in use and of one in reserve")
    }
    for (index, pin) in pins.enumerated() where !Self.isPin(pin) {
      throw TransportError(.invalidPins, "pin \(index) is not the base64 of a SHA-256")
    }
    self.pins = pins
  }

  private static func isPin(_ text: String) -> Bool {
    guard let digest = Data(base64Encoded: text) else { return false }
    return digest.count == 32 && digest.base64EncodedString() == text
  }

  /// Checks a key's digest.
  func contains(_ digest: [UInt8]) -> Bool { pins.contains(Data(digest).base64EncodedString()) }

  /// Refuses an address where no key would be seen.
  func check(_ url: URL) throws(TransportError) {
    guard url.scheme?.lowercased() == "https" else {
      throw TransportError(.invalidRequest, "keys are pinned, so only https is allowed")
    }
  }
}
