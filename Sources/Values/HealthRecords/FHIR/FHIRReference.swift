// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// A resource that a server has once: its type, and the search by which it is found.
struct FHIRIdentity: Hashable, Sendable {
  let type: String
  let system: String
  let value: String
  /// The patient, of a resource whose identifier is unique for a patient only.
  var subject: String?

  /// The address of the resource within a Bundle.
  var fullURL: String {
    "urn:uuid:" + DigestUUID.text(of: (subject == nil ? type + "?" : "") + condition)
  }

  /// The search for what the server has.
  var condition: String {
    let identifier = "identifier=\(system)|\(Self.escaped(value))"
    return identifier + (subject.map { "&subject=\(Self.escaped($0))" } ?? "")
  }

  /// Text as the value of a search parameter: FHIR's own escapes, then those of a URL's query.
  private static func escaped(_ text: String) -> String {
    let bytes = text.utf8.flatMap { escapes.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    return queryText(String(decoding: bytes, as: UTF8.self))
  }

  /// Text as a value in the query of a URL.
  static func queryText(_ text: some StringProtocol) -> String {
    text.utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte))
        : "%" + String(Int(byte) + 256, radix: 16, uppercase: true).dropFirst()
    }.joined()
  }

  private static let escapes = Set(#"\,|$"#.utf8)
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/@".utf8)
}

/// How a resource refers to another one (`Reference`).
enum FHIRReference: Hashable, Sendable {
  /// By its address.
  case address(String)
  /// By its identifier, wherever the server has it.
  case identity(FHIRIdentity, display: String?)

  func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .address(let address): json.optional("reference", address)
      case .identity(let identity, let display):
        json.optional("type", identity.type)
        json.key("identifier")
        json.pair("system", identity.system, "value", identity.value)
        json.optional("display", display)
      }
    }
  }
}
