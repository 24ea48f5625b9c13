// SPDX-License-Identifier: Apache-2.0

import CGnuTLS
import CMicrohttpd
import COpenSSL
import FoundationEssentials
import SantorioConcurrency

/// A certificate chain and its private key.
///
/// GnuTLS keeps pointers into it while a connection that was opened with it lives, so each
/// connection holds a reference.
@safe final class TLSCertificate: Sendable {
  /// The most certificates in a chain.
  private static let longestChain: UInt32 = 16

  // Created in `init` and never changed afterwards.
  fileprivate nonisolated(unsafe) let chain: UnsafeMutablePointer<gnutls_pcert_st>
  fileprivate let count: UInt32
  fileprivate nonisolated(unsafe) let key: gnutls_privkey_t
  /// The end of the certificate's validity.
  let expiry: Date

  /// Reads a certificate and its key from PEM files.
  ///
  /// - Throws: ``IngestError`` of code `invalid_configuration` when a file cannot be read, the key
  ///   does not match the certificate, or the certificate is not valid at `date`.
  init(certificate: String, key keyPath: String, at date: Date) throws(IngestError) {
    let chain = unsafe try Self.chain(certificate)
    unsafe (self.chain, count) = unsafe (chain.start, chain.count)
    do throws(IngestError) {
      unsafe key = try Self.key(keyPath)
    } catch {
      unsafe Self.free(chain.start, chain.count)
      throw error
    }
    let facts = unsafe Facts(chain.start.pointee, key)
    expiry = facts.expiry
    // From here on `deinit` frees both.
    guard facts.keyMatches else {
      throw Self.invalid("the key \(keyPath) does not match the certificate \(certificate)")
    }
    guard date < facts.expiry else {
      throw Self.invalid("the certificate \(certificate) has expired; renew it")
    }
    guard facts.start <= date else {
      throw Self.invalid(
        "the certificate \(certificate) is not yet valid; check the machine's clock")
    }
  }

  deinit {
    unsafe Self.free(chain, count)
    unsafe gnutls_privkey_deinit(key)
  }

  private static func free(_ chain: UnsafeMutablePointer<gnutls_pcert_st>, _ count: UInt32) {
    for place in 0..<Int(count) { unsafe gnutls_pcert_deinit(chain + place) }
    unsafe chain.deallocate()
  }

  private static func chain(
    _ path: String
  ) throws(IngestError) -> (start: UnsafeMutablePointer<gnutls_pcert_st>, count: UInt32) {
    let pem = try PrivateFile.read(path, isSecret: false)
    let start = UnsafeMutablePointer<gnutls_pcert_st>.allocate(capacity: Int(longestChain))
    var count = longestChain
    let code = unsafe withDatum(pem) { datum in
      unsafe gnutls_pcert_list_import_x509_raw(
        start, &count, &datum, GNUTLS_X509_FMT_PEM, UInt32(GNUTLS_X509_CRT_LIST_SORT.rawValue))
    }
    guard code == 0, count > 0 else {
      unsafe start.deallocate()
      throw invalid("\(path) contains no certificate in PEM form", code)
    }
    return unsafe (start, count)
  }

  private static func key(_ path: String) throws(IngestError) -> gnutls_privkey_t {
    var pem = try PrivateFile.read(path, isSecret: true)
    defer { unsafe OPENSSL_cleanse(&pem, pem.count) }
    var made: gnutls_privkey_t?
    guard unsafe gnutls_privkey_init(&made) == 0, let key = unsafe made else {
      throw IngestError(.unavailable, "GnuTLS is out of memory for a key")
    }
    let code = unsafe withDatum(pem) { datum in
      unsafe gnutls_privkey_import_x509_raw(key, &datum, GNUTLS_X509_FMT_PEM, nil, 0)
    }
    guard code == 0 else {
      unsafe gnutls_privkey_deinit(key)
      throw invalid("\(path) contains no key in PEM form without a password", code)
    }
    return unsafe key
  }

  private static func withDatum(
    _ bytes: [UInt8], _ body: (inout gnutls_datum_t) -> Int32
  ) -> Int32 {
    var bytes = bytes
    return unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      var datum = unsafe gnutls_datum_t(data: bytes.baseAddress, size: UInt32(bytes.count))
      return unsafe body(&datum)
    }
  }

  private static func invalid(_ message: String, _ code: Int32? = nil) -> IngestError {
    IngestError(
      .invalidConfiguration, message,
      cause: unsafe code.flatMap { unsafe gnutls_strerror($0) }.map { unsafe String(cString: $0) })
  }

  // MARK: - Facts

  /// The properties to check before a certificate is used.
  private struct Facts {
    var start = Date.distantFuture
    var expiry = Date.distantPast
    var keyMatches = false

    @unsafe init(_ certificate: gnutls_pcert_st, _ key: gnutls_privkey_t) {
      var made: gnutls_x509_crt_t?
      guard unsafe gnutls_x509_crt_init(&made) == 0, let crt = unsafe made else { return }
      defer { unsafe gnutls_x509_crt_deinit(crt) }
      var datum = unsafe certificate.cert
      guard unsafe gnutls_x509_crt_import(crt, &datum, GNUTLS_X509_FMT_DER) == 0 else { return }
      start = Date(
        timeIntervalSince1970: Double(unsafe gnutls_x509_crt_get_activation_time(crt)))
      expiry = Date(
        timeIntervalSince1970: Double(unsafe gnutls_x509_crt_get_expiration_time(crt)))
      keyMatches = unsafe Self.keyMatches(certificate, key)
    }

    @unsafe private static func keyMatches(
      _ certificate: gnutls_pcert_st, _ key: gnutls_privkey_t
    ) -> Bool {
      var made: gnutls_pubkey_t?
      guard unsafe gnutls_pubkey_init(&made) == 0, let own = unsafe made else { return false }
      defer { unsafe gnutls_pubkey_deinit(own) }
      guard unsafe gnutls_pubkey_import_privkey(own, key, 0, 0) == 0 else { return false }
      let one = unsafe keyID(own)
      return unsafe one != nil && one == keyID(certificate.pubkey)
    }

    @unsafe private static func keyID(_ key: gnutls_pubkey_t) -> [UInt8]? {
      var id = [UInt8](repeating: 0, count: 64)
      var size = id.count
      let flags = UInt32(GNUTLS_KEYID_USE_SHA256.rawValue)
      guard unsafe gnutls_pubkey_get_key_id(key, flags, &id, &size) == 0 else { return nil }
      return Array(id.prefix(size))
    }
  }
}

/// Called at each handshake for the certificate to present.
let certificateRequested:
  @convention(c) (
    gnutls_session_t?, UnsafePointer<gnutls_cert_retr_st>?,
    UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>?, UnsafeMutablePointer<UInt32>?,
    UnsafeMutablePointer<UnsafeMutablePointer<gnutls_ocsp_data_st>?>?,
    UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<gnutls_privkey_t?>?,
    UnsafeMutablePointer<UInt32>?
  ) -> Int32 = { session, _, chain, count, responses, responseCount, key, flags in
    // The library stores the connection in the session.
    guard let session = unsafe session, let connection = unsafe gnutls_session_get_ptr(session),
      let client = unsafe httpConnection(of: OpaquePointer(connection)),
      let certificate = client.listener.certificates?.current
    else { return -1 }
    client.certificate.withLock { $0 = certificate }
    unsafe chain?.pointee = certificate.chain
    unsafe count?.pointee = certificate.count
    unsafe responses?.pointee = nil
    unsafe responseCount?.pointee = 0
    unsafe key?.pointee = certificate.key
    unsafe flags?.pointee = 0
    return 0
  }
