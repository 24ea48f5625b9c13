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

  /// All concepts that are no metrics.
  package static let concepts =
    [bloodPressurePanel, exercise, pulseOximetry, mealRelation] + mealRelations.values
    + InstrumentDefinition.all.map { row in
      CodedConcept(name: row.name, codes: [row.code].compactMap(\.self))
    }
    + sites.values.map { CodedConcept(name: $0.name, codes: [$0.code]) }
}
