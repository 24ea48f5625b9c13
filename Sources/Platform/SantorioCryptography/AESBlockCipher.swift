// SPDX-License-Identifier: Apache-2.0

#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import COpenSSL
#endif

/// AES on single blocks of 16 bytes, by the platform's library; modes are built on it.
struct AESBlockCipher: Sendable {
  static let blockCount = 16

  private let key: [UInt8]

  /// Takes a key of 16, 24 or 32 bytes.
  init(key: [UInt8]) throws(CryptographyError) {
    guard [16, 24, 32].contains(key.count) else {
      throw CryptographyError(
        .invalidKey, "an AES key has 16, 24 or 32 bytes, but this one has \(key.count)")
    }
    self.key = key
  }

  /// Encrypts one block.
  func encrypt(_ block: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: Self.blockCount)
    guard block.count == Self.blockCount, encrypt(block, into: &output) else {
      throw CryptographyError(.unavailable, "the platform's AES function failed")
    }
    return output
  }

  #if canImport(CommonCrypto)
    private func encrypt(_ block: [UInt8], into output: inout [UInt8]) -> Bool {
      var written = 0
      let status = unsafe CCCrypt(
        CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionECBMode), key,
        key.count, nil, block, block.count, &output, output.count, &written)
      return status == CCCryptorStatus(kCCSuccess) && written == Self.blockCount
    }
  #else
    // Not by EVP: its providers take 2 MiB of memory for this one cipher, and their allocations are
    // freed at exit, even while other threads still encrypt.
    private func encrypt(_ block: [UInt8], into output: inout [UInt8]) -> Bool {
      var schedule = AES_KEY()
      guard unsafe AES_set_encrypt_key(key, Int32(key.count * 8), &schedule) == 0 else {
        return false
      }
      unsafe AES_encrypt(block, &output, &schedule)
      return true
    }
  #endif
}
