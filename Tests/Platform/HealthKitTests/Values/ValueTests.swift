// SPDX-License-Identifier: Apache-2.0

import HealthKit
import Testing

struct `Values` {
  @Test func `have the numbers of the headers`() {
    #expect(HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue == 1)
    #expect(HKCategoryValueSleepAnalysis.asleepREM.rawValue == 5)
    #expect(HKCategoryValueMenstrualFlow.none.rawValue == 5)
    #expect(HKCategoryValueOvulationTestResult.estrogenSurge.rawValue == 4)
    #expect(HKCategoryValueSeverity.notPresent.rawValue == 1)
    #expect(HKCategoryValuePresence.present.rawValue == 0)
    #expect(HKBloodType.oNegative.rawValue == 8)
    #expect(HKFitzpatrickSkinType.VI.rawValue == 6)
    #expect(HKWorkoutActivityType.running.rawValue == 37)
    #expect(HKWorkoutActivityType.cooldown.rawValue == 80)
    #expect(HKWorkoutActivityType.swimBikeRun.rawValue == 82)
    #expect(HKWorkoutActivityType.other.rawValue == 3000)
    #expect(HKWorkoutEventType.pauseOrResumeRequest.rawValue == 8)
    #expect(HKWorkoutSessionLocationType.unknown.rawValue == 1)
    #expect(HKWeatherCondition.tornado.rawValue == 27)
    #expect(HKUpdateFrequency.weekly.rawValue == 4)
    #expect(HKStatisticsOptions.duration.rawValue == 64)
    #expect(HKQueryOptions([.strictStartDate, .strictEndDate]).rawValue == 3)
    #expect(HKMetricPrefix.femto.rawValue == 13)
    #expect(HKAppleECGAlgorithmVersion.version2.rawValue == 2)
  }

  @Test func `of sleep tell who is asleep`() {
    #expect(
      HKCategoryValueSleepAnalysis.allAsleepValues
        == [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM])
    #expect(HKCategoryValueSleepAnalysis.asleep == .asleepUnspecified)
  }

  @Test func `of persons survive archiving`() throws {
    let object = HKBloodTypeObject(.abNegative)
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)

    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKBloodTypeObject.self, from: data)

    #expect(read == object)
    #expect(read?.bloodType == .abNegative)
  }
}

struct `Names in exports` {
  @Test(
    arguments: [
      (.sleepAnalysis, "HKCategoryValueSleepAnalysisAsleepCore", 3),
      (.sleepAnalysis, "HKCategoryValueSleepAnalysisInBed", 0),
      (.appleStandHour, "HKCategoryValueAppleStandHourIdle", 1),
      (.mindfulSession, "HKCategoryValueNotApplicable", 0),
      (.headache, "HKCategoryValueSeveritySevere", 4),
      (.moodChanges, "HKCategoryValuePresenceNotPresent", 1),
      (.appetiteChanges, "HKCategoryValueAppetiteChangesIncreased", 3),
      (.menstrualFlow, "HKCategoryValueMenstrualFlowHeavy", 4),
      (.contraceptive, "HKCategoryValueContraceptivePatch", 7),
      (
        .environmentalAudioExposureEvent,
        "HKCategoryValueEnvironmentalAudioExposureEventMomentaryLimit", 1
      ),
      (.appleWalkingSteadinessEvent, "HKCategoryValueAppleWalkingSteadinessEventRepeatVeryLow", 4),
    ] as [(HKCategoryTypeIdentifier, String, Int)])
  func `stand for the values of categories`(
    identifier: HKCategoryTypeIdentifier, name: String, value: Int
  ) {
    #expect(CategoryTypes.value(named: name, for: identifier.rawValue) == value)
    #expect(CategoryTypes.name(of: value, for: identifier.rawValue) == name)
    #expect(CategoryTypes.isValid(value, for: identifier.rawValue))
  }

  @Test(
    arguments: [
      (.sleepAnalysis, "HKCategoryValueSleepAnalysisAsleep", 1),
      (.ovulationTestResult, "HKCategoryValueOvulationTestResultPositive", 2),
      (.environmentalAudioExposureEvent, "HKCategoryValueAudioExposureEventLoudEnvironment", 1),
      (.menstrualFlow, "HKCategoryValueVaginalBleedingLight", 2), (.sleepAnalysis, "4", 4),
    ] as [(HKCategoryTypeIdentifier, String, Int)])
  func `are known in the spellings of other versions`(
    identifier: HKCategoryTypeIdentifier, name: String, value: Int
  ) {
    #expect(CategoryTypes.value(named: name, for: identifier.rawValue) == value)
  }

  @Test func `of another category are not taken`() {
    let sleep = HKCategoryTypeIdentifier.sleepAnalysis.rawValue

    #expect(CategoryTypes.value(named: "HKCategoryValueSeverityMild", for: sleep) == nil)
    #expect(CategoryTypes.value(named: "HKCategoryValueSeverityMild", for: "Tomorrow") == 2)
    #expect(CategoryTypes.name(of: 6, for: sleep) == nil)
    #expect(!CategoryTypes.isValid(6, for: sleep))
    #expect(CategoryTypes.isValid(6, for: "Tomorrow"))
  }

  @Test(arguments: KnownIdentifiers.categories.map(\.0))
  func `lead back to the number in every category`(identifier: HKCategoryTypeIdentifier) {
    let values = (0...10).filter { CategoryTypes.isValid($0, for: identifier.rawValue) }

    #expect(!values.isEmpty)
    for value in values {
      let name = CategoryTypes.name(of: value, for: identifier.rawValue)
      #expect(name.flatMap { CategoryTypes.value(named: $0, for: identifier.rawValue) } == value)
    }
  }

  @Test(
    arguments: [
      (.americanFootball, "AmericanFootball"), (.running, "Running"), (.walking, "Walking"),
      (.traditionalStrengthTraining, "TraditionalStrengthTraining"), (.yoga, "Yoga"),
      (.highIntensityIntervalTraining, "HighIntensityIntervalTraining"), (.cooldown, "Cooldown"),
      (.swimBikeRun, "SwimBikeRun"), (.transition, "Transition"), (.other, "Other"),
      (.underwaterDiving, "UnderwaterDiving"), (.pickleball, "Pickleball"),
    ] as [(HKWorkoutActivityType, String)])
  func `stand for kinds of workouts`(activity: HKWorkoutActivityType, ending: String) {
    #expect(ExportNames.name(of: activity) == "HKWorkoutActivityType\(ending)")
    #expect(ExportNames.workoutActivity(named: "HKWorkoutActivityType\(ending)") == activity)
  }

  @Test func `stand for every kind of workout`() {
    for number in UInt(1)...84 where number != 81 {
      let activity = HKWorkoutActivityType(rawValue: number)
      #expect(activity.flatMap { ExportNames.name(of: $0) } != nil, "\(number)")
    }
    #expect(HKWorkoutActivityType(rawValue: 81) == nil)
    #expect(ExportNames.workoutActivity(named: "Running") == nil)
  }

  @Test(
    arguments: [
      (.pause, "Pause"), (.resume, "Resume"), (.lap, "Lap"), (.marker, "Marker"),
      (.motionPaused, "MotionPaused"), (.motionResumed, "MotionResumed"), (.segment, "Segment"),
      (.pauseOrResumeRequest, "PauseOrResumeRequest"),
    ] as [(HKWorkoutEventType, String)])
  func `stand for events of workouts`(event: HKWorkoutEventType, ending: String) {
    #expect(ExportNames.name(of: event) == "HKWorkoutEventType\(ending)")
    #expect(ExportNames.workoutEvent(named: "HKWorkoutEventType\(ending)") == event)
  }

  @Test func `stand for what a person is`() {
    #expect(ExportNames.biologicalSex(named: "HKBiologicalSexFemale") == .female)
    #expect(ExportNames.bloodType(named: "HKBloodTypeABNegative") == .abNegative)
    #expect(ExportNames.skinType(named: "HKFitzpatrickSkinTypeNotSet") == .notSet)
    #expect(ExportNames.skinType(named: "HKFitzpatrickSkinTypeVI") == .VI)
    #expect(ExportNames.bloodType(named: "AB-") == nil)
  }
}

struct `Constants` {
  @Test(arguments: [
    (HKMetadataKeyTimeZone, "HKTimeZone"), (HKMetadataKeyWasUserEntered, "HKWasUserEntered"),
    (HKMetadataKeySyncIdentifier, "HKMetadataKeySyncIdentifier"),
    (HKMetadataKeyHeartRateMotionContext, "HKMetadataKeyHeartRateMotionContext"),
    (HKMetadataKeyVO2MaxTestType, "HKVO2MaxTestType"),
    (HKMetadataKeyAverageMETs, "HKAverageMETs"), (HKMetadataKeySWOLFScore, "HKSWOLFScore"),
    (HKMetadataKeyMenstrualCycleStart, "HKMenstrualCycleStart"),
    (HKMetadataKeyHeadphoneGain, "HKMetadataKeyHeadphoneGain"),
    (HKMetadataKeyInsulinDeliveryReason, "HKInsulinDeliveryReason"),
    (HKDevicePropertyKeyModel, "HKDevicePropertyModel"),
    (HKPredicateKeyPathStartDate, "startDate"), (HKPredicateKeyPathUUID, "UUID"),
    (HKPredicateKeyPathCategoryValue, "value"),
    (HKSampleSortIdentifierStartDate, "HKSampleSortIdentifierStartDate"),
    (HKErrorDomain, "com.apple.healthkit"),
  ])
  func `have Apple's text`(constant: String, text: String) {
    #expect(constant == text)
  }

  @Test func `of errors are caught by their code`() throws {
    let error: any Error = HKError(.errorDatabaseInaccessible)

    #expect((error as NSError).domain == "com.apple.healthkit")
    #expect((error as NSError).code == 6)
    #expect(throws: HKError.self) { throw HKError.Code.errorNoData.error() }
    do {
      throw HKError.Code.errorNoData.error("No steps.")
    } catch HKError.errorNoData {
      // As expected.
    } catch {
      Issue.record(error)
    }
    let bridged = try #require(HKError.Code.errorInvalidArgument.error("Wrong.") as? HKError)
    #expect(bridged.code == .errorInvalidArgument)
    #expect(bridged.localizedDescription == "Wrong.")
  }
}
