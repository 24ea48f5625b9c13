// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import HealthRecords
import SantorioCryptography

/// A secret that grants access to the API; the server keeps only its digest.
struct AccessToken: Sendable {
  let text: String

  /// The SHA-256 of the text.
  var digest: [UInt8] { Self.digest(of: text) }

  /// Generates a token of 256 random bits.
  static func random() throws(IngestError) -> AccessToken {
    AccessToken(text: try randomHex(bytes: 32))
  }

  static func digest(of text: String) -> [UInt8] { SHA256Digest.bytes(Array(text.utf8)) }

  /// Compares in constant time, wherever the digests differ.
  static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return unsafe CRYPTO_memcmp(one, other, one.count) == 0
  }

  /// Random bytes of the system's generator as hexadecimal digits.
  static func randomHex(bytes count: Int) throws(IngestError) -> String {
    var bytes = [UInt8](repeating: 0, count: count)
    guard OpenSSL.outlivesThreads, unsafe RAND_bytes(&bytes, Int32(count)) == 1 else {
      throw IngestError(.unavailable, "the system provides no random numbers")
    }
    return Hexadecimal.text(bytes)
  }
}
