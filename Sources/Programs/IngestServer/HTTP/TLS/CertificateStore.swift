// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SantorioConcurrency

/// The certificate of the server, which can be replaced while it runs.
final class CertificateStore: Sendable {
  /// How long before its end a certificate is to be renewed.
  static let warningTime = 30.0 * 86_400

  private let files: IngestServer.CertificateFiles
  private let now: @Sendable () -> Date
  private let log: @Sendable (String) -> Void
  private let certificate: Locked<TLSCertificate>

  /// Reads the files.
  ///
  /// - Throws: ``IngestError`` when they cannot be used.
  init(
    _ files: IngestServer.CertificateFiles, now: @escaping @Sendable () -> Date,
    log: @escaping @Sendable (String) -> Void
  ) throws(IngestError) {
    (self.files, self.now, self.log) = (files, now, log)
    certificate = Locked(
      try TLSCertificate(certificate: files.certificate, key: files.key, at: now()))
    warnOfExpiry()
  }

  /// The certificate for new connections.
  var current: TLSCertificate { certificate.withLock { $0 } }

  /// Reads the files again; where they cannot be used, what was read before stays.
  ///
  /// - Returns: Whether the files are used from now on.
  @discardableResult
  func reload() -> Bool {
    do throws(IngestError) {
      let new = try TLSCertificate(certificate: files.certificate, key: files.key, at: now())
      certificate.withLock { $0 = new }
      log("certificate loaded again, valid until \(new.expiry.formatted(.iso8601))")
      warnOfExpiry()
      return true
    } catch {
      log("the new certificate cannot be used, the old one stays: \(error)")
      return false
    }
  }

  /// Says in the log that the certificate ends soon, or has ended.
  func warnOfExpiry() {
    if let warning = Self.warning(current.expiry, at: now()) { log(warning) }
  }

  /// What to say of a certificate; nil where it is valid for long.
  static func warning(_ expiry: Date, at now: Date) -> String? {
    let left = expiry.timeIntervalSince(now)
    guard left < warningTime else { return nil }
    guard left > 0 else {
      return "the certificate has expired: clients refuse the server; renew it and send SIGHUP"
    }
    let days = Int(left / 86_400) + 1
    return
      "the certificate ends within \(days) \(days == 1 ? "day" : "days"); renew it and send SIGHUP"
  }
}
