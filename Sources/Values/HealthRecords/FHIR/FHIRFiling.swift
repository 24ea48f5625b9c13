// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SantorioJSON

/// An Observation on its way to an electronic health record, see ``FHIRProfile/ehr``.
package struct FHIRFiling {
  /// Which part of its record it is: what comes after the `log_id` in the identifier.
  package let part: String
  /// The JSON text, or why such a record cannot hold the value.
  package let json: Result<[UInt8], RecordError>
  /// The identifier as a condition of a search, for `If-None-Exist`.
  package let condition: String
  /// The search for Observations of the same patient, code and time, as the query of a URL.
  package let search: String
  private let observation: FHIRObservation

  init(_ observation: FHIRObservation, of subject: String, in chart: FHIRChart) {
    self.observation = observation
    part = observation.part
    condition = observation.identity(of: subject).condition
    search = observation.search(of: subject)
    do throws(RecordError) {
      try observation.checkCanBeFiled()
      var json = JSONWriter()
      observation.writeFiling(to: &json, of: subject, in: chart)
      self.json = .success(json.bytes)
    } catch {
      json = .failure(error)
    }
  }

  /// The JSON text.
  package func text() throws(RecordError) -> [UInt8] {
    switch json {
    case .success(let text): return text
    case .failure(let error): throw error
    }
  }

  /// Whether a resource that the search has found is this Observation.
  ///
  /// It is if it has the identifier; or the code, the second and the numbers, since some servers keep
  /// no identifiers. A number in another unit counts as the same: some convert.
  package func isSame(as found: JSONReader) -> Bool {
    guard (try? found.member("resourceType").string()) == "Observation",
      (try? found.optionalString("status")) != "entered-in-error"
    else { return false }
    let identifiers = (try? found.optional("identifier")?.elements()) ?? []
    return identifiers.contains { (try? $0.optionalString("value")) == observation.identifier }
      || hasSameTime(as: found) && hasSameValues(as: found)
  }

  private func hasSameTime(as found: JSONReader) -> Bool {
    guard let time = try? found.optional("effectiveDateTime")?.instant() else { return false }
    return time.timeIntervalSince1970.rounded(.down)
      == observation.start.timeIntervalSince1970.rounded(.down)
  }

  private func hasSameValues(as found: JSONReader) -> Bool {
    guard found.hasCode(observation.concept.loinc) else { return false }
    guard observation.components.isEmpty else {
      let parts = (try? found.optional("component")?.elements()) ?? []
      return observation.components.allSatisfy { component in
        parts.contains {
          $0.hasCode(component.concept.loinc) && $0.hasQuantity(component.value.quantity)
        }
      }
    }
    return found.hasQuantity(observation.value?.quantity)
  }
}

extension JSONReader {
  fileprivate func hasCode(_ loinc: FHIRCoding?) -> Bool {
    let codings = (try? optional("code")?.optional("coding")?.elements()) ?? []
    return codings.contains { coding in
      (try? coding.optionalString("system")) == loinc?.system
        && (try? coding.optionalString("code")) == loinc?.code
    }
  }

  /// Whether the value is the quantity, as far as servers round.
  fileprivate func hasQuantity(_ quantity: FHIRQuantity?) -> Bool {
    guard let quantity, let found = (try? optional("valueQuantity")) ?? nil,
      let number = (try? found.optional("value")?.number()) ?? nil
    else { return false }
    let code = (try? found.optionalString("code")) ?? quantity.ucum
    return code != quantity.ucum || abs(number - quantity.value) <= abs(quantity.value) * 0.005
  }
}

extension FHIRConcept {
  /// The first code of LOINC.
  var loinc: FHIRCoding? {
    codings.first { $0.system == CodeSystem.loinc.rawValue }
  }
}

extension FHIRValue {
  var quantity: FHIRQuantity? {
    if case .quantity(let quantity) = self { quantity } else { nil }
  }
}

extension FHIRObservation {
  fileprivate func search(of subject: String) -> String {
    let patient =
      subject.hasPrefix("Patient/") ? ("patient", subject.dropFirst(8)) : ("subject", subject[...])
    let time = FHIRTime(utcOffsetSeconds: nil).text(start)
    return [
      patient, ("code", "\(concept.loinc?.system ?? "")|\(concept.loinc?.code ?? "")"),
      ("date", "ge\(time)"), ("date", "le\(time)"),
    ].map { "\($0)=\(FHIRIdentity.queryText($1))" }.joined(separator: "&")
  }
}
