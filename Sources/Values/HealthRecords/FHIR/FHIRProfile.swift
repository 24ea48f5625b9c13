// SPDX-License-Identifier: Apache-2.0

/// Which published form Observations follow.
public enum FHIRProfile: String, CaseIterable, Hashable, Sendable {
  /// FHIR R4 and its vital signs, for any server.
  ///
  /// A Bundle is a `batch`: one entry that the server refuses does not keep the others from being
  /// stored.
  case standard
  /// HL7's guide for personal health devices (hl7.org/fhir/uv/phd, 2.0.0).
  ///
  /// Codes of ISO/IEEE 11073-10101 come first, device and gateway are resources with the guide's
  /// profiles, and the device's clock is an Observation of its own. What the guide does not cover,
  /// such as a value that a person has entered or the summary of a day, is written as in
  /// ``standard``. A Bundle is a `transaction`, since its entries refer to each other: a server
  /// stores all of it or nothing.
  case phd
  /// What the FHIR interfaces of electronic health records take, as Epic and Oracle Health describe
  /// theirs in public.
  ///
  /// One final Observation a request, with one LOINC code, a number in a unit of UCUM and one
  /// instant; there is no Bundle, no device, and nothing of this package's own but the identifier.
  /// What else is to be known stands in a note. What cannot be said so is refused: a value beyond
  /// what the device measures, an unknown time, a correction, the summary of a day.
  case ehr
}

/// Where readings are filed in an electronic health record, for the form ``FHIRProfile/ehr``.
public struct FHIRChart: Hashable, Sendable {
  /// The system of the category's code in FHIR R4.
  public static let categorySystem = "http://terminology.hl7.org/CodeSystem/observation-category"

  /// Who answers for the readings, as a reference: `Practitioner/123`; nil for none.
  ///
  /// Oracle Health asks for one with vital signs.
  public var performer: String?
  /// The encounter that the readings belong to, as a reference: `Encounter/123`; nil for none.
  ///
  /// Epic files readings under an open encounter.
  public var encounter: String?
  /// The system of the category's code; some records want that of an earlier FHIR.
  public var categorySystem: String

  /// Describes where readings are filed.
  ///
  /// - Parameters:
  ///   - performer: Who answers for the readings, as a reference.
  ///   - encounter: The encounter that the readings belong to, as a reference.
  ///   - categorySystem: The system of the category's code.
  public init(
    performer: String? = nil, encounter: String? = nil,
    categorySystem: String = FHIRChart.categorySystem
  ) {
    self.performer = performer
    self.encounter = encounter
    self.categorySystem = categorySystem
  }
}

/// The phone or computer that takes readings from devices and sends them, as FHIR names it.
public struct FHIRGateway: Hashable, Sendable {
  /// By what the gateway is recognised, for instance a serial number or the name of the machine.
  public var identifier: String
  /// Who made it.
  public var manufacturer: String
  /// Its model.
  public var model: String
  /// The version of its software; nil when it is not known.
  public var version: String?

  /// Describes a gateway.
  ///
  /// - Parameters:
  ///   - identifier: By what it is recognised.
  ///   - manufacturer: Who made it.
  ///   - model: Its model.
  ///   - version: The version of its software.
  public init(
    identifier: String, manufacturer: String = "Santorio", model: String = "Santorio",
    version: String? = nil
  ) {
    self.identifier = identifier
    self.manufacturer = manufacturer
    self.model = model
    self.version = version
  }
}

/// For whom and in which form resources are written.
struct FHIRContext {
  /// The patient, as a reference.
  let subject: String
  let profile: FHIRProfile
  let gateway: FHIRGateway
  /// Whether the resources are entries of one Bundle, which can refer to each other.
  let isBundle: Bool

  /// The logical id of the patient; the whole reference where it has none.
  var patientID: String {
    guard let start = subject.ranges(of: "Patient/").last?.upperBound else { return subject }
    let id = subject[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return id.isEmpty ? subject : String(id)
  }
}
