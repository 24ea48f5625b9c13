// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit

  /// AES-256-GCM by Apple's CryptoKit.
  final class RowCipher: Sendable {
    // As bytes, since older SDKs do not say that a SymmetricKey may be sent between threads.
    private let bytesOfKey: [UInt8]

    init(key: [UInt8]) { bytesOfKey = key }

    /// Calls `body` with what encrypts, for many rows on one thread.
    func encrypting<Result>(
      _ body: (RowEncryption) throws(SessionError) -> Result
    ) throws(SessionError) -> Result {
      try body(RowEncryption(key: SymmetricKey(data: bytesOfKey)))
    }

    func decrypt(_ sealed: [UInt8], name: String) -> [UInt8]? {
      let key = SymmetricKey(data: bytesOfKey)
      guard let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()),
        let opened = try? AES.GCM.open(box, using: key, authenticating: Array(name.utf8))
      else { return nil }
      return Array(opened)
    }
  }

  /// Encrypts rows, one after the other.
  struct RowEncryption {
    fileprivate let key: SymmetricKey

    /// Appends the sealed form of bytes, under a random nonce unless one is given; false when that
    /// fails.
    func encrypt(
      _ bytes: UnsafeBufferPointer<UInt8>, name: String, nonce: [UInt8]? = nil,
      onto output: inout [UInt8]
    ) -> Bool {
      guard let nonce = try? nonce.map({ try AES.GCM.Nonce(data: $0) }) ?? AES.GCM.Nonce() else {
        return false
      }
      let box = try? unsafe AES.GCM.seal(
        bytes, using: key, nonce: nonce, authenticating: Array(name.utf8))
      guard let sealed = box?.combined else { return false }
      output.append(RowSeal.sealedForm)
      output.append(contentsOf: sealed)
      return true
    }
  }
#else
  import COpenSSL
  import HealthRecords
  import SantorioConcurrency

  /// AES-256-GCM by OpenSSL.
  ///
  /// Contexts in which the key is set are kept, since setting it costs as much as a short row; each
  /// is used by one thread at a time.
  final class RowCipher: Sendable {
    private let key: [UInt8]
    private let encryptions = Locked<[RowEncryption]>([])
    private let decryptions = Locked<[RowDecryption]>([])

    init(key: [UInt8]) {
      _ = OpenSSL.outlivesThreads
      self.key = key
    }

    /// Calls `body` with what encrypts, for many rows on one thread.
    func encrypting<Result>(
      _ body: (RowEncryption) throws(SessionError) -> Result
    ) throws(SessionError) -> Result {
      let encryption = encryptions.withLock { $0.popLast() } ?? RowEncryption(key: key)
      defer { encryptions.withLock { $0.append(encryption) } }
      return try body(encryption)
    }

    func decrypt(_ sealed: [UInt8], name: String) -> [UInt8]? {
      let decryption = decryptions.withLock { $0.popLast() } ?? RowDecryption(key: key)
      defer { decryptions.withLock { $0.append(decryption) } }
      return decryption.decrypt(sealed, name: name)
    }
  }

  /// Encrypts rows, one after the other.
  @safe final class RowEncryption: @unchecked Sendable {
    private static let randomSize = 64 * RowSeal.nonceSize

    // Touched by one thread at a time, the one that has taken it.
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

    /// Appends the sealed form of bytes, under a random nonce unless one is given; false when that
    /// fails.
    func encrypt(
      _ bytes: UnsafeBufferPointer<UInt8>, name: String, nonce: [UInt8]? = nil,
      onto output: inout [UInt8]
    ) -> Bool {
      guard unsafe context != nil, nonce != nil || refill() else { return false }
      let start = output.count
      output.append(contentsOf: repeatElement(0, count: bytes.count + RowSeal.overhead))
      return unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe write(
          bytes, name: name, nonce, to: UnsafeMutableBufferPointer(rebasing: output[start...]))
      }
    }

    /// Writes the sealed form of bytes to a buffer of just its size.
    private func write(
      _ bytes: UnsafeBufferPointer<UInt8>, name: String, _ nonce: [UInt8]?,
      to buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
      guard let output = buffer.baseAddress else { return false }
      let (start, count) = (1 + RowSeal.nonceSize, bytes.count)
      let tag = start + count
      unsafe output.pointee = RowSeal.sealedForm
      if let nonce {
        unsafe (output + 1).update(from: nonce, count: RowSeal.nonceSize)
      } else {
        unsafe (output + 1).update(from: random + used, count: RowSeal.nonceSize)
        used += RowSeal.nonceSize
      }
      var written: Int32 = 0
      return unsafe EVP_EncryptInit_ex(context, nil, nil, nil, output + 1) == 1
        && EVP_EncryptUpdate(context, nil, &written, name, Int32(name.utf8.count)) == 1
        && EVP_EncryptUpdate(
          context, output + start, &written, bytes.baseAddress, Int32(count)) == 1
        && EVP_EncryptFinal_ex(context, output + tag, &written) == 1
        && EVP_CIPHER_CTX_ctrl(
          context, EVP_CTRL_GCM_GET_TAG, Int32(RowSeal.tagSize), output + tag) == 1
    }

    /// Sees to it that there are random bytes for a nonce; many are fetched at once.
    private func refill() -> Bool {
      guard used == Self.randomSize else { return true }
      guard unsafe RAND_bytes(random, Int32(Self.randomSize)) == 1 else { return false }
      used = 0
      return true
    }
  }

  /// Decrypts rows, one after the other.
  @safe private final class RowDecryption: @unchecked Sendable {
    // Touched by one thread at a time, the one that has taken it.
    private let context: OpaquePointer?

    init(key: [UInt8]) {
      unsafe context = EVP_CIPHER_CTX_new()
      guard unsafe context != nil else { return }
      unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nil)
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    func decrypt(_ sealed: [UInt8], name: String) -> [UInt8]? {
      let start = 1 + RowSeal.nonceSize
      let length = sealed.count - RowSeal.overhead
      // One more, since an empty array has no address to write to.
      var opened = [UInt8](repeating: 0, count: length + 1)
      let isDone = unsafe sealed.withUnsafeBufferPointer { buffer -> Bool in
        guard let input = buffer.baseAddress, unsafe context != nil else { return false }
        let tag = unsafe UnsafeMutablePointer(mutating: input + start + length)
        var count: Int32 = 0
        return unsafe EVP_DecryptInit_ex(context, nil, nil, nil, input + 1) == 1
          && EVP_DecryptUpdate(context, nil, &count, name, Int32(name.utf8.count)) == 1
          && EVP_DecryptUpdate(context, &opened, &count, input + start, Int32(length)) == 1
          && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(RowSeal.tagSize), tag) == 1
          && EVP_DecryptFinal_ex(context, &opened[length], &count) == 1
      }
      guard isDone else { return nil }
      opened.removeLast()
      return opened
    }
  }
#endif
