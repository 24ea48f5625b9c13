// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit
#else
  import COpenSSL
#endif

// A value; older SDKs do not say that CryptoKit's may be sent between threads.
/// The SHA-256 of bytes that arrive in parts.
@safe package struct SHA256Stream: @unchecked Sendable {
  #if canImport(CryptoKit)
    private var context = SHA256()
  #else
    private var context = SHA256_CTX()
  #endif

  /// Begins a digest.
  package init() {
    #if !canImport(CryptoKit)
      unsafe SHA256_Init(&context)
    #endif
  }

  /// Adds more bytes.
  package mutating func update(_ bytes: some RandomAccessCollection<UInt8>) {
    _ = bytes.withContiguousStorageIfAvailable { bytes in
      #if canImport(CryptoKit)
        unsafe context.update(bufferPointer: UnsafeRawBufferPointer(bytes))
      #else
        unsafe SHA256_Update(&context, bytes.baseAddress, bytes.count)
      #endif
    }
  }

  /// The digest of all bytes added, in lower-case hexadecimal digits.
  package func finish() -> String {
    #if canImport(CryptoKit)
      return SHA256Digest.text(Array(context.finalize()))
    #else
      var (context, digest) = (context, [UInt8](repeating: 0, count: 32))
      unsafe SHA256_Final(&digest, &context)
      return SHA256Digest.text(digest)
    #endif
  }
}
