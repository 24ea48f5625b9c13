// SPDX-License-Identifier: Apache-2.0

/// The known types of categories and the values of each.
package enum CategoryTypes {
  /// Whether there is a type with the identifier.
  package static func isKnown(_ identifier: String) -> Bool {
    valuesByIdentifier[identifier] != nil
  }

  /// Whether a sample of the type can have the value; any value of an unknown type is one.
  package static func isValid(_ value: Int, for identifier: String) -> Bool {
    valuesByIdentifier[identifier].map { $0.names[value] != nil } ?? true
  }

  /// The number for which an export has the name, or the number itself, as value of the type.
  ///
  /// Names that older or later versions have for the same value are known, too. Names that begin
  /// differently from those of the type are not.
  package static func value(named name: String, for identifier: String) -> Int? {
    if let number = Int(name) { return number }
    return (valuesByIdentifier[identifier] ?? .all).numbers[name]
  }

  /// The name that an export has for the value of the type; nil if the type has no such value.
  package static func name(of value: Int, for identifier: String) -> String? {
    valuesByIdentifier[identifier]?.names[value]
  }

  private static let valuesByIdentifier: [String: CategoryValueNames] = {
    var table: [String: CategoryValueNames] = [:]
    for (values, identifiers) in known {
      for identifier in identifiers { table[identifier.rawValue] = values }
    }
    // What the type of environmentalAudioExposureEvent is called in the documentation only.
    table["HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent"] = .environmentalAudioExposure
    return table
  }()

  private static let known: [(CategoryValueNames, [HKCategoryTypeIdentifier])] = [
    (.sleep, [.sleepAnalysis]),
    (.standHour, [.appleStandHour]),
    (.cervicalMucusQuality, [.cervicalMucusQuality]),
    (.ovulationTestResult, [.ovulationTestResult]),
    (.pregnancyTestResult, [.pregnancyTestResult]),
    (.progesteroneTestResult, [.progesteroneTestResult]),
    (
      .menstrualFlow,
      [
        .menstrualFlow, .bleedingAfterPregnancy, .bleedingDuringPregnancy,
      ]
    ),
    (
      .none,
      [
        .intermenstrualBleeding, .persistentIntermenstrualBleeding, .prolongedMenstrualPeriods,
        .irregularMenstrualCycles, .infrequentMenstrualCycles, .sexualActivity, .mindfulSession,
        .highHeartRateEvent, .lowHeartRateEvent, .irregularHeartRhythmEvent, .toothbrushingEvent,
        .pregnancy, .lactation, .handwashingEvent, .sleepApneaEvent,
      ]
    ),
    (.contraceptive, [.contraceptive]),
    (.environmentalAudioExposure, [.environmentalAudioExposureEvent]),
    (.headphoneAudioExposure, [.headphoneAudioExposureEvent]),
    (.lowCardioFitness, [.lowCardioFitnessEvent]),
    (.walkingSteadiness, [.appleWalkingSteadinessEvent]),
    (
      .severity,
      [
        .abdominalCramps, .acne, .bladderIncontinence, .bloating, .breastPain,
        .chestTightnessOrPain, .chills, .constipation, .coughing, .diarrhea, .dizziness, .drySkin,
        .fainting, .fatigue, .fever, .generalizedBodyAche, .hairLoss, .headache, .heartburn,
        .hotFlashes, .lossOfSmell, .lossOfTaste, .lowerBackPain, .memoryLapse, .nausea,
        .nightSweats, .pelvicPain, .rapidPoundingOrFlutteringHeartbeat, .runnyNose,
        .shortnessOfBreath, .sinusCongestion, .skippedHeartbeat, .soreThroat, .vaginalDryness,
        .vomiting, .wheezing,
      ]
    ),
    (.appetiteChanges, [.appetiteChanges]),
    (.presence, [.moodChanges, .sleepChanges]),
  ]
}
