// SPDX-License-Identifier: Apache-2.0

/// The document's own type declaration (DTD).
///
/// The one of version 12 has the fault of the real one: the list of attributes of VisionPrescription
/// is never closed, the eyes are declared within it, and a bracket too many precedes the end.
struct TypeDeclaration {
  let version: SyntheticHealthExport.Options.DocumentVersion

  private var is8: Bool { version == .version8 }
  private var is14: Bool { version == .version14 }

  var text: String {
    guard version != .undeclared else { return "" }
    return "<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: \(version.rawValue) -->\n"
      + records + workouts + summaries + (is8 ? "" : hearing + prescriptions) + "]>\n"
  }

  /// Declares an element and its attributes; those that end with `!` are required.
  private func element(_ name: String, _ content: String, _ attributes: String = "") -> String {
    "<!ELEMENT \(name) \(content)>\n"
      + (attributes.isEmpty ? "" : list(name, attributes) + ">\n")
  }

  private func list(_ name: String, _ attributes: String) -> String {
    attributes.split(separator: " ").reduce("<!ATTLIST \(name)\n") { text, attribute in
      text
        + (attribute.hasSuffix("!")
          ? "  \(attribute.dropLast()) CDATA #REQUIRED\n" : "  \(attribute) CDATA #IMPLIED\n")
    }
  }

  private var sample: String {
    "sourceName! sourceVersion device creationDate startDate! endDate!"
  }

  private var records: String {
    let content =
      "Record|Correlation|Workout|ActivitySummary|ClinicalRecord"
      + (is8 ? "" : is14 ? "|Audiogram|VisionPrescription" : "|VisionPrescription")
    let characteristics =
      ["DateOfBirth", "BiologicalSex", "BloodType", "FitzpatrickSkinType"]
      + (is14 ? ["CardioFitnessMedicationsUse"] : [])
    return element("HealthData", "(ExportDate,Me,(\(content))*)", "locale!")
      + element("ExportDate", "EMPTY", "value!")
      + element(
        "Me", "EMPTY",
        characteristics.map { "HKCharacteristicTypeIdentifier\($0)!" }.joined(separator: " "))
      + element(
        "Record", "((MetadataEntry|HeartRateVariabilityMetadataList)*)",
        "type! unit value \(sample)")
      + "<!-- The records of a correlation stand at top level, too. -->\n"
      + element("Correlation", "((MetadataEntry|Record)*)", "type! \(sample)")
  }

  private var workouts: String {
    element(
      "Workout",
      "((MetadataEntry|WorkoutEvent|WorkoutRoute\(is8 ? "" : "|WorkoutStatistics"))*)",
      "workoutActivityType! duration durationUnit totalDistance totalDistanceUnit "
        + "totalEnergyBurned totalEnergyBurnedUnit \(sample)")
      + (is14
        ? element(
          "WorkoutActivity", "((MetadataEntry)*)",
          "uuid! startDate! endDate duration durationUnit") : "")
      + element(
        "WorkoutEvent", is8 ? "EMPTY" : "((MetadataEntry)*)", "type! date! duration durationUnit")
      + (is8
        ? ""
        : element(
          "WorkoutStatistics", "EMPTY",
          "type! startDate! endDate! average minimum maximum sum unit"))
      + element(
        "WorkoutRoute", "((MetadataEntry|\(is8 ? "Location" : "FileReference"))*)", sample)
      + (is8
        ? element(
          "Location", "EMPTY",
          "date! latitude! longitude! altitude! horizontalAccuracy! verticalAccuracy! course! "
            + "speed!")
        : element("FileReference", "EMPTY", "path!"))
  }

  private var summaries: String {
    element(
      "ActivitySummary", "EMPTY",
      "dateComponents activeEnergyBurned activeEnergyBurnedGoal activeEnergyBurnedUnit "
        + (is8 ? "" : "appleMoveTime appleMoveTimeGoal ")
        + "appleExerciseTime appleExerciseTimeGoal appleStandHours appleStandHoursGoal")
      + element("MetadataEntry", "EMPTY", "key! value!")
      + element("HeartRateVariabilityMetadataList", "(InstantaneousBeatsPerMinute*)")
      + element("InstantaneousBeatsPerMinute", "EMPTY", "bpm! time!")
      + element(
        "ClinicalRecord", "EMPTY",
        "type! identifier! sourceName! sourceURL! fhirVersion! receivedDate! resourceFilePath!")
  }

  private var hearing: String {
    guard is14 else { return "" }
    let ears = ["leftEar", "rightEar"].flatMap { ear in
      ["Value", "Unit", "Masked", "ClampingRangeLowerBound", "ClampingRangeUpperBound"]
        .map { ear + $0 }
    }
    return element("Audiogram", "((MetadataEntry|SensitivityPoint)*)", "type! \(sample)")
      + element(
        "SensitivityPoint", "EMPTY",
        "frequencyValue! frequencyUnit! " + ears.joined(separator: " "))
  }

  private var prescriptions: String {
    let lens = [
      "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD",
      "nearPD", "baseCurve", "diameter",
    ].map { "\($0) \($0)Unit" }.joined(separator: " ")
    let content = "((RightEye|LeftEye|Attachment|MetadataEntry)*)"
    let attributes = "type! dateIssued! expirationDate brand"
    let eyes = element("RightEye", "EMPTY", lens) + element("LeftEye", "EMPTY", lens)
    guard is14 else {
      return "<!ELEMENT VisionPrescription \(content)>\n"
        + list("VisionPrescription", attributes) + eyes + ">\n"
    }
    return element("VisionPrescription", content, attributes) + eyes
      + element("Attachment", "EMPTY", "identifier")
  }
}
