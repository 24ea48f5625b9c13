// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

/// The options of commands that talk to a server, about the trust in the connection.
struct TransportOptions: Sendable {
  static let all = [
    CommandOption(
      "ca", "FILE", help: "Trust only the certificate authorities in this PEM file."),
    CommandOption(
      "pin", "sha256/KEY,sha256/KEY",
      help: "Trust only these keys of the server, the one in use and one in reserve."),
    CommandOption(
      "insecure", help: "Allow http:// to another machine: everything is sent unencrypted."),
  ]

  static let names = Set(all.map(\.name))

  /// Whether what is sent may go unencrypted to another machine.
  let allowsPlainHTTP: Bool
  private let authorities: URL?
  private let pinnedKeys: PinnedKeys?

  /// Takes the options from the arguments.
  ///
  /// - Parameter arguments: The arguments.
  /// - Throws: ``UsageError`` when the file cannot be read or the keys are not valid.
  init(_ arguments: Arguments) throws(UsageError) {
    allowsPlainHTTP = arguments.has("insecure")
    authorities = arguments["ca"].map { URL(fileURLWithPath: $0) }
    if let authorities, unsafe access(authorities.path, R_OK) != 0 {
      throw UsageError(
        "--ca takes a file of certificates; \"\(authorities.path)\" cannot be read.",
        command: arguments.command)
    }
    do throws(TransportError) {
      pinnedKeys = try arguments["pin"].map(Self.keys)
    } catch {
      throw UsageError(
        "--pin takes the SHA-256 of two keys (sha256/BASE64,sha256/BASE64): \(error.message).",
        command: arguments.command)
    }
  }

  private static func keys(_ text: String) throws(TransportError) -> PinnedKeys {
    let prefix = "sha256/"
    return try PinnedKeys(
      text.split(separator: ",", omittingEmptySubsequences: false).map { pin in
        pin.hasPrefix(prefix) ? String(pin.dropFirst(prefix.count)) : ""
      })
  }

  /// The transport for requests.
  func transport() -> CurlTransport {
    CurlTransport(pinnedKeys: pinnedKeys, certificateAuthorities: authorities)
  }

  /// Checks the address of a server, and warns when it would be sent unencrypted data.
  ///
  /// - Parameters:
  ///   - text: The address.
  ///   - option: The option that named it.
  ///   - command: The command.
  /// - Returns: The address.
  /// - Throws: ``UsageError`` when it is not a server's address, or is insecure and not allowed.
  func server(
    _ text: String, option: String = "server", for command: String
  ) throws(UsageError) -> URL {
    guard let server = URL(string: text), ["http", "https"].contains(server.scheme?.lowercased()),
      server.host?.isEmpty == false, server.query == nil, server.fragment == nil,
      server.user == nil, server.password == nil
    else {
      throw UsageError(
        "--\(option) takes an address like https://readings.example.org, not \"\(text)\".",
        command: command)
    }
    guard !server.isExposed || allowsPlainHTTP else {
      throw UsageError(
        "\"\(text)\" is plain HTTP to another machine: anyone on the network path could read the "
          + "token and all readings. Use https, or pass --insecure.", command: command)
    }
    return server
  }

  /// The warning about an address; nil when there is none.
  static func warning(about server: URL) -> String? {
    guard server.isExposed else { return nil }
    return "santorio: the token and all readings go unencrypted to \(server.host ?? "the server"): "
      + "anyone on the network path can read and change them"
  }
}
