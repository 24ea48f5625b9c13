// SPDX-License-Identifier: Apache-2.0

/// The only value of categories that have none of their own.
@nonexhaustive
public enum HKCategoryValue: Int, @unchecked Sendable {
  case notApplicable = 0
}

/// What a person does at night.
@nonexhaustive
public enum HKCategoryValueSleepAnalysis: Int, @unchecked Sendable {
  case inBed = 0
  case asleepUnspecified = 1
  case awake = 2
  case asleepCore = 3
  case asleepDeep = 4
  case asleepREM = 5

  /// The older name of ``asleepUnspecified``.
  @available(
    iOS, introduced: 8.0, deprecated: 16.0,
    renamed: "HKCategoryValueSleepAnalysis.asleepUnspecified"
  )
  public static var asleep: HKCategoryValueSleepAnalysis { .asleepUnspecified }

  /// The values of a person who sleeps, whatever the stage.
  public static var allAsleepValues: Set<HKCategoryValueSleepAnalysis> {
    [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM]
  }
}

/// Whether a person stood up in an hour.
@nonexhaustive
public enum HKCategoryValueAppleStandHour: Int, @unchecked Sendable {
  case stood = 0
  case idle = 1
}

/// How strong a symptom is.
@nonexhaustive
public enum HKCategoryValueSeverity: Int, @unchecked Sendable {
  case unspecified = 0
  case notPresent = 1
  case mild = 2
  case moderate = 3
  case severe = 4
}

/// Whether there is a symptom.
@nonexhaustive
public enum HKCategoryValuePresence: Int, @unchecked Sendable {
  case present = 0
  case notPresent = 1
}

/// How the appetite has changed.
@nonexhaustive
public enum HKCategoryValueAppetiteChanges: Int, @unchecked Sendable {
  case unspecified = 0
  case noChange = 1
  case decreased = 2
  case increased = 3
}

/// Why a person was warned of the noise around.
@nonexhaustive
public enum HKCategoryValueEnvironmentalAudioExposureEvent: Int, @unchecked Sendable {
  case momentaryLimit = 1
}

/// Why a person was warned of loud headphones.
@nonexhaustive
public enum HKCategoryValueHeadphoneAudioExposureEvent: Int, @unchecked Sendable {
  case sevenDayLimit = 1
}

/// The older form of ``HKCategoryValueEnvironmentalAudioExposureEvent``.
@nonexhaustive
@available(
  iOS, introduced: 13.0, deprecated: 14.0,
  renamed: "HKCategoryValueEnvironmentalAudioExposureEvent"
)
public enum HKCategoryValueAudioExposureEvent: Int, @unchecked Sendable {
  @available(
    iOS, introduced: 13.0, deprecated: 14.0,
    renamed: "HKCategoryValueEnvironmentalAudioExposureEvent.momentaryLimit"
  )
  case loudEnvironment = 1
}

/// Why a person was warned of low fitness.
@nonexhaustive
public enum HKCategoryValueLowCardioFitnessEvent: Int, @unchecked Sendable {
  case lowFitness = 1
}

/// Why a person was warned of unsteady walking.
@nonexhaustive
public enum HKCategoryValueAppleWalkingSteadinessEvent: Int, @unchecked Sendable {
  case initialLow = 1
  case initialVeryLow = 2
  case repeatLow = 3
  case repeatVeryLow = 4
}
