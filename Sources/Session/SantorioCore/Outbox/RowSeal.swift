// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import COpenSSL
#endif

/// Encrypts what the outbox keeps on disk: AES-256-GCM (NIST SP 800-38D).
///
/// The sealed form is the octet 0x01, a random nonce of 12 octets, the ciphertext, and a tag of 16
/// octets. The name under which something is sealed is authenticated with it, so that nothing can
/// take the place of something else. One key serves for 2³² rows.
struct RowSeal: Sendable {
  /// How many octets longer the sealed form is.
  static let overhead = 1 + nonceSize + tagSize
  static let keySize = 32
  private static let sealedForm: UInt8 = 0x01
  private static let nonceSize = 12
  private static let tagSize = 16

  private let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  /// A new key of the system's random generator.
  static func newKey() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<keySize).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Encrypts octets under a name.
  func seal(_ octets: [UInt8], as name: String) throws(SessionError) -> [UInt8] {
    guard let sealed = Self.encrypt(octets, key: key, name: Array(name.utf8)) else {
      throw SessionError(.storageFailed, "the record cannot be encrypted")
    }
    return sealed
  }

  /// Decrypts what was sealed under a name; nil when it is damaged or was sealed under another.
  func open(_ octets: [UInt8], as name: String) -> [UInt8]? {
    guard octets.first == Self.sealedForm, octets.count >= Self.overhead else { return nil }
    return Self.decrypt(octets, key: key, name: Array(name.utf8))
  }

  /// The end of the tag: another one for each sealing, so it tells one content of a row from the next.
  static func mark(of sealed: [UInt8]) -> Int64 {
    Int64(bitPattern: sealed.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Encrypts a text under a name.
  func seal(_ text: String?, as name: String) throws(SessionError) -> [UInt8]? {
    guard let text else { return nil }
    return try seal(Array(text.utf8), as: name)
  }
}

#if canImport(CryptoKit)
  extension RowSeal {
    private static func encrypt(_ octets: [UInt8], key: [UInt8], name: [UInt8]) -> [UInt8]? {
      let box = try? AES.GCM.seal(octets, using: SymmetricKey(data: key), authenticating: name)
      return box?.combined.map { [sealedForm] + $0 }
    }

    private static func decrypt(_ octets: [UInt8], key: [UInt8], name: [UInt8]) -> [UInt8]? {
      guard let box = try? AES.GCM.SealedBox(combined: octets.dropFirst()),
        let opened = try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: name)
      else { return nil }
      return Array(opened)
    }
  }
#else
  extension RowSeal {
    private static func encrypt(_ octets: [UInt8], key: [UInt8], name: [UInt8]) -> [UInt8]? {
      var sealed = [UInt8](repeating: 0, count: octets.count + overhead)
      sealed[0] = sealedForm
      let cipher = 1 + nonceSize
      let isDone = unsafe sealed.withUnsafeMutableBytes { buffer -> Bool in
        guard let start = buffer.baseAddress, let context = unsafe EVP_CIPHER_CTX_new()
        else {
          return false
        }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let output = unsafe start.assumingMemoryBound(to: UInt8.self)
        var count: Int32 = 0
        return unsafe RAND_bytes(output + 1, Int32(nonceSize)) == 1
          && EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, output + 1) == 1
          && EVP_EncryptUpdate(context, nil, &count, name, Int32(name.count)) == 1
          && EVP_EncryptUpdate(context, output + cipher, &count, octets, Int32(octets.count)) == 1
          && EVP_EncryptFinal_ex(context, output + cipher + octets.count, &count) == 1
          && EVP_CIPHER_CTX_ctrl(
            context, EVP_CTRL_GCM_GET_TAG, Int32(tagSize), output + cipher + octets.count) == 1
      }
      return isDone ? sealed : nil
    }

    private static func decrypt(_ octets: [UInt8], key: [UInt8], name: [UInt8]) -> [UInt8]? {
      let cipher = 1 + nonceSize
      let length = octets.count - overhead
      // One more, since an empty array has no address to write to.
      var opened = [UInt8](repeating: 0, count: length + 1)
      let isDone = unsafe octets.withUnsafeBytes { buffer -> Bool in
        guard let start = buffer.baseAddress, let context = unsafe EVP_CIPHER_CTX_new()
        else {
          return false
        }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let input = unsafe start.assumingMemoryBound(to: UInt8.self)
        let tag = unsafe UnsafeMutableRawPointer(mutating: input + cipher + length)
        var count: Int32 = 0
        return unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, input + 1) == 1
          && EVP_DecryptUpdate(context, nil, &count, name, Int32(name.count)) == 1
          && EVP_DecryptUpdate(context, &opened, &count, input + cipher, Int32(length)) == 1
          && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(tagSize), tag) == 1
          && EVP_DecryptFinal_ex(context, &opened[length], &count) == 1
      }
      return isDone ? Array(opened.prefix(length)) : nil
    }
  }
#endif
