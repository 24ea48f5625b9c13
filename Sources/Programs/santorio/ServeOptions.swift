// SPDX-License-Identifier: Apache-2.0

import Foundation
import IngestServer

/// Where `santorio serve` listens, and how it is protected there.
struct ServeOptions {
  static let options = [
    CommandOption(
      "address", "ADDRESSES",
      help:
        "Where to listen, comma-separated: IPv4, IPv6 or unix:/path; 127.0.0.1 if not given."),
    CommandOption(
      "port", "PORT", help: "Port to listen on, 0 for any free one; 8080 if not given."),
    CommandOption(
      "socket-mode", "MODE", help: "Permissions of unix: socket files; 600 if not given."),
    CommandOption(
      "tls-certificate", "FILE", help: "PEM certificate chain; enables TLS."),
    CommandOption("tls-key", "FILE", help: "PEM key of the certificate."),
    CommandOption(
      "insecure", help: "Allow addresses that other machines can reach without TLS."),
    CommandOption(
      "behind-proxy", help: "Take the client's address from the proxy's X-Forwarded-For."),
    CommandOption(
      "limit", "NAME=NUMBER", help: "Set limits, comma-separated; see Documentation/server.md."),
  ]

  let addresses: [ListenAddress]
  let port: UInt16
  let socketMode: UInt32
  let certificate: IngestServer.CertificateFiles?
  let isBehindProxy: Bool
  let limits: IngestServer.Limits

  init(_ arguments: Arguments) throws {
    port = UInt16(try arguments.integer("port", in: 0...65_535) ?? 8080)
    addresses = try (arguments["address"] ?? "127.0.0.1").split(separator: ",").map { text in
      do throws(IngestError) {
        return try ListenAddress(String(text))
      } catch {
        throw UsageError("--address: \(error.message).", command: "serve")
      }
    }
    socketMode = try Self.mode(arguments["socket-mode"] ?? "600")
    certificate = try Self.certificate(arguments)
    isBehindProxy = arguments.has("behind-proxy")
    limits = try Self.limits(arguments["limit"])
    try checkExposure(isAllowed: arguments.has("insecure"))
  }

  /// The unprotected addresses that other machines can reach.
  var exposed: [ListenAddress] {
    certificate == nil ? addresses.filter { !$0.isLocal } : []
  }

  private func checkExposure(isAllowed: Bool) throws(UsageError) {
    guard let open = exposed.first else { return }
    guard !isBehindProxy else {
      throw UsageError(
        "--behind-proxy: other machines can reach \(open), and claim any address; listen on "
          + "127.0.0.1, ::1 or unix:/path.", command: "serve")
    }
    guard isAllowed else {
      throw UsageError(
        "on \(open) tokens and readings would cross the network as plain text: use "
          + "--tls-certificate and --tls-key, listen on 127.0.0.1 behind a proxy that speaks TLS, "
          + "or allow it with --insecure.", command: "serve")
    }
  }

  private static func mode(_ text: String) throws(UsageError) -> UInt32 {
    guard let mode = UInt32(text, radix: 8), mode <= 0o777, mode & 0o600 == 0o600 else {
      throw UsageError(
        "--socket-mode takes permissions in octal digits such as 600 or 660, not \"\(text)\".",
        command: "serve")
    }
    return mode
  }

  private static func certificate(
    _ arguments: Arguments
  ) throws(UsageError) -> IngestServer.CertificateFiles? {
    switch (arguments["tls-certificate"], arguments["tls-key"]) {
    case (let certificate?, let key?):
      return IngestServer.CertificateFiles(certificate: certificate, key: key)
    case (nil, nil): return nil
    case (_, nil):
      throw UsageError("--tls-certificate requires --tls-key.", command: "serve")
    case (nil, _):
      throw UsageError("--tls-key requires --tls-certificate.", command: "serve")
    }
  }

  private static func limits(_ text: String?) throws(UsageError) -> IngestServer.Limits {
    var limits = IngestServer.Limits()
    for setting in (text ?? "").split(separator: ",") {
      let parts = setting.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = Int(parts[1]) else {
        throw UsageError(
          "--limit takes NAME=NUMBER such as connections=2000, not \"\(setting)\".",
          command: "serve")
      }
      do throws(IngestError) {
        try limits.set(String(parts[0]), to: value)
      } catch {
        throw UsageError("--limit: \(error.message).", command: "serve")
      }
    }
    return limits
  }
}
