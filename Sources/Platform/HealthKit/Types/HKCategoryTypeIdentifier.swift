// SPDX-License-Identifier: Apache-2.0

/// The name of a type of categories.
public struct HKCategoryTypeIdentifier: Hashable, RawRepresentable, Sendable {
  /// The name as in the framework's C interface and in exports.
  public let rawValue: String

  /// The identifier of that name, whether or not there is such a type.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }
}

// MARK: - Sleep, events and reproductive health

extension HKCategoryTypeIdentifier {
  /// Values of ``HKCategoryValueSleepAnalysis``.
  public static let sleepAnalysis = Self(rawValue: "HKCategoryTypeIdentifierSleepAnalysis")
  /// Values of ``HKCategoryValueAppleStandHour``.
  public static let appleStandHour = Self(rawValue: "HKCategoryTypeIdentifierAppleStandHour")
  /// Values of ``HKCategoryValueCervicalMucusQuality``.
  public static let cervicalMucusQuality = Self(
    rawValue: "HKCategoryTypeIdentifierCervicalMucusQuality")
  /// Values of ``HKCategoryValueOvulationTestResult``.
  public static let ovulationTestResult = Self(
    rawValue: "HKCategoryTypeIdentifierOvulationTestResult")
  /// Values of ``HKCategoryValuePregnancyTestResult``.
  public static let pregnancyTestResult = Self(
    rawValue: "HKCategoryTypeIdentifierPregnancyTestResult")
  /// Values of ``HKCategoryValueProgesteroneTestResult``.
  public static let progesteroneTestResult = Self(
    rawValue: "HKCategoryTypeIdentifierProgesteroneTestResult")
  /// Values of ``HKCategoryValueMenstrualFlow``.
  public static let menstrualFlow = Self(rawValue: "HKCategoryTypeIdentifierMenstrualFlow")
  /// Without a value.
  public static let intermenstrualBleeding = Self(
    rawValue: "HKCategoryTypeIdentifierIntermenstrualBleeding")
  /// Without a value.
  public static let persistentIntermenstrualBleeding = Self(
    rawValue: "HKCategoryTypeIdentifierPersistentIntermenstrualBleeding")
  /// Without a value.
  public static let prolongedMenstrualPeriods = Self(
    rawValue: "HKCategoryTypeIdentifierProlongedMenstrualPeriods")
  /// Without a value.
  public static let irregularMenstrualCycles = Self(
    rawValue: "HKCategoryTypeIdentifierIrregularMenstrualCycles")
  /// Without a value.
  public static let infrequentMenstrualCycles = Self(
    rawValue: "HKCategoryTypeIdentifierInfrequentMenstrualCycles")
  /// Without a value.
  public static let sexualActivity = Self(rawValue: "HKCategoryTypeIdentifierSexualActivity")
  /// Without a value.
  public static let mindfulSession = Self(rawValue: "HKCategoryTypeIdentifierMindfulSession")
  /// Without a value.
  public static let highHeartRateEvent = Self(
    rawValue: "HKCategoryTypeIdentifierHighHeartRateEvent")
  /// Without a value.
  public static let lowHeartRateEvent = Self(rawValue: "HKCategoryTypeIdentifierLowHeartRateEvent")
  /// Without a value.
  public static let irregularHeartRhythmEvent = Self(
    rawValue: "HKCategoryTypeIdentifierIrregularHeartRhythmEvent")
  /// Values of ``HKCategoryValueAudioExposureEvent``.
  @available(
    iOS, introduced: 13.0, deprecated: 14.0,
    renamed: "HKCategoryTypeIdentifier.environmentalAudioExposureEvent"
  )
  public static let audioExposureEvent = Self(
    rawValue: "HKCategoryTypeIdentifierAudioExposureEvent")
  /// Without a value.
  public static let toothbrushingEvent = Self(
    rawValue: "HKCategoryTypeIdentifierToothbrushingEvent")
  /// Without a value.
  public static let pregnancy = Self(rawValue: "HKCategoryTypeIdentifierPregnancy")
  /// Without a value.
  public static let lactation = Self(rawValue: "HKCategoryTypeIdentifierLactation")
  /// Values of ``HKCategoryValueContraceptive``.
  public static let contraceptive = Self(rawValue: "HKCategoryTypeIdentifierContraceptive")
  /// Values of ``HKCategoryValueEnvironmentalAudioExposureEvent``; the name is the older one's.
  public static let environmentalAudioExposureEvent = Self(
    rawValue: "HKCategoryTypeIdentifierAudioExposureEvent")
  /// Values of ``HKCategoryValueHeadphoneAudioExposureEvent``.
  public static let headphoneAudioExposureEvent = Self(
    rawValue: "HKCategoryTypeIdentifierHeadphoneAudioExposureEvent")
  /// Without a value.
  public static let handwashingEvent = Self(rawValue: "HKCategoryTypeIdentifierHandwashingEvent")
  /// Values of ``HKCategoryValueLowCardioFitnessEvent``.
  public static let lowCardioFitnessEvent = Self(
    rawValue: "HKCategoryTypeIdentifierLowCardioFitnessEvent")
  /// Values of ``HKCategoryValueAppleWalkingSteadinessEvent``.
  public static let appleWalkingSteadinessEvent = Self(
    rawValue: "HKCategoryTypeIdentifierAppleWalkingSteadinessEvent")
}

// MARK: - Symptoms

extension HKCategoryTypeIdentifier {
  /// Values of ``HKCategoryValueSeverity``.
  public static let abdominalCramps = Self(rawValue: "HKCategoryTypeIdentifierAbdominalCramps")
  /// Values of ``HKCategoryValueSeverity``.
  public static let acne = Self(rawValue: "HKCategoryTypeIdentifierAcne")
  /// Values of ``HKCategoryValueAppetiteChanges``.
  public static let appetiteChanges = Self(rawValue: "HKCategoryTypeIdentifierAppetiteChanges")
  /// Values of ``HKCategoryValueSeverity``.
  public static let bladderIncontinence = Self(
    rawValue: "HKCategoryTypeIdentifierBladderIncontinence")
  /// Values of ``HKCategoryValueSeverity``.
  public static let bloating = Self(rawValue: "HKCategoryTypeIdentifierBloating")
  /// Values of ``HKCategoryValueSeverity``.
  public static let breastPain = Self(rawValue: "HKCategoryTypeIdentifierBreastPain")
  /// Values of ``HKCategoryValueSeverity``.
  public static let chestTightnessOrPain = Self(
    rawValue: "HKCategoryTypeIdentifierChestTightnessOrPain")
  /// Values of ``HKCategoryValueSeverity``.
  public static let chills = Self(rawValue: "HKCategoryTypeIdentifierChills")
  /// Values of ``HKCategoryValueSeverity``.
  public static let constipation = Self(rawValue: "HKCategoryTypeIdentifierConstipation")
  /// Values of ``HKCategoryValueSeverity``.
  public static let coughing = Self(rawValue: "HKCategoryTypeIdentifierCoughing")
  /// Values of ``HKCategoryValueSeverity``.
  public static let diarrhea = Self(rawValue: "HKCategoryTypeIdentifierDiarrhea")
  /// Values of ``HKCategoryValueSeverity``.
  public static let dizziness = Self(rawValue: "HKCategoryTypeIdentifierDizziness")
  /// Values of ``HKCategoryValueSeverity``.
  public static let drySkin = Self(rawValue: "HKCategoryTypeIdentifierDrySkin")
  /// Values of ``HKCategoryValueSeverity``.
  public static let fainting = Self(rawValue: "HKCategoryTypeIdentifierFainting")
  /// Values of ``HKCategoryValueSeverity``.
  public static let fatigue = Self(rawValue: "HKCategoryTypeIdentifierFatigue")
  /// Values of ``HKCategoryValueSeverity``.
  public static let fever = Self(rawValue: "HKCategoryTypeIdentifierFever")
  /// Values of ``HKCategoryValueSeverity``.
  public static let generalizedBodyAche = Self(
    rawValue: "HKCategoryTypeIdentifierGeneralizedBodyAche")
  /// Values of ``HKCategoryValueSeverity``.
  public static let hairLoss = Self(rawValue: "HKCategoryTypeIdentifierHairLoss")
  /// Values of ``HKCategoryValueSeverity``.
  public static let headache = Self(rawValue: "HKCategoryTypeIdentifierHeadache")
  /// Values of ``HKCategoryValueSeverity``.
  public static let heartburn = Self(rawValue: "HKCategoryTypeIdentifierHeartburn")
  /// Values of ``HKCategoryValueSeverity``.
  public static let hotFlashes = Self(rawValue: "HKCategoryTypeIdentifierHotFlashes")
  /// Values of ``HKCategoryValueSeverity``.
  public static let lossOfSmell = Self(rawValue: "HKCategoryTypeIdentifierLossOfSmell")
  /// Values of ``HKCategoryValueSeverity``.
  public static let lossOfTaste = Self(rawValue: "HKCategoryTypeIdentifierLossOfTaste")
  /// Values of ``HKCategoryValueSeverity``.
  public static let lowerBackPain = Self(rawValue: "HKCategoryTypeIdentifierLowerBackPain")
  /// Values of ``HKCategoryValueSeverity``.
  public static let memoryLapse = Self(rawValue: "HKCategoryTypeIdentifierMemoryLapse")
  /// Values of ``HKCategoryValuePresence``.
  public static let moodChanges = Self(rawValue: "HKCategoryTypeIdentifierMoodChanges")
  /// Values of ``HKCategoryValueSeverity``.
  public static let nausea = Self(rawValue: "HKCategoryTypeIdentifierNausea")
  /// Values of ``HKCategoryValueSeverity``.
  public static let nightSweats = Self(rawValue: "HKCategoryTypeIdentifierNightSweats")
  /// Values of ``HKCategoryValueSeverity``.
  public static let pelvicPain = Self(rawValue: "HKCategoryTypeIdentifierPelvicPain")
  /// Values of ``HKCategoryValueSeverity``.
  public static let rapidPoundingOrFlutteringHeartbeat = Self(
    rawValue: "HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat")
  /// Values of ``HKCategoryValueSeverity``.
  public static let runnyNose = Self(rawValue: "HKCategoryTypeIdentifierRunnyNose")
  /// Values of ``HKCategoryValueSeverity``.
  public static let shortnessOfBreath = Self(rawValue: "HKCategoryTypeIdentifierShortnessOfBreath")
  /// Values of ``HKCategoryValueSeverity``.
  public static let sinusCongestion = Self(rawValue: "HKCategoryTypeIdentifierSinusCongestion")
  /// Values of ``HKCategoryValueSeverity``.
  public static let skippedHeartbeat = Self(rawValue: "HKCategoryTypeIdentifierSkippedHeartbeat")
  /// Values of ``HKCategoryValuePresence``.
  public static let sleepChanges = Self(rawValue: "HKCategoryTypeIdentifierSleepChanges")
  /// Values of ``HKCategoryValueSeverity``.
  public static let soreThroat = Self(rawValue: "HKCategoryTypeIdentifierSoreThroat")
  /// Values of ``HKCategoryValueSeverity``.
  public static let vaginalDryness = Self(rawValue: "HKCategoryTypeIdentifierVaginalDryness")
  /// Values of ``HKCategoryValueSeverity``.
  public static let vomiting = Self(rawValue: "HKCategoryTypeIdentifierVomiting")
  /// Values of ``HKCategoryValueSeverity``.
  public static let wheezing = Self(rawValue: "HKCategoryTypeIdentifierWheezing")
}

// MARK: - From iOS 18

extension HKCategoryTypeIdentifier {
  /// Values of ``HKCategoryValueMenstrualFlow``.
  public static let bleedingAfterPregnancy = Self(
    rawValue: "HKCategoryTypeIdentifierBleedingAfterPregnancy")
  /// Values of ``HKCategoryValueMenstrualFlow``.
  public static let bleedingDuringPregnancy = Self(
    rawValue: "HKCategoryTypeIdentifierBleedingDuringPregnancy")
  /// Without a value.
  public static let sleepApneaEvent = Self(rawValue: "HKCategoryTypeIdentifierSleepApneaEvent")
}
