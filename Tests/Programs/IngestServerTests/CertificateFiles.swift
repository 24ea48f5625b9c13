// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import IngestServer

/// Certificates of OpenSSL's command, made for a test.
struct TestCertificates {
  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  let folder: TemporaryFolder

  var files: IngestServer.CertificateFiles {
    IngestServer.CertificateFiles(
      certificate: folder.path + "/certificate.pem", key: folder.path + "/key.pem")
  }

  /// Makes a folder with a certificate that is its own authority.
  init() throws {
    folder = try TemporaryFolder()
    try make()
  }

  /// Puts another pair in the place of the present one.
  func make(key: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]) throws {
    try Self.openSSL(
      ["req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
        + ["-addext", "subjectAltName=IP:127.0.0.1", "-newkey"] + key
        + ["-keyout", files.key, "-out", files.certificate])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: files.key)
  }

  /// Replaces the certificate by one of the same key that has expired.
  func expire() throws {
    let request = folder.path + "/request.pem"
    try Self.openSSL(["req", "-new", "-key", files.key, "-subj", "/CN=127.0.0.1", "-out", request])
    try Self.openSSL([
      "x509", "-req", "-in", request, "-key", files.key, "-days", "-1", "-out", files.certificate,
    ])
  }

  /// The serial number of the certificate that a client is shown, by OpenSSL's client.
  static func shown(by port: UInt16, _ options: [String] = []) throws -> String? {
    let output = try run(
      ["s_client", "-connect", "127.0.0.1:\(port)", "-showcerts"] + options)
    guard let start = output.range(of: "-----BEGIN CERTIFICATE-----"),
      let end = output.range(of: "-----END CERTIFICATE-----")
    else { return nil }
    return String(output[start.lowerBound..<end.upperBound])
  }

  /// The certificate in the file.
  func certificate() throws -> String {
    try String(contentsOfFile: files.certificate, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func openSSL(_ arguments: [String]) throws {
    _ = try run(arguments, mayFail: false)
  }

  private static func run(_ arguments: [String], mayFail: Bool = true) throws -> String {
    let (process, output) = (Process(), Pipe.make())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    if !mayFail { try #require(process.terminationStatus == 0) }
    return String(decoding: data, as: UTF8.self)
  }
}
