// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import HealthRecords
import SantorioCryptography

/// A secret that opens the API; the server keeps its digest only.
struct AccessToken: Sendable {
  let text: String

  /// The SHA-256 of the text.
  var digest: [UInt8] { Self.digest(of: text) }

  /// Makes a token of 256 random bits.
  static func random() throws(IngestError) -> AccessToken {
    AccessToken(text: try randomHex(bytes: 32))
  }

  static func digest(of text: String) -> [UInt8] { SHA256Digest.bytes(Array(text.utf8)) }

  /// Compares in a time that does not depend on where the digests differ.
  static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return unsafe CRYPTO_memcmp(one, other, one.count) == 0
  }

  /// Random bytes in hexadecimal digits, by the system's generator.
  static func randomHex(bytes count: Int) throws(IngestError) -> String {
    var bytes = [UInt8](repeating: 0, count: count)
    guard OpenSSL.outlivesThreads, unsafe RAND_bytes(&bytes, Int32(count)) == 1 else {
      throw IngestError(.unavailable, "the system gives no random numbers")
    }
    return Hexadecimal.text(bytes)
  }
}
