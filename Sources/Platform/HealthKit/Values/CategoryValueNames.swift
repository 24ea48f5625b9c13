// SPDX-License-Identifier: Apache-2.0

/// The names of a category's values in an export.
struct CategoryValueNames: Sendable {
  /// The name of each number.
  let names: [Int: String]
  /// The number of each name.
  let numbers: [String: Int]

  /// Names that begin the same.
  ///
  /// - Parameters:
  ///   - prefix: What the names begin with, after `HKCategoryValue`.
  ///   - endings: What follows, with its number.
  ///   - others: Whole names of the same numbers in other versions, after `HKCategoryValue`.
  private init(
    _ prefix: String, _ endings: KeyValuePairs<String, Int>,
    others: KeyValuePairs<String, Int> = [:]
  ) {
    var (names, numbers) = ([Int: String](), [String: Int]())
    for (ending, number) in endings {
      names[number] = "HKCategoryValue\(prefix)\(ending)"
      numbers["HKCategoryValue\(prefix)\(ending)"] = number
    }
    for (name, number) in others { numbers["HKCategoryValue\(name)"] = number }
    self.names = names
    self.numbers = numbers
  }

  private init(numbers: [String: Int]) {
    names = [:]
    self.numbers = numbers
  }
}

extension CategoryValueNames {
  static let sleep = CategoryValueNames(
    "SleepAnalysis",
    [
      "InBed": 0, "AsleepUnspecified": 1, "Awake": 2, "AsleepCore": 3, "AsleepDeep": 4,
      "AsleepREM": 5,
    ],
    others: ["SleepAnalysisAsleep": 1])
  static let standHour = CategoryValueNames("AppleStandHour", ["Stood": 0, "Idle": 1])
  static let cervicalMucusQuality = CategoryValueNames(
    "CervicalMucusQuality",
    [
      "Dry": 1, "Sticky": 2, "Creamy": 3, "Watery": 4, "EggWhite": 5,
    ])
  static let ovulationTestResult = CategoryValueNames(
    "OvulationTestResult",
    [
      "Negative": 1, "LuteinizingHormoneSurge": 2, "Indeterminate": 3, "EstrogenSurge": 4,
    ],
    others: ["OvulationTestResultPositive": 2])
  static let pregnancyTestResult = CategoryValueNames(
    "PregnancyTestResult",
    [
      "Negative": 1, "Positive": 2, "Indeterminate": 3,
    ])
  static let progesteroneTestResult = CategoryValueNames(
    "ProgesteroneTestResult",
    [
      "Negative": 1, "Positive": 2, "Indeterminate": 3,
    ])
  static let menstrualFlow = CategoryValueNames(
    "MenstrualFlow", ["Unspecified": 1, "Light": 2, "Medium": 3, "Heavy": 4, "None": 5],
    others: [
      "VaginalBleedingUnspecified": 1, "VaginalBleedingLight": 2, "VaginalBleedingMedium": 3,
      "VaginalBleedingHeavy": 4, "VaginalBleedingNone": 5,
    ])
  static let none = CategoryValueNames("", ["NotApplicable": 0])
  static let contraceptive = CategoryValueNames(
    "Contraceptive",
    [
      "Unspecified": 1, "Implant": 2, "Injection": 3, "IntrauterineDevice": 4,
      "IntravaginalRing": 5, "Oral": 6, "Patch": 7,
    ])
  static let environmentalAudioExposure = CategoryValueNames(
    "EnvironmentalAudioExposureEvent", ["MomentaryLimit": 1],
    others: ["AudioExposureEventLoudEnvironment": 1])
  static let headphoneAudioExposure = CategoryValueNames(
    "HeadphoneAudioExposureEvent",
    [
      "SevenDayLimit": 1
    ])
  static let lowCardioFitness = CategoryValueNames("LowCardioFitnessEvent", ["LowFitness": 1])
  static let walkingSteadiness = CategoryValueNames(
    "AppleWalkingSteadinessEvent",
    [
      "InitialLow": 1, "InitialVeryLow": 2, "RepeatLow": 3, "RepeatVeryLow": 4,
    ])
  static let severity = CategoryValueNames(
    "Severity",
    [
      "Unspecified": 0, "NotPresent": 1, "Mild": 2, "Moderate": 3, "Severe": 4,
    ])
  static let appetiteChanges = CategoryValueNames(
    "AppetiteChanges",
    [
      "Unspecified": 0, "NoChange": 1, "Decreased": 2, "Increased": 3,
    ])
  static let presence = CategoryValueNames("Presence", ["Present": 0, "NotPresent": 1])

  /// The numbers of the names of every category.
  static let all: CategoryValueNames = {
    let every: [CategoryValueNames] = [
      .sleep, .standHour, .cervicalMucusQuality, .ovulationTestResult, .pregnancyTestResult,
      .progesteroneTestResult, .menstrualFlow, .none, .contraceptive, .environmentalAudioExposure,
      .headphoneAudioExposure, .lowCardioFitness, .walkingSteadiness, .severity, .appetiteChanges,
      .presence,
    ]
    return CategoryValueNames(
      numbers: every.reduce(into: [:]) { $0.merge($1.numbers) { first, _ in first } })
  }()
}
