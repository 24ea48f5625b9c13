// SPDX-License-Identifier: Apache-2.0

/// The known types of categories.
package enum CategoryTypes {
  /// The raw values of the known types' identifiers.
  package static let identifiers: Set<String> = Set((readings + symptoms).map(\.rawValue))
    .union(["HKCategoryTypeIdentifierAudioExposureEvent"])

  private static let readings: [HKCategoryTypeIdentifier] = [
    .sleepAnalysis, .appleStandHour, .cervicalMucusQuality, .ovulationTestResult,
    .pregnancyTestResult, .progesteroneTestResult, .menstrualFlow, .intermenstrualBleeding,
    .persistentIntermenstrualBleeding, .prolongedMenstrualPeriods, .irregularMenstrualCycles,
    .infrequentMenstrualCycles, .sexualActivity, .mindfulSession, .highHeartRateEvent,
    .lowHeartRateEvent, .irregularHeartRhythmEvent, .toothbrushingEvent, .pregnancy, .lactation,
    .contraceptive, .environmentalAudioExposureEvent, .headphoneAudioExposureEvent,
    .handwashingEvent, .lowCardioFitnessEvent, .appleWalkingSteadinessEvent,
    .bleedingAfterPregnancy, .bleedingDuringPregnancy, .sleepApneaEvent,
  ]

  private static let symptoms: [HKCategoryTypeIdentifier] = [
    .abdominalCramps, .acne, .appetiteChanges, .bladderIncontinence, .bloating, .breastPain,
    .chestTightnessOrPain, .chills, .constipation, .coughing, .diarrhea, .dizziness, .drySkin,
    .fainting, .fatigue, .fever, .generalizedBodyAche, .hairLoss, .headache, .heartburn,
    .hotFlashes, .lossOfSmell, .lossOfTaste, .lowerBackPain, .memoryLapse, .moodChanges, .nausea,
    .nightSweats, .pelvicPain, .rapidPoundingOrFlutteringHeartbeat, .runnyNose, .shortnessOfBreath,
    .sinusCongestion, .skippedHeartbeat, .sleepChanges, .soreThroat, .vaginalDryness, .vomiting,
    .wheezing,
  ]
}
