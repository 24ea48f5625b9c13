// SPDX-License-Identifier: Apache-2.0

/// A public key in the format from which pins are computed (RFC 5280 §4.1.2.7).
///
/// Apple's Security framework returns the key without a header; the kind determines the header.
enum SubjectPublicKeyInfo {
  /// The kinds of key that servers have.
  enum Kind {
    /// rsaEncryption (RFC 8017); the key is an RSAPublicKey.
    case rsa
    /// The curves secp256r1 and secp384r1 (RFC 5480); the key is an uncompressed point.
    case p256, p384

    // SEQUENCE { OBJECT IDENTIFIER algorithm, NULL or OBJECT IDENTIFIER curve }
    fileprivate var algorithm: [UInt8] {
      switch self {
      case .rsa:
        [
          0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]
      case .p256:
        [
          0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
          0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07,
        ]
      case .p384:
        [
          0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
          0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22,
        ]
      }
    }
  }

  /// The DER bytes of a key: SEQUENCE { algorithm, BIT STRING { key } }.
  static func bytes(_ kind: Kind, key: [UInt8]) -> [UInt8] {
    let bits = [0x03] + length(key.count + 1) + [0x00] + key
    return [0x30] + length(kind.algorithm.count + bits.count) + kind.algorithm + bits
  }

  /// X.690 §8.1.3: short up to 127, else the number of bytes and the bytes.
  private static func length(_ count: Int) -> [UInt8] {
    switch count {
    case ..<0x80: [UInt8(count)]
    case ..<0x100: [0x81, UInt8(count)]
    default: [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }
  }
}
