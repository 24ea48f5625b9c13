// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// One entry of a Bundle of type `batch`.
struct FHIREntry {
  let observation: FHIRObservation
  /// The patient, as a reference.
  let subject: String
  /// Whether the entry takes the place of what the server has under its identifier.
  let replaces: Bool

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.optional("fullUrl", fullURL)
      json.key("resource")
      observation.write(to: &json, subject: subject)
      json.key("request")
      json.object { json in
        json.optional("method", replaces ? "PUT" : "POST")
        json.optional("url", replaces ? "Observation?\(condition)" : "Observation")
        if !replaces { json.optional("ifNoneExist", condition) }
      }
    }
  }

  var fullURL: String { "urn:uuid:" + DigestUUID.text(of: condition) }

  /// The search for what the server has: a `log_id` belongs to one user, and a server may have
  /// many.
  private var condition: String {
    let value = Self.escaped(observation.identifier)
    return "identifier=\(FHIREncoder.identifierSystem)|\(value)&subject=\(Self.escaped(subject))"
  }

  /// Text as the value of a search parameter: FHIR's own escapes, then those of a URL's query.
  private static func escaped(_ text: String) -> String {
    let bytes = text.utf8.flatMap { escapes.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    return bytes.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte))
        : "%" + String(Int(byte) + 256, radix: 16, uppercase: true).dropFirst()
    }.joined()
  }

  private static let escapes = Set(#"\,|$"#.utf8)
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/@".utf8)
}
