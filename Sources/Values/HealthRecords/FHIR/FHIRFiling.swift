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
  /// no identifiers, and convert a weight or a temperature.
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
      return observation.filedComponents.allSatisfy { component in
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

  /// Whether the value is the quantity, to half a step of its last digit; converted, to a tenth.
  fileprivate func hasQuantity(_ quantity: FHIRQuantity?) -> Bool {
    guard let quantity, let found = (try? optional("valueQuantity")) ?? nil,
      let number = (try? found.optional("value")?.number()) ?? nil
    else { return false }
    let code = (try? found.optionalString("code")) ?? quantity.ucum
    if code == quantity.ucum { return abs(number - quantity.value) <= quantity.halfStep }
    guard let code, let ucum = quantity.ucum,
      let converted = Self.conversions["\(code) \(ucum)"]?(number)
    else { return false }
    return abs(converted - quantity.value) <= max(quantity.halfStep, 0.06)
  }

  /// How health records convert what they take, by the codes of UCUM.
  private static let conversions: [String: @Sendable (Double) -> Double] = [
    "[lb_av] kg": { $0 * 0.453_592_37 }, "kg [lb_av]": { $0 / 0.453_592_37 },
    "g kg": { $0 / 1000 }, "[oz_av] kg": { $0 * 0.453_592_37 / 16 },
    "[degF] Cel": { ($0 - 32) / 1.8 }, "Cel [degF]": { $0 * 1.8 + 32 },
    "[in_i] cm": { $0 * 2.54 }, "cm [in_i]": { $0 / 2.54 }, "m cm": { $0 * 100 },
  ]
}

extension FHIRQuantity {
  /// Half a step of the last digit that is written.
  fileprivate var halfStep: Double {
    let text = digits ?? value.shortText
    let fraction = text.split(separator: ".").dropFirst().first?.count ?? 0
    return (0..<fraction).reduce(0.5) { step, _ in step / 10 } + 1e-9
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
    // Servers may drop fractions of a second.
    let second = start.timeIntervalSince1970.rounded(.down)
    func text(_ seconds: Double) -> String {
      FHIRTime(utcOffsetSeconds: nil).text(Date(timeIntervalSince1970: seconds))
    }
    return [
      patient, ("code", "\(concept.loinc?.system ?? "")|\(concept.loinc?.code ?? "")"),
      ("date", "ge\(text(second))"), ("date", "lt\(text(second + 1))"),
    ].map { "\($0)=\(FHIRIdentity.queryText($1))" }.joined(separator: "&")
  }
}
