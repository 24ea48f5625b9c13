// SPDX-License-Identifier: Apache-2.0

/// The profiles of HL7's guide for continuous glucose monitoring (hl7.org/fhir/uv/cgm, 1.0.0) for a
/// reading of a sensor: one for mass, one for substance.
enum GlucoseProfile: String {
  case mass = "cgm-sensor-reading-mass-per-volume"
  case substance = "cgm-sensor-reading-moles-per-volume"

  /// The profile of readings with a LOINC code, if there is one.
  init?(_ loinc: String?) {
    switch loinc {
    case "99504-3": self = .mass
    case "105272-9": self = .substance
    default: return nil
    }
  }

  var canonical: String { "http://hl7.org/fhir/uv/cgm/StructureDefinition/\(rawValue)" }

  /// The text of the unit, for which the profile demands this spelling beside the code of UCUM.
  var unitText: String {
    switch self {
    case .mass: "mg/dl"
    case .substance: "mmol/l"
    }
  }

  /// Whether an Observation satisfies the profile: one value, or why there is none, at one moment.
  func fits(_ observation: FHIRObservation) -> Bool {
    guard observation.start == observation.end,
      !observation.record.time.isDeviceTimeDisbelieved
    else { return false }
    return switch observation.value {
    case .quantity, .absent: true
    default: false
    }
  }
}
