// SPDX-License-Identifier: Apache-2.0

import SantorioCryptography
import TestSupport
import Testing

#if canImport(COpenSSL)
  import COpenSSL

  /// OpenSSL's own CCM, to compare ours with.
  private func sealedByOpenSSL(
    _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], associated: [UInt8], tagCount: Int
  ) throws -> [UInt8] {
    let context = unsafe try #require(unsafe EVP_CIPHER_CTX_new())
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    let cipher =
      switch key.count {
      case 16: unsafe EVP_aes_128_ccm()
      case 24: unsafe EVP_aes_192_ccm()
      default: unsafe EVP_aes_256_ccm()
      }
    var count: Int32 = 0
    var output = [UInt8](repeating: 0, count: plaintext.count)
    var tag = [UInt8](repeating: 0, count: tagCount)
    let steps = unsafe [
      EVP_EncryptInit_ex(context, cipher, nil, nil, nil),
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil),
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), nil),
      EVP_EncryptInit_ex(context, nil, nil, key, nonce),
      EVP_EncryptUpdate(context, nil, &count, nil, Int32(plaintext.count)),
      associated.isEmpty
        ? 1 : EVP_EncryptUpdate(context, nil, &count, associated, Int32(associated.count)),
      EVP_EncryptUpdate(context, &output, &count, plaintext, Int32(plaintext.count)),
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), &tag),
    ]
    try #require(steps.allSatisfy { $0 == 1 })
    return output + tag
  }
#endif

@Suite struct `AES-CCM` {
  private let key: [UInt8] = Array(0xC0...0xCF)

  @Test func `seals packet vector 1 of RFC 3610`() throws {
    let sealed = try AESCCM(key: key, tagCount: 8).seal(
      Array(0x08...0x1E), nonce: bytes("00000003020100A0A1A2A3A4A5"),
      authenticating: Array(0x00...0x07))

    #expect(
      sealed
        == (try bytes("588C979A61C663D2F066D0C2C0F989806D5F6B61DAC384 17E8D12CFDF926E0")))
  }

  @Test func `opens packet vector 1 of RFC 3610`() throws {
    let plaintext = try AESCCM(key: key, tagCount: 8).open(
      bytes("588C979A61C663D2F066D0C2C0F989806D5F6B61DAC384 17E8D12CFDF926E0"),
      nonce: bytes("00000003020100A0A1A2A3A4A5"), authenticating: Array(0x00...0x07))

    #expect(plaintext == Array(0x08...0x1E))
  }

  @Test(arguments: 0..<31)
  func `refuses a sealed payload with one bit changed`(position: Int) throws {
    let nonce = try bytes("00000003020100A0A1A2A3A4A5")
    let ccm = try AESCCM(key: key, tagCount: 8)
    var sealed = try ccm.seal(Array(0x08...0x1E), nonce: nonce)
    sealed[position] ^= 0x10

    let error = #expect(throws: CryptographyError.self) { try ccm.open(sealed, nonce: nonce) }

    #expect(error?.code == .authenticationFailed)
  }

  @Test func `refuses other associated bytes, another nonce and another key`() throws {
    let nonce = try bytes("00000003020100A0A1A2A3A4A5")
    let ccm = try AESCCM(key: key, tagCount: 4)
    let sealed = try ccm.seal([1, 2, 3], nonce: nonce, authenticating: [0x11])
    let other = try AESCCM(key: key.reversed(), tagCount: 4)

    #expect(try ccm.open(sealed, nonce: nonce, authenticating: [0x11]) == [1, 2, 3])
    #expect(throws: CryptographyError.self) {
      try ccm.open(sealed, nonce: nonce, authenticating: [0x12])
    }
    #expect(throws: CryptographyError.self) {
      try ccm.open(sealed, nonce: nonce.reversed(), authenticating: [0x11])
    }
    #expect(throws: CryptographyError.self) {
      try other.open(sealed, nonce: nonce, authenticating: [0x11])
    }
  }

  @Test func `names the invalid length`() throws {
    let ccm = try AESCCM(key: key, tagCount: 4)

    #expect(throws: CryptographyError.self) { try AESCCM(key: [1, 2, 3], tagCount: 4) }
    #expect(throws: CryptographyError.self) { try AESCCM(key: key, tagCount: 5) }
    let nonce = #expect(throws: CryptographyError.self) { try ccm.seal([1], nonce: [1, 2, 3]) }
    #expect(nonce?.code == .invalidLength)
    let tag = #expect(throws: CryptographyError.self) {
      try ccm.open([1, 2, 3], nonce: [UInt8](repeating: 0, count: 12))
    }
    #expect(tag?.code == .invalidLength)
    let long = #expect(throws: CryptographyError.self) {
      try ccm.seal(
        [UInt8](repeating: 0, count: 65536), nonce: [UInt8](repeating: 0, count: 13))
    }
    #expect(long?.code == .invalidLength)
  }

  #if canImport(COpenSSL)
    @Test(arguments: [16, 24, 32], [0, 1, 15, 16, 17, 33, 300])
    func `seals what OpenSSL's CCM seals`(keyCount: Int, count: Int) throws {
      let key = (0..<keyCount).map { UInt8($0 * 7 + 3) }
      let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31) }
      for (nonceCount, tagCount) in [(7, 16), (12, 4), (13, 8)] {
        let nonce = (0..<nonceCount).map { UInt8(0xA0 + $0) }
        for associated in [[], [0x11], Array(0...200)] as [[UInt8]] {
          let ours = try AESCCM(key: key, tagCount: tagCount).seal(
            plaintext, nonce: nonce, authenticating: associated)

          #expect(
            ours
              == (try sealedByOpenSSL(
                plaintext, key: key, nonce: nonce, associated: associated, tagCount: tagCount)))
        }
      }
    }
  #endif
}
