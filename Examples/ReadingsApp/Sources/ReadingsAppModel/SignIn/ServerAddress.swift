// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The address of a server, as a person has entered it and the app can use it.
public struct ServerAddress: Hashable, Sendable {
  /// Why what was entered is no address.
  public enum Fault: Error, Hashable {
    /// Nothing was entered.
    case empty
    /// It is no address of a server.
    case malformed
    /// It is http to another machine, which the app was not built for.
    case insecure
  }

  /// The address.
  public let url: URL

  /// The address that was entered; https where nothing else is said.
  ///
  /// - Parameters:
  ///   - text: What was entered.
  ///   - allowsPlainHTTP: Whether other machines may be reached by http, see ``AppEnvironment``.
  /// - Throws: Why it is none.
  public init(_ text: String, allowsPlainHTTP: Bool = false) throws(Fault) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty else { throw .empty }
    let full = trimmed.contains("://") ? trimmed : "https://" + trimmed
    guard var parts = URLComponents(string: full), let host = parts.host, !host.isEmpty,
      parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
    else { throw .malformed }
    parts.scheme = parts.scheme?.lowercased()
    // One server has one address, since each address has readings of its own.
    var name = host.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    parts.host = name
    if parts.port == Self.usualPorts[parts.scheme ?? ""] { parts.port = nil }
    while parts.path.hasSuffix("/") { parts.path.removeLast() }
    // Of "https:/example.org" the scheme would be the name of a machine.
    guard Self.usualPorts[name] == nil, (1...65535).contains(parts.port ?? 1) else {
      throw .malformed
    }
    guard let url = parts.url else { throw .malformed }
    switch parts.scheme {
    case "https": break
    case "http": guard allowsPlainHTTP || Self.isThisMachine(host) else { throw .insecure }
    default: throw .malformed
    }
    self.url = url
  }

  private static let usualPorts = ["https": 443, "http": 80]

  private static func isThisMachine(_ host: String) -> Bool {
    ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
  }

  /// The address as the name of a file: no two addresses have the same.
  var fileName: String {
    url.absoluteString.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"):
        String(UnicodeScalar(byte))
      default: "_" + String(byte, radix: 16)
      }
    }
    .joined()
  }
}
