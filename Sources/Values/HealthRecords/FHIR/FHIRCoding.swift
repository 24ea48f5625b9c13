// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// A code of a system (`Coding`).
struct FHIRCoding: Hashable, Sendable {
  let system: String
  let code: String

  init(_ system: String, _ code: String) {
    self.system = system
    // Blanks within a code are single, and never at its ends.
    self.code = code.unicodeScalars.split { $0.properties.isWhitespace || $0.isBarred }
      .map(String.init).joined(separator: " ")
  }

  init(_ code: MetricCode) { self.init(code.system.rawValue, code.code) }

  /// A name of the Inform API, which is an open set and so has no system of its own.
  static func own(_ kind: String, _ name: String) -> FHIRCoding {
    FHIRCoding("urn:santorio:\(kind)", name)
  }

  static func terminology(_ system: String, _ code: String) -> FHIRCoding {
    FHIRCoding("http://terminology.hl7.org/CodeSystem/\(system)", code)
  }
}

/// A concept, as codes and as text (`CodeableConcept`).
struct FHIRConcept: Hashable, Sendable {
  var codings: [FHIRCoding]
  var text: String?

  init(_ codings: [FHIRCoding], text: String? = nil) {
    self.codings = codings.filter { !$0.code.isEmpty }
    // A name of blanks would leave nothing, and an empty object is not allowed.
    self.text = text?.fhirText ?? (self.codings.isEmpty ? "unnamed" : nil)
  }

  init(_ concept: CodedConcept) {
    self.init(concept.codes.map(FHIRCoding.init), text: concept.name)
  }

  /// Writes the concept, which has a code or a text.
  func write(to json: inout JSONWriter) {
    json.object { json in
      if !codings.isEmpty {
        json.list("coding", codings) { $0.pair("system", $1.system, "code", $1.code) }
      }
      json.optional("text", text)
    }
  }
}

extension Unicode.Scalar {
  /// Whether FHIR bars the scalar from a string: a control character but tab and line breaks.
  fileprivate var isBarred: Bool {
    value == 0x7f || value < 0x20 && self != "\t" && self != "\n" && self != "\r"
  }
}

extension StringProtocol {
  /// The text as a FHIR string: without control characters but tab and line breaks, without blanks
  /// at its ends; nil when nothing is left.
  var fhirText: String? {
    let allowed = unicodeScalars.map { $0.isBarred ? " " : $0 }
    let trimmed = allowed.drop(while: \.properties.isWhitespace).reversed()
      .drop(while: \.properties.isWhitespace).reversed()
    return trimmed.isEmpty ? nil : String(String.UnicodeScalarView(trimmed))
  }
}
