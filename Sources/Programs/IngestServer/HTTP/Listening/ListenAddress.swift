// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An address that the server listens on.
///
/// | Text | What it is |
/// |---|---|
/// | `127.0.0.1`, `192.0.2.7:8443` | IPv4, with the server's port or its own |
/// | `::1`, `[2001:db8::7]:8443` | IPv6 |
/// | `::` | every address of the machine, including IPv4; `0.0.0.0` is IPv4 only |
/// | `unix:/run/santorio/http.sock` | a socket file, for programs on this machine |
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
  enum Kind: Hashable, Sendable {
    case internet(host: String, isIPv6: Bool, port: UInt16?)
    case unix(path: String)
  }

  let kind: Kind

  /// Parses an address.
  ///
  /// - Throws: ``IngestError`` of code `invalid_configuration`.
  package init(_ text: String) throws(IngestError) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0) else {
        throw Self.invalid(text)
      }
      kind = .unix(path: path)
    } else {
      let (host, port) = try Self.split(text)
      guard let isIPv6 = Self.isIPv6(host) else { throw Self.invalid(text) }
      kind = .internet(host: host, isIPv6: isIPv6, port: port)
    }
  }

  /// Creates the address of a socket file.
  init(socket path: String) { kind = .unix(path: path) }

  /// Whether only programs on this machine can reach the address.
  package var isLocal: Bool {
    switch kind {
    case .unix: true
    case .internet(let host, _, _):
      ClientAddress(host).map { $0.text == "::1" || $0.text.hasPrefix("127.") } ?? false
    }
  }

  /// Whether it is an internet address, which uses TLS if that is configured.
  package var isInternet: Bool {
    guard case .internet = kind else { return false }
    return true
  }

  /// The path of a socket file.
  var path: String? {
    guard case .unix(let path) = kind else { return nil }
    return path
  }

  /// The port, if the address has one of its own.
  var port: UInt16? {
    guard case .internet(_, _, let port) = kind else { return nil }
    return port
  }

  /// The address in its textual form.
  package var description: String {
    switch kind {
    case .unix(let path): "unix:\(path)"
    case .internet(let host, let isIPv6, let port):
      (isIPv6 ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }
  }

  /// Host and port as in a URL; a wildcard address becomes the loopback address.
  package func host(port: UInt16) -> String {
    guard case .internet(let host, let isIPv6, _) = kind else { return description }
    let own = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
    return (isIPv6 ? "[\(own)]" : own) + ":\(port)"
  }

  /// The address with the port that the server listens on.
  func description(port: UInt16) -> String {
    guard case .internet(let host, let isIPv6, _) = kind else { return description }
    return (isIPv6 ? "[\(host)]" : host) + ":\(port)"
  }

  private static func split(_ text: String) throws(IngestError) -> (String, UInt16?) {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      let host = String(text[text.index(after: text.startIndex)..<end])
      return (host, try port(text[text.index(after: end)...], of: text))
    }
    guard text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") else {
      return (text, nil)
    }
    return (String(text[..<colon]), try port(text[colon...], of: text))
  }

  private static func port(
    _ rest: Substring, of text: String
  ) throws(IngestError) -> UInt16? {
    guard !rest.isEmpty else { return nil }
    guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()) else { throw invalid(text) }
    return port
  }

  private static func isIPv6(_ host: String) -> Bool? {
    var (short, long) = (in_addr(), in6_addr())
    if unsafe inet_pton(AF_INET, host, &short) == 1 { return false }
    return unsafe inet_pton(AF_INET6, host, &long) == 1 ? true : nil
  }

  private static func invalid(_ text: String) -> IngestError {
    IngestError(
      .invalidConfiguration,
      "\"\(text)\" is not a listen address; use 127.0.0.1, ::1, [::1]:8080 or unix:/path")
  }
}
