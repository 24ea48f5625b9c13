// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  import COpenSSL

  /// OpenSSL, as far as it concerns the whole process.
  package enum OpenSSL {
    /// Disables OpenSSL's clean-up at exit; to be accessed before any other use of OpenSSL.
    ///
    /// The clean-up frees locks and generators of threads that still encrypt, and the process
    /// crashes (OpenSSL's manual, OPENSSL_init_crypto, OPENSSL_INIT_NO_ATEXIT).
    package static let outlivesThreads =
      OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
  }
#endif
