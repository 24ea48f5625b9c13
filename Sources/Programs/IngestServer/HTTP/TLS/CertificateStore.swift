// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SantorioConcurrency

/// The certificate of the server, which can be replaced while it runs.
final class CertificateStore: Sendable {
  /// How long before its expiry a certificate should be renewed.
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

  /// Reloads the files; if they cannot be used, the current certificate stays in use.
  ///
  /// - Returns: Whether the new files are in use.
  @discardableResult
  func reload() -> Bool {
    do throws(IngestError) {
      let new = try TLSCertificate(certificate: files.certificate, key: files.key, at: now())
      certificate.withLock { $0 = new }
      log("certificate reloaded, valid until \(new.expiry.formatted(.iso8601))")
      warnOfExpiry()
      return true
    } catch {
      log("the new certificate cannot be used, the old one stays in use: \(error)")
      return false
    }
  }

  /// Logs a warning if the certificate has expired or expires soon.
  func warnOfExpiry() {
    if let warning = Self.warning(current.expiry, at: now()) { log(warning) }
  }

  /// The warning about a certificate; nil if it does not expire soon.
  static func warning(_ expiry: Date, at now: Date) -> String? {
    let left = expiry.timeIntervalSince(now)
    guard left < warningTime else { return nil }
    guard left > 0 else {
      return "the certificate has expired and clients refuse it; renew it and send SIGHUP"
    }
    let days = Int(left / 86_400) + 1
    return
      "the certificate expires within \(days) \(days == 1 ? "day" : "days"); renew it and send "
      + "SIGHUP"
  }
}
