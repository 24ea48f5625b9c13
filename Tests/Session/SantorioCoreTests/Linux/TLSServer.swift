// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCore
import SantorioCryptography

/// OpenSSL's own test server with a certificate made for the test, in a process of its own.
final class TLSServer: @unchecked Sendable {
  // Used by one test at a time.
  private let process = Process()
  private let folder: TemporaryFolder
  let port: UInt16

  static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  /// The certificate, which is its own authority.
  var certificate: URL { folder.url.appendingPathComponent("certificate.pem") }
  var url: URL? { URL(string: "https://127.0.0.1:\(port)/") }

  /// `key` is what `openssl req -newkey` takes, for instance `rsa:2048`.
  init(key: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    _ = try Self.openSSL(
      ["req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
        + ["-addext", "subjectAltName=IP:127.0.0.1", "-newkey"] + key
        + ["-keyout", folder.path("key.pem"), "-out", folder.path("certificate.pem")])
    let output = Pipe.make()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = [
      "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", folder.path("certificate.pem"),
      "-key", folder.path("key.pem"),
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    // It prints its port: "ACCEPT 127.0.0.1:40123".
    var text = ""
    while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty)
      text += String(decoding: data, as: UTF8.self)
    }
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") })
    port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) })
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The DER bytes of the public key, by OpenSSL.
  func publicKeyInfo() throws -> [UInt8] {
    try Self.openSSL([
      "pkey", "-in", folder.path("key.pem"), "-pubout", "-outform", "DER",
    ])
  }

  /// The pin of the public key.
  func pin() throws -> String {
    Data(SHA256Digest.bytes(try publicKeyInfo())).base64EncodedString()
  }

  private static func openSSL(_ arguments: [String]) throws -> [UInt8] {
    let (process, output) = (Process(), Pipe.make())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return Array(data)
  }
}
