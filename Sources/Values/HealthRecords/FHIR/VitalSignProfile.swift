// SPDX-License-Identifier: Apache-2.0

/// A profile of FHIR R4 for one vital sign (hl7.org/fhir/R4/observation-vitalsigns.html).
///
/// A validator holds an Observation against it as soon as one of its LOINC codes is a vital sign's,
/// whether it claims the profile or not.
struct VitalSignProfile: Hashable, Sendable {
  /// The last part of the profile's address.
  let name: String
  /// The LOINC codes: that which the profile demands, and after it the one that says more, where the
  /// profile's own is too wide.
  let codes: [MetricCode]
  /// The units that are written, in UCUM: that of the table of metrics, and those of the profile that
  /// a device may show.
  let units: Set<String>

  var canonical: String { "http://hl7.org/fhir/StructureDefinition/\(name)" }

  /// The profile of Observations with a LOINC code, if there is one.
  init?(_ loinc: MetricCode) {
    switch loinc.code {
    case "8867-4": self.init("heartrate", [loinc], "/min")
    case "40443-4": self.init("heartrate", [Self.heartRate] + [loinc], "/min")
    case "9279-1": self.init("resprate", [loinc], "/min")
    // What is measured at home is pulse oximetry; the profile's code is that of arterial blood.
    case "2708-6":
      self.init("oxygensat", [loinc] + MetricTable.pulseOximetry.codes, "%")
    case "8310-5": self.init("bodytemp", [loinc], "Cel", "[degF]")
    case "8328-7", "8331-1", "8332-9", "8333-7", "76011-6":
      self.init("bodytemp", [Self.bodyTemperature] + [loinc], "Cel", "[degF]")
    case "8302-2": self.init("bodyheight", [loinc], "cm")
    case "29463-7": self.init("bodyweight", [loinc], "kg", "[lb_av]")
    case "39156-5": self.init("bmi", [loinc], "kg/m2")
    default: return nil
    }
  }

  private init(_ name: String, _ codes: [MetricCode], _ units: String...) {
    self.name = name
    self.codes = codes
    self.units = Set(units)
  }

  static let bloodPressure = VitalSignProfile(
    "bp", [.loinc("85354-9", .vitalSigns)], "mm[Hg]")
  private static let heartRate = MetricCode.loinc("8867-4", .vitalSigns)
  private static let bodyTemperature = MetricCode.loinc("8310-5", .vitalSigns)
}
