// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  import COpenSSL

  /// OpenSSL, as far as it concerns the whole process.
  package enum OpenSSL {
    /// Leaves OpenSSL as it is when the process ends; to be touched before anything else of it.
    ///
    /// Its clean-up at the exit takes locks and generators away from threads that still encrypt,
    /// and the process crashes (OpenSSL's manual, OPENSSL_init_crypto, OPENSSL_INIT_NO_ATEXIT).
    package static let outlivesThreads =
      OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
  }
#endif
