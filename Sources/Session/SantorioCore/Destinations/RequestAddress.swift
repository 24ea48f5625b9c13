// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Builds addresses below a server's; every part is escaped, so no identifier changes the path.
enum RequestAddress {
  /// The address of a path below `base`: its own path is kept, its query is dropped.
  ///
  /// The parts of the path must already be escaped; the values of the query must not.
  static func url(_ base: URL, _ path: String, query: [(String, String)] = []) -> URL {
    guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else { return base }
    let front = parts.percentEncodedPath
    parts.percentEncodedPath = "\(front.hasSuffix("/") ? String(front.dropLast()) : front)/\(path)"
    parts.percentEncodedQuery =
      query.isEmpty ? nil : query.map { "\($0)=\(escaped($1))" }.joined(separator: "&")
    parts.fragment = nil
    return parts.url ?? base
  }

  /// A text as one part of a path or a query.
  ///
  /// All but RFC 3986's unreserved characters are escaped, and the dots of `.` and `..`.
  static func escaped(_ text: String) -> String {
    let isDots = text == "." || text == ".."
    var escaped = ""
    for byte in text.utf8 {
      if isUnreserved(byte), !isDots {
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        escaped += "%" + (byte < 16 ? "0" : "") + digits
      }
    }
    return escaped
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }
}

extension TransportHeader {
  static func bearer(_ token: String) -> TransportHeader {
    TransportHeader("Authorization", "Bearer \(token)")
  }

  static func contentType(_ type: String) -> TransportHeader {
    TransportHeader("Content-Type", type)
  }
}
