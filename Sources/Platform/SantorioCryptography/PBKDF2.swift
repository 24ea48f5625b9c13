// SPDX-License-Identifier: Apache-2.0

#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import COpenSSL
#endif

/// Makes keys of passphrases: PBKDF2 with HMAC-SHA256 (RFC 8018 section 5.2), by the platform's
/// library.
package enum PBKDF2 {
  /// Makes a key.
  ///
  /// - Parameters:
  ///   - passphrase: The passphrase; its UTF-8 form counts.
  ///   - salt: Random bytes, different for each key.
  ///   - iterations: How much work a guess costs, at least 1.
  ///   - count: The number of bytes of the key, at least 1.
  /// - Returns: The key.
  /// - Throws: `invalidLength` for numbers out of range; `unavailable` when the library fails.
  package static func key(
    of passphrase: String, salt: [UInt8], iterations: Int, count: Int = 32
  ) throws(CryptographyError) -> [UInt8] {
    guard let rounds = Int32(exactly: iterations), rounds > 0, count > 0 else {
      throw CryptographyError(
        .invalidLength, "a key has at least 1 byte, and is made with at least 1 iteration")
    }
    var key = [UInt8](repeating: 0, count: count)
    guard derive(passphrase, salt, rounds, &key) else {
      throw CryptographyError(.unavailable, "the platform's PBKDF2 function failed")
    }
    return key
  }

  #if canImport(CommonCrypto)
    private static func derive(
      _ passphrase: String, _ salt: [UInt8], _ rounds: Int32, _ key: inout [UInt8]
    ) -> Bool {
      let status = unsafe CCKeyDerivationPBKDF(
        CCPBKDFAlgorithm(kCCPBKDF2), passphrase, passphrase.utf8.count, salt, salt.count,
        CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), UInt32(rounds), &key, key.count)
      return status == CCCryptorStatus(kCCSuccess)
    }
  #else
    private static func derive(
      _ passphrase: String, _ salt: [UInt8], _ rounds: Int32, _ key: inout [UInt8]
    ) -> Bool {
      _ = OpenSSL.outlivesThreads
      return unsafe PKCS5_PBKDF2_HMAC(
        passphrase, Int32(passphrase.utf8.count), salt, Int32(salt.count), rounds, EVP_sha256(),
        Int32(key.count), &key) == 1
    }
  #endif
}
