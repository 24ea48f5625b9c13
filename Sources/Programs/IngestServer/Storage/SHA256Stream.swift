// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// The SHA-256 of bytes that come in parts.
@safe final class SHA256Stream {
  private let context: OpaquePointer

  /// Begins a digest.
  ///
  /// - Throws: ``IngestError`` when OpenSSL cannot.
  init() throws(IngestError) {
    guard let made = unsafe EVP_MD_CTX_new() else { throw Self.failure }
    unsafe context = made
    guard unsafe EVP_DigestInit_ex(made, EVP_sha256(), nil) == 1 else { throw Self.failure }
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Takes some more.
  func update(_ bytes: some RandomAccessCollection<UInt8>) {
    _ = bytes.withContiguousStorageIfAvailable { bytes in
      unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }
  }

  /// The digest of all that was taken, in hexadecimal digits; the last call.
  func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe EVP_DigestFinal_ex(context, &digest, nil)
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static var failure: IngestError {
    IngestError(.unavailable, "OpenSSL cannot make a digest; is there enough memory?")
  }
}
