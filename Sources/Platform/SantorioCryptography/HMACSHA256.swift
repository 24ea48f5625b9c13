// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#else
  import COpenSSL
#endif

/// Authentication codes that require the key (HMAC-SHA256, RFC 2104).
package struct HMACSHA256: Sendable {
  #if canImport(CryptoKit)
    // As bytes, since older SDKs do not say that a SymmetricKey may be sent between threads.
    private let key: [UInt8]

    /// Takes a key of any length.
    package init(key: [UInt8]) { self.key = key }

    /// The code of some bytes: 32 bytes.
    package func code(of bytes: [UInt8]) -> [UInt8] {
      Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
    }
  #else
    // Both digests after the key: most messages are so short that it would be half the work.
    private let inner: SHA256_CTX
    private let outer: SHA256_CTX

    /// Takes a key of any length.
    package init(key: [UInt8]) {
      _ = OpenSSL.outlivesThreads
      let short = key.count > 64 ? SHA256Digest.bytes(key) : key
      let block = short + [UInt8](repeating: 0, count: 64 - short.count)
      inner = Self.begun(with: block.map { $0 ^ 0x36 })
      outer = Self.begun(with: block.map { $0 ^ 0x5C })
    }

    /// The code of some bytes: 32 bytes.
    package func code(of bytes: [UInt8]) -> [UInt8] {
      Self.ended(outer, with: Self.ended(inner, with: bytes))
    }

    private static func begun(with block: [UInt8]) -> SHA256_CTX {
      var context = SHA256_CTX()
      unsafe SHA256_Init(&context)
      unsafe SHA256_Update(&context, block, block.count)
      return context
    }

    private static func ended(_ begun: SHA256_CTX, with bytes: [UInt8]) -> [UInt8] {
      var context = begun
      var digest = [UInt8](repeating: 0, count: 32)
      unsafe SHA256_Update(&context, bytes, bytes.count)
      unsafe SHA256_Final(&digest, &context)
      return digest
    }
  #endif
}
