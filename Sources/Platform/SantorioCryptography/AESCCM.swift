// SPDX-License-Identifier: Apache-2.0

/// AES in counter mode with a CBC-MAC: encrypts bytes and authenticates them and associated ones.
///
/// Apple's CryptoKit has no CCM. Source: RFC 3610 (NIST SP 800-38C).
package struct AESCCM: Sendable {
  private let cipher: AESBlockCipher
  private let tagCount: Int

  /// Takes a key.
  ///
  /// - Parameters:
  ///   - key: 16, 24 or 32 bytes.
  ///   - tagCount: The number of bytes of the tag: an even number, 4...16.
  /// - Throws: `invalidKey` for a key of another length; `invalidLength` for such a tag.
  package init(key: [UInt8], tagCount: Int) throws(CryptographyError) {
    guard (4...16).contains(tagCount), tagCount.isMultiple(of: 2) else {
      throw CryptographyError(
        .invalidLength, "a CCM tag has an even number of bytes from 4 to 16")
    }
    cipher = try AESBlockCipher(key: key)
    self.tagCount = tagCount
  }

  /// Encrypts and appends the tag.
  ///
  /// - Parameters:
  ///   - plaintext: What to encrypt.
  ///   - nonce: 7...13 bytes that are never used twice with this key.
  ///   - associated: Bytes that are sent in the clear and authenticated too.
  /// - Returns: As many bytes as the plaintext, then the tag.
  /// - Throws: `invalidLength` for a nonce or bytes that do not fit CCM.
  package func seal(
    _ plaintext: [UInt8], nonce: [UInt8], authenticating associated: [UInt8] = []
  ) throws(CryptographyError) -> [UInt8] {
    let tag = try tag(of: plaintext, nonce: nonce, associated: associated)
    return try crypt(plaintext, nonce: nonce, firstCounter: 1)
      + crypt(tag, nonce: nonce, firstCounter: 0)
  }

  /// Decrypts the output of `seal` and checks the tag.
  ///
  /// - Parameters:
  ///   - sealed: Encrypted bytes and their tag.
  ///   - nonce: The nonce it was sealed with.
  ///   - associated: The bytes that are authenticated too.
  /// - Returns: The plaintext.
  /// - Throws: `authenticationFailed` when key, nonce or bytes are not those that were sealed;
  ///   `invalidLength` when there is no tag, or for a nonce that does not fit CCM.
  package func open(
    _ sealed: [UInt8], nonce: [UInt8], authenticating associated: [UInt8] = []
  ) throws(CryptographyError) -> [UInt8] {
    guard sealed.count >= tagCount else {
      throw CryptographyError(.invalidLength, "the input is shorter than the tag")
    }
    let plaintext = try crypt(Array(sealed.dropLast(tagCount)), nonce: nonce, firstCounter: 1)
    let sent = try crypt(sealed.suffix(tagCount), nonce: nonce, firstCounter: 0)
    let expected = try tag(of: plaintext, nonce: nonce, associated: associated)
    // All bytes are compared, so that the time does not reveal where the first difference is.
    guard zip(sent, expected).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else {
      throw CryptographyError(
        .authenticationFailed,
        "the key is not the one used for encryption, or the bytes were damaged")
    }
    return plaintext
  }

  /// RFC 3610 section 2.2: the CBC-MAC over a header block, the associated bytes and the plaintext.
  private func tag(
    of plaintext: [UInt8], nonce: [UInt8], associated: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    let lengthCount = try lengthCount(plaintext, nonce: nonce, associated: associated)
    let hasAssociated: UInt8 = associated.isEmpty ? 0 : 0x40
    let flags = hasAssociated | UInt8((tagCount - 2) / 2) << 3 | UInt8(lengthCount - 1)
    var blocks = [flags] + nonce + Self.bigEndian(plaintext.count, count: lengthCount)
    if !associated.isEmpty {
      blocks += Self.padded(Self.bigEndian(associated.count, count: 2) + associated)
    }
    blocks += Self.padded(plaintext)
    var mac = [UInt8](repeating: 0, count: AESBlockCipher.blockCount)
    for start in stride(from: 0, to: blocks.count, by: mac.count) {
      mac = try cipher.encrypt(zip(mac, blocks[start...]).map { $0 ^ $1 })
    }
    return Array(mac.prefix(tagCount))
  }

  /// RFC 3610 section 2.3: the exclusive or with the encrypted counter blocks.
  private func crypt(
    _ bytes: [UInt8], nonce: [UInt8], firstCounter: Int
  ) throws(CryptographyError) -> [UInt8] {
    let lengthCount = try lengthCount(bytes, nonce: nonce, associated: [])
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: AESBlockCipher.blockCount) {
      let counter = firstCounter + start / AESBlockCipher.blockCount
      let block =
        [UInt8(lengthCount - 1)] + nonce + Self.bigEndian(counter, count: lengthCount)
      output += zip(bytes[start...], try cipher.encrypt(block)).map { $0 ^ $1 }
    }
    return output
  }

  /// The number of bytes that are left in a block for the length: RFC 3610's L.
  private func lengthCount(
    _ plaintext: [UInt8], nonce: [UInt8], associated: [UInt8]
  ) throws(CryptographyError) -> Int {
    let lengthCount = 15 - nonce.count
    guard (2...8).contains(lengthCount) else {
      throw CryptographyError(.invalidLength, "a CCM nonce has 7 to 13 bytes")
    }
    guard lengthCount > 2 || plaintext.count <= 0xFFFF, associated.count < 0xFF00 else {
      throw CryptographyError(.invalidLength, "the input is too long for the nonce")
    }
    return lengthCount
  }

  private static func bigEndian(_ value: Int, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    let rest = bytes.count % AESBlockCipher.blockCount
    return rest == 0
      ? bytes : bytes + [UInt8](repeating: 0, count: AESBlockCipher.blockCount - rest)
  }
}
