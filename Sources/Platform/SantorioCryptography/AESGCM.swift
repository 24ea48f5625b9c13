// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit
#else
  import COpenSSL
  import SantorioConcurrency
#endif

/// AES-256 in Galois/counter mode: encrypts bytes and authenticates them and a text.
///
/// The sealed form is a nonce of 12 bytes, the ciphertext, and a tag of 16 bytes. Source: NIST
/// SP 800-38D.
package final class AESGCM: Sendable {
  package static let nonceSize = 12
  package static let tagSize = 16
  /// How many bytes longer the sealed form is.
  package static let overhead = nonceSize + tagSize

  #if canImport(CryptoKit)
    // As bytes, since older SDKs do not say that a SymmetricKey may be sent between threads.
    private let key: [UInt8]
  #else
    // Contexts in which the key is set are kept, since setting it costs as much as some hundred
    // bytes; each is used by one thread at a time.
    private let key: [UInt8]
    private let encryptions = Locked<[Encryption]>([])
    private let decryptions = Locked<[Decryption]>([])
  #endif

  /// Takes a key of 32 bytes.
  package init(key: [UInt8]) {
    #if !canImport(CryptoKit)
      _ = OpenSSL.outlivesThreads
    #endif
    self.key = key
  }

  /// Calls `body` with an encryption, for many messages on one thread.
  package func encrypting<Result, Failure: Error>(
    _ body: (Encryption) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if canImport(CryptoKit)
      return try body(Encryption(key: SymmetricKey(data: key)))
    #else
      let encryption = encryptions.withLock { $0.popLast() } ?? Encryption(key: key)
      defer { encryptions.withLock { $0.append(encryption) } }
      return try body(encryption)
    #endif
  }

  /// Decrypts bytes sealed with a text; nil when the key, the text or the bytes do not match.
  ///
  /// - Parameters:
  ///   - sealed: Bytes that end with the sealed form.
  ///   - start: Where the sealed form begins.
  ///   - text: The text that is authenticated, too.
  /// - Returns: The plaintext.
  package func open(
    _ sealed: [UInt8], from start: Int = 0, authenticating text: String
  ) -> [UInt8]? {
    guard sealed.count - start >= Self.overhead else { return nil }
    #if canImport(CryptoKit)
      guard let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst(start)),
        let opened = try? AES.GCM.open(
          box, using: SymmetricKey(data: key), authenticating: Array(text.utf8))
      else { return nil }
      return Array(opened)
    #else
      let decryption = decryptions.withLock { $0.popLast() } ?? Decryption(key: key)
      defer { decryptions.withLock { $0.append(decryption) } }
      return decryption.open(sealed, from: start, authenticating: text)
    #endif
  }
}

#if canImport(CryptoKit)
  extension AESGCM {
    /// Encrypts messages, one after the other.
    package struct Encryption {
      fileprivate let key: SymmetricKey

      /// Appends the sealed form of bytes, under a random nonce unless one is given; false when
      /// that fails.
      package func seal(
        _ bytes: UnsafeBufferPointer<UInt8>, authenticating text: String, nonce: [UInt8]? = nil,
        onto output: inout [UInt8]
      ) -> Bool {
        guard let nonce = try? nonce.map({ try AES.GCM.Nonce(data: $0) }) ?? AES.GCM.Nonce() else {
          return false
        }
        let box = try? unsafe AES.GCM.seal(
          bytes, using: key, nonce: nonce, authenticating: Array(text.utf8))
        guard let sealed = box?.combined else { return false }
        output.append(contentsOf: sealed)
        return true
      }
    }
  }
#else
  extension AESGCM {
    /// Encrypts messages, one after the other.
    @safe package final class Encryption: @unchecked Sendable {
      private static let randomSize = 64 * nonceSize

      // Used by one thread at a time, the one that has taken it.
      private let context: OpaquePointer?
      // Bytes for nonces; those from `used` on are fresh.
      private let random: UnsafeMutablePointer<UInt8>
      private var used = randomSize

      fileprivate init(key: [UInt8]) {
        unsafe random = .allocate(capacity: Self.randomSize)
        unsafe random.initialize(repeating: 0, count: Self.randomSize)
        unsafe context = EVP_CIPHER_CTX_new()
        guard unsafe context != nil else { return }
        unsafe EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nil)
      }

      deinit {
        unsafe random.deallocate()
        unsafe EVP_CIPHER_CTX_free(context)
      }

      /// Appends the sealed form of bytes, under a random nonce unless one is given; false when
      /// that fails.
      package func seal(
        _ bytes: UnsafeBufferPointer<UInt8>, authenticating text: String, nonce: [UInt8]? = nil,
        onto output: inout [UInt8]
      ) -> Bool {
        guard unsafe context != nil, nonce != nil || refill() else { return false }
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: bytes.count + overhead))
        return unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe write(
            bytes, text, nonce, to: UnsafeMutableBufferPointer(rebasing: output[start...]))
        }
      }

      /// Writes the sealed form of bytes to a buffer of exactly its size.
      private func write(
        _ bytes: UnsafeBufferPointer<UInt8>, _ text: String, _ nonce: [UInt8]?,
        to buffer: UnsafeMutableBufferPointer<UInt8>
      ) -> Bool {
        guard let output = buffer.baseAddress else { return false }
        if let nonce {
          unsafe output.update(from: nonce, count: nonceSize)
        } else {
          unsafe output.update(from: random + used, count: nonceSize)
          used += nonceSize
        }
        let tag = nonceSize + bytes.count
        var written: Int32 = 0
        return unsafe EVP_EncryptInit_ex(context, nil, nil, nil, output) == 1
          && EVP_EncryptUpdate(context, nil, &written, text, Int32(text.utf8.count)) == 1
          && EVP_EncryptUpdate(
            context, output + nonceSize, &written, bytes.baseAddress, Int32(bytes.count)) == 1
          && EVP_EncryptFinal_ex(context, output + tag, &written) == 1
          && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, Int32(tagSize), output + tag) == 1
      }

      /// Ensures that there are random bytes for a nonce; many are fetched at once.
      private func refill() -> Bool {
        guard used == Self.randomSize else { return true }
        guard unsafe RAND_bytes(random, Int32(Self.randomSize)) == 1 else { return false }
        used = 0
        return true
      }
    }

    /// Decrypts messages, one after the other.
    @safe fileprivate final class Decryption: @unchecked Sendable {
      // Touched by one thread at a time, the one that has taken it.
      private let context: OpaquePointer?

      init(key: [UInt8]) {
        unsafe context = EVP_CIPHER_CTX_new()
        guard unsafe context != nil else { return }
        unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nil)
      }

      deinit { unsafe EVP_CIPHER_CTX_free(context) }

      func open(_ sealed: [UInt8], from start: Int, authenticating text: String) -> [UInt8]? {
        let length = sealed.count - start - overhead
        // One more, since an empty array has no address to write to.
        var opened = [UInt8](repeating: 0, count: length + 1)
        let isDone = unsafe sealed.withUnsafeBufferPointer { buffer -> Bool in
          guard let base = buffer.baseAddress, unsafe context != nil else { return false }
          let nonce = unsafe base + start
          let input = unsafe nonce + nonceSize
          let tag = unsafe UnsafeMutablePointer(mutating: input + length)
          var count: Int32 = 0
          return unsafe EVP_DecryptInit_ex(context, nil, nil, nil, nonce) == 1
            && EVP_DecryptUpdate(context, nil, &count, text, Int32(text.utf8.count)) == 1
            && EVP_DecryptUpdate(context, &opened, &count, input, Int32(length)) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(tagSize), tag) == 1
            && EVP_DecryptFinal_ex(context, &opened[length], &count) == 1
        }
        guard isDone else { return nil }
        opened.removeLast()
        return opened
      }
    }
  }
#endif
