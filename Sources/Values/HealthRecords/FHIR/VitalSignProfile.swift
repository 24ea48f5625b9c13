// SPDX-License-Identifier: Apache-2.0

/// A profile of FHIR R4 for one vital sign (hl7.org/fhir/R4/observation-vitalsigns.html).
///
/// A validator holds an Observation against it as soon as one of its LOINC codes is a vital sign's,
/// whether it claims the profile or not.
struct VitalSignProfile: Hashable, Sendable {
  /// The last part of the profile's address.
  let name: String
  /// The LOINC code that the profile demands.
  let loinc: String
  /// The LOINC code that says more, where the profile's own is too wide.
  let narrowerLOINC: String?
  /// The only unit that is written, in UCUM.
  let ucum: String

  var codes: [String?] { [loinc, narrowerLOINC] }

  var canonical: String { "http://hl7.org/fhir/StructureDefinition/\(name)" }

  /// The profile of Observations with a LOINC code, if there is one.
  init?(loinc: String) {
    switch loinc {
    case "8867-4": self.init("heartrate", loinc, "/min")
    case "40443-4", "55425-3": self.init("heartrate", "8867-4", narrower: loinc, "/min")
    case "9279-1": self.init("resprate", loinc, "/min")
    // What is measured at home is pulse oximetry; the profile's code is that of arterial blood.
    case "2708-6", "59408-5": self.init("oxygensat", "2708-6", narrower: "59408-5", "%")
    case "8310-5": self.init("bodytemp", loinc, "Cel")
    case "8302-2": self.init("bodyheight", loinc, "cm")
    case "29463-7": self.init("bodyweight", loinc, "kg")
    case "39156-5": self.init("bmi", loinc, "kg/m2")
    default: return nil
    }
  }

  private init(_ name: String, _ loinc: String, narrower: String? = nil, _ ucum: String) {
    self.name = name
    self.loinc = loinc
    narrowerLOINC = narrower
    self.ucum = ucum
  }

  static let bloodPressure = VitalSignProfile("bp", "85354-9", "mm[Hg]")
}
