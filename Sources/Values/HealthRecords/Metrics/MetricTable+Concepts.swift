// SPDX-License-Identifier: Apache-2.0

/// A concept of the FHIR form that is no metric, with its codes.
package struct CodedConcept: Hashable, Sendable {
  package let name: String
  package let codes: [MetricCode]
}

extension MetricTable {
  /// The panel of a blood pressure.
  package static let bloodPressurePanel = CodedConcept(
    name: "Blood pressure", codes: [.loinc("85354-9", .vitalSigns), .mdc(150_020, .deviceGuide)])
  /// A bout of exercise.
  package static let exercise = CodedConcept(name: "Exercise", codes: [.loinc("73985-4")])
  /// What home oximeters measure; the code of the vital sign is that of arterial blood.
  package static let pulseOximetry = CodedConcept(
    name: "Oxygen saturation by pulse oximetry", codes: [.loinc("59408-5", .vitalSigns)])
  /// The question how a glucose reading relates to a meal.
  package static let mealRelation = CodedConcept(
    name: "Relationship to meal", codes: [.mdc(8_417_864, .deviceGuide)])
  /// Its answers, by the names of the Inform API: preprandial, postprandial, fasting and casual.
  ///
  /// For bedtime public documents contradict each other, so it is a text.
  package static let mealRelations = [
    "before": CodedConcept(name: "before", codes: [.mdc(8_417_868, .deviceGuide)]),
    "after": CodedConcept(name: "after", codes: [.mdc(8_417_872, .deviceGuide)]),
    "fasting": CodedConcept(name: "fasting", codes: [.mdc(8_417_876)]),
    "random": CodedConcept(name: "random", codes: [.mdc(8_417_880)]),
  ]

  /// A device, in the guide for personal health devices (MDC_MOC_VMS_MDS_SIMP).
  package static let deviceOfGuide = CodedConcept(
    name: "Device", codes: [.mdc(65_573, .deviceGuide)])
  /// A gateway, in the guide (MDC_MOC_VMS_MDS_AHD).
  package static let gatewayOfGuide = CodedConcept(
    name: "Gateway", codes: [.mdc(531_981, .deviceGuide)])
  /// The revision of firmware (MDC_ID_PROD_SPEC_FW).
  package static let firmware = CodedConcept(
    name: "Firmware", codes: [.mdc(531_976, .deviceGuide)])
  /// The revision of software (MDC_ID_PROD_SPEC_SW).
  package static let software = CodedConcept(
    name: "Software", codes: [.mdc(531_975, .deviceGuide)])
  /// What a clock without a zone shows (MDC_ATTR_TIME_ABS).
  package static let clock = CodedConcept(
    name: "Clock of the device", codes: [.mdc(67_975, .deviceGuide)])

  /// All concepts that are no metrics.
  package static let concepts =
    [
      bloodPressurePanel, exercise, pulseOximetry, mealRelation, deviceOfGuide, gatewayOfGuide,
      firmware, software, clock,
    ] + mealRelations.values
    + InstrumentDefinition.all.map { row in
      CodedConcept(name: row.name, codes: [row.code].compactMap(\.self))
    }
    + sites.values.map { CodedConcept(name: $0.name, codes: [$0.code]) }
}
