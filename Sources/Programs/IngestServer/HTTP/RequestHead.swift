// SPDX-License-Identifier: Apache-2.0

/// The header of a request.
struct RequestHead: Sendable {
  var method: String
  /// The path as it was sent, with its escapes.
  var path: String
  /// The address of the client, as seen by the server or as reported by its proxy.
  var clientAddress = ClientAddress.local
  /// Whether it came through the server's own socket, which only the operator may open.
  var isOperator = false
  /// The query's names and values, without escapes, in the order sent.
  var query: [(name: String, value: String)] = []
  var authorization: String?
  var contentType: String?
  var contentEncoding: String?
  /// The length that the client announces; nil for a chunked body and for none.
  var contentLength: Int?
  var lastEventID: String?
  var ifMatch: String?
  /// Whether the client waits for a 100 response before it sends the body.
  var expectsContinue = false
  /// Whether the end of the body is ambiguous (RFC 9112 §6.3).
  ///
  /// A proxy may see a different end, after which another client's request starts.
  var isAmbiguous = false

  /// The segments of the path, unescaped; nil when an escape is not valid UTF-8.
  var segments: [String]? {
    guard path.hasPrefix("/") else { return nil }
    var segments: [String] = []
    for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let text = Self.unescape(segment) else { return nil }
      segments.append(text)
    }
    return segments
  }

  /// The first value of a name in the query.
  func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The token of an `Authorization: Bearer` header.
  var bearerToken: String? {
    guard let parts = authorization?.split(separator: " "), parts.count == 2,
      parts[0].lowercased() == "bearer"
    else { return nil }
    return String(parts[1])
  }

  /// The media type without its parameters, in lower case.
  var mediaType: String? {
    let type = contentType?.prefix { $0 != ";" && $0 != " " }
    return type?.lowercased()
  }

  /// Whether the body is uncompressed.
  var isPlain: Bool { (contentEncoding ?? "identity").lowercased() == "identity" }
  /// Whether the body is compressed once with gzip, also under its old name.
  var isGzip: Bool { ["gzip", "x-gzip"].contains(contentEncoding?.lowercased()) }

  /// Resolves percent escapes; nil when one is incomplete or the result is not valid UTF-8.
  static func unescape(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(hexDigit), let low = rest.next().flatMap(hexDigit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Escapes a path segment: all but the unreserved characters of RFC 3986.
  static func escape(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        [byte]
      default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
