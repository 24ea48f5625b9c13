// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit

  /// AES-256-GCM by Apple's CryptoKit.
  struct RowCipher: Sendable {
    // As octets, since older SDKs do not say that a SymmetricKey may be sent between threads.
    private let octetsOfKey: [UInt8]
    private var key: SymmetricKey { SymmetricKey(data: octetsOfKey) }

    init(key: [UInt8]) { octetsOfKey = key }

    /// Appends the sealed form of octets; false when that fails.
    func encrypt(_ octets: [UInt8], name: String, onto output: inout [UInt8]) -> Bool {
      let box = try? AES.GCM.seal(octets, using: key, authenticating: Array(name.utf8))
      guard let sealed = box?.combined else { return false }
      output.append(RowSeal.sealedForm)
      output.append(contentsOf: sealed)
      return true
    }

    func decrypt(_ sealed: [UInt8], name: String) -> [UInt8]? {
      guard let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()),
        let opened = try? AES.GCM.open(box, using: key, authenticating: Array(name.utf8))
      else { return nil }
      return Array(opened)
    }
  }
#else
  import COpenSSL
  import Foundation
  import HealthRecords

  /// AES-256-GCM by OpenSSL; the key is set once, since that costs as much as a short row.
  @safe final class RowCipher: @unchecked Sendable {
    private static let randomSize = 64 * RowSeal.nonceSize

    // `lock` guards the contexts and the random octets still to be used.
    private let lock = NSLock()
    private let encryption: OpaquePointer?
    private let decryption: OpaquePointer?
    private var random: [UInt8] = []
    private var used = 0

    init(key: [UInt8]) {
      _ = OpenSSL.outlivesThreads
      unsafe encryption = EVP_CIPHER_CTX_new()
      unsafe decryption = EVP_CIPHER_CTX_new()
      guard unsafe encryption != nil, unsafe decryption != nil else { return }
      unsafe EVP_EncryptInit_ex(encryption, EVP_aes_256_gcm(), nil, key, nil)
      unsafe EVP_DecryptInit_ex(decryption, EVP_aes_256_gcm(), nil, key, nil)
    }

    deinit {
      unsafe EVP_CIPHER_CTX_free(encryption)
      unsafe EVP_CIPHER_CTX_free(decryption)
    }

    /// Appends the sealed form of octets; false when that fails.
    func encrypt(_ octets: [UInt8], name: String, onto output: inout [UInt8]) -> Bool {
      lock.withLock {
        guard unsafe encryption != nil, refill() else { return false }
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: octets.count + RowSeal.overhead))
        return unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe write(
            octets, name: name, to: UnsafeMutableBufferPointer(rebasing: output[start...]))
        }
      }
    }

    /// Writes the sealed form of octets to a buffer of just its size.
    private func write(
      _ octets: [UInt8], name: String, to buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
      guard let output = buffer.baseAddress else { return false }
      let (start, tag) = (1 + RowSeal.nonceSize, 1 + RowSeal.nonceSize + octets.count)
      unsafe output.pointee = RowSeal.sealedForm
      unsafe random.withUnsafeBufferPointer { random in
        guard let fresh = random.baseAddress else { return }
        unsafe (output + 1).update(from: fresh + used, count: RowSeal.nonceSize)
      }
      used += RowSeal.nonceSize
      var count: Int32 = 0
      return unsafe EVP_EncryptInit_ex(encryption, nil, nil, nil, output + 1) == 1
        && EVP_EncryptUpdate(encryption, nil, &count, name, Int32(name.utf8.count)) == 1
        && EVP_EncryptUpdate(encryption, output + start, &count, octets, Int32(octets.count)) == 1
        && EVP_EncryptFinal_ex(encryption, output + tag, &count) == 1
        && EVP_CIPHER_CTX_ctrl(
          encryption, EVP_CTRL_GCM_GET_TAG, Int32(RowSeal.tagSize), output + tag) == 1
    }

    func decrypt(_ sealed: [UInt8], name: String) -> [UInt8]? {
      let start = 1 + RowSeal.nonceSize
      let length = sealed.count - RowSeal.overhead
      // One more, since an empty array has no address to write to.
      var opened = [UInt8](repeating: 0, count: length + 1)
      let isDone = lock.withLock {
        unsafe sealed.withUnsafeBufferPointer { buffer -> Bool in
          guard let input = buffer.baseAddress, unsafe decryption != nil else { return false }
          let tag = unsafe UnsafeMutablePointer(mutating: input + start + length)
          var count: Int32 = 0
          return unsafe EVP_DecryptInit_ex(decryption, nil, nil, nil, input + 1) == 1
            && EVP_DecryptUpdate(decryption, nil, &count, name, Int32(name.utf8.count)) == 1
            && EVP_DecryptUpdate(decryption, &opened, &count, input + start, Int32(length)) == 1
            && EVP_CIPHER_CTX_ctrl(
              decryption, EVP_CTRL_GCM_SET_TAG, Int32(RowSeal.tagSize), tag) == 1
            && EVP_DecryptFinal_ex(decryption, &opened[length], &count) == 1
        }
      }
      guard isDone else { return nil }
      opened.removeLast()
      return opened
    }

    /// Sees to it that there are random octets for a nonce; many are fetched at once.
    private func refill() -> Bool {
      guard used == random.count else { return true }
      used = 0
      random = [UInt8](repeating: 0, count: Self.randomSize)
      guard unsafe RAND_bytes(&random, Int32(random.count)) != 1 else { return true }
      random = []
      return false
    }
  }
#endif
