// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#else
  import COpenSSL
#endif

/// SHA-256 by the platform's own library.
package enum SHA256Digest {
  /// The digest of some bytes: 32 bytes.
  package static func bytes(_ bytes: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      return Array(SHA256.hash(data: Data(bytes)))
    #else
      _ = OpenSSL.outlivesThreads
      var digest = [UInt8](repeating: 0, count: 32)
      unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
      return digest
    #endif
  }

  /// The digest in lower-case hexadecimal digits.
  package static func hex(_ bytes: [UInt8]) -> String { text(self.bytes(bytes)) }

  static func text(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
