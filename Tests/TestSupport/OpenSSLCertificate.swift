// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A certificate that is its own authority, made by OpenSSL's command.
package struct OpenSSLCertificate: Sendable {
  /// The path of the certificate's file.
  package let certificate: String
  /// The path of the key's file.
  package let key: String

  /// Makes a certificate and its key.
  ///
  /// - Parameters:
  ///   - name: The name of the files.
  ///   - subject: What it is of, as OpenSSL writes it, such as `IP:127.0.0.1`.
  ///   - folder: Where the files lie.
  /// - Throws: An error when OpenSSL fails.
  package init(_ name: String, of subject: String, in folder: TemporaryFolder) throws {
    certificate = folder.path("\(name).pem")
    key = folder.path("\(name)-key.pem")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = [
      "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext",
      "subjectAltName=\(subject)", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
      "-keyout", key, "-out", certificate,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.start()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw POSIXError(.EINVAL) }
  }
}
