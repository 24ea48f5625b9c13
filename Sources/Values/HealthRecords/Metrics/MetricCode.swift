// SPDX-License-Identifier: Apache-2.0

/// A code of a public system for what is measured, with the document that it was taken from.
public struct MetricCode: Hashable, Sendable {
  /// The system that the code belongs to.
  public let system: CodeSystem
  /// The code as it is written.
  public let code: String
  /// Where the code can be looked up.
  public let source: CodeSource

  /// A code of LOINC.
  ///
  /// - Parameters:
  ///   - code: The code with its check digit.
  ///   - source: Where it can be looked up; LOINC's page of the code when nil.
  /// - Returns: The code.
  static func loinc(_ code: String, _ source: CodeSource? = nil) -> MetricCode {
    MetricCode(system: .loinc, code: code, source: source ?? .loinc(code))
  }

  /// A code of ISO/IEEE 11073-10101.
  ///
  /// - Parameters:
  ///   - code: The number with its partition: partition × 65536 + term code.
  ///   - source: Where it can be looked up.
  /// - Returns: The code.
  static func mdc(_ code: Int, _ source: CodeSource = .nomenclature) -> MetricCode {
    MetricCode(system: .mdc, code: String(code), source: source)
  }

  /// A code of SNOMED CT, whose address resolves to SNOMED's own browser.
  static func snomed(_ code: String) -> MetricCode {
    MetricCode(
      system: .snomed, code: code,
      source: CodeSource(name: "SNOMED CT", address: "http://snomed.info/id/\(code)"))
  }
}

/// A system of codes.
public enum CodeSystem: String, CaseIterable, Hashable, Sendable {
  /// LOINC: observations of laboratories and clinics.
  case loinc = "http://loinc.org"
  /// ISO/IEEE 11073-10101, the nomenclature of medical devices, as decimal numbers.
  case mdc = "urn:iso:std:iso:11073:10101"
  /// SNOMED CT; here only sites of the body.
  case snomed = "http://snomed.info/sct"
}

/// A public document in which a code stands together with its meaning.
///
/// It is the document of the organisation that assigns the code, or a published specification of HL7 that uses the
/// code for this meaning. So anyone can look up what a code stands for. A code without such a
/// document is in no table here.
public struct CodeSource: Hashable, Sendable {
  /// The name of the document.
  public let name: String
  /// The address of the document.
  public let address: String

  /// The vital signs of FHIR R4, whose page lists codes and units.
  public static let vitalSigns = CodeSource(
    name: "HL7 FHIR R4, vital signs",
    address: "https://hl7.org/fhir/R4/observation-vitalsigns.html")
  /// HL7's guide for personal health devices, in its text, its value sets or its examples.
  public static let deviceGuide = CodeSource(
    name: "HL7 Personal Health Device guide", address: "https://hl7.org/fhir/uv/phd/")
  /// The types of devices in HL7's guide for personal health devices.
  public static let deviceTypes = CodeSource(
    name: "HL7 Personal Health Device guide, device types",
    address: "https://hl7.org/fhir/uv/phd/ValueSet-DeviceTypes11073MDC.html")
  /// HL7's guide for continuous glucose monitoring.
  public static let glucoseGuide = CodeSource(
    name: "HL7 Continuous Glucose Monitoring guide", address: "https://hl7.org/fhir/uv/cgm/")
  /// The register of ISO/IEEE 11073-10101 that the guide for personal health devices refers to.
  public static let nomenclature = CodeSource(
    name: "ISO/IEEE 11073-10101, Rosetta Terminology Mapping Management System",
    address: "https://rtmms.nist.gov/rtmms/index.htm")

  /// LOINC's page of a code.
  static func loinc(_ code: String) -> CodeSource {
    CodeSource(name: "LOINC", address: "https://loinc.org/\(code)/")
  }
}
