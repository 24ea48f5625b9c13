// SPDX-License-Identifier: Apache-2.0

/// The name of a type of quantities.
public struct HKQuantityTypeIdentifier: Hashable, RawRepresentable, Sendable {
  /// The name as in the framework's C interface and in exports.
  public let rawValue: String

  /// The identifier of that name, whether or not there is such a type.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }
}

// MARK: - Body

extension HKQuantityTypeIdentifier {
  /// Discrete, in `degC`.
  public static let appleSleepingWristTemperature = Self(
    rawValue: "HKQuantityTypeIdentifierAppleSleepingWristTemperature")
  /// Discrete, in `degC`.
  public static let bodyTemperature = Self(rawValue: "HKQuantityTypeIdentifierBodyTemperature")
  /// Discrete, in `%`.
  public static let bodyFatPercentage = Self(rawValue: "HKQuantityTypeIdentifierBodyFatPercentage")
  /// Discrete, in `kg`.
  public static let bodyMass = Self(rawValue: "HKQuantityTypeIdentifierBodyMass")
  /// Discrete, in `kg`.
  public static let leanBodyMass = Self(rawValue: "HKQuantityTypeIdentifierLeanBodyMass")
  /// Discrete, in `count`.
  public static let bodyMassIndex = Self(rawValue: "HKQuantityTypeIdentifierBodyMassIndex")
  /// Discrete, in `S`.
  public static let electrodermalActivity = Self(
    rawValue: "HKQuantityTypeIdentifierElectrodermalActivity")
  /// Discrete, in `m`.
  public static let height = Self(rawValue: "HKQuantityTypeIdentifierHeight")
  /// Discrete, in `m`.
  public static let waistCircumference = Self(
    rawValue: "HKQuantityTypeIdentifierWaistCircumference")
  /// Discrete, in `degC`.
  public static let basalBodyTemperature = Self(
    rawValue: "HKQuantityTypeIdentifierBasalBodyTemperature")
}

// MARK: - Activity

extension HKQuantityTypeIdentifier {
  /// Cumulative, in `kcal`.
  public static let activeEnergyBurned = Self(
    rawValue: "HKQuantityTypeIdentifierActiveEnergyBurned")
  /// Cumulative, in `kcal`.
  public static let basalEnergyBurned = Self(rawValue: "HKQuantityTypeIdentifierBasalEnergyBurned")
  /// Cumulative, in `min`.
  public static let appleExerciseTime = Self(rawValue: "HKQuantityTypeIdentifierAppleExerciseTime")
  /// Cumulative, in `min`.
  public static let appleMoveTime = Self(rawValue: "HKQuantityTypeIdentifierAppleMoveTime")
  /// Cumulative, in `min`.
  public static let appleStandTime = Self(rawValue: "HKQuantityTypeIdentifierAppleStandTime")
  /// Cumulative, in `m`.
  public static let distanceCycling = Self(rawValue: "HKQuantityTypeIdentifierDistanceCycling")
  /// Cumulative, in `m`.
  public static let distanceDownhillSnowSports = Self(
    rawValue: "HKQuantityTypeIdentifierDistanceDownhillSnowSports")
  /// Cumulative, in `m`.
  public static let distanceSwimming = Self(rawValue: "HKQuantityTypeIdentifierDistanceSwimming")
  /// Cumulative, in `m`.
  public static let distanceWalkingRunning = Self(
    rawValue: "HKQuantityTypeIdentifierDistanceWalkingRunning")
  /// Cumulative, in `m`.
  public static let distanceWheelchair = Self(
    rawValue: "HKQuantityTypeIdentifierDistanceWheelchair")
  /// Cumulative, in `count`.
  public static let flightsClimbed = Self(rawValue: "HKQuantityTypeIdentifierFlightsClimbed")
  /// Cumulative, in `count`.
  public static let nikeFuel = Self(rawValue: "HKQuantityTypeIdentifierNikeFuel")
  /// Cumulative, in `count`.
  public static let pushCount = Self(rawValue: "HKQuantityTypeIdentifierPushCount")
  /// Cumulative, in `count`.
  public static let stepCount = Self(rawValue: "HKQuantityTypeIdentifierStepCount")
  /// Cumulative, in `count`.
  public static let swimmingStrokeCount = Self(
    rawValue: "HKQuantityTypeIdentifierSwimmingStrokeCount")
  /// Discrete, in `W`.
  public static let runningPower = Self(rawValue: "HKQuantityTypeIdentifierRunningPower")
  /// Discrete, in `m/s`.
  public static let runningSpeed = Self(rawValue: "HKQuantityTypeIdentifierRunningSpeed")
  /// Discrete, in `m`.
  public static let underwaterDepth = Self(rawValue: "HKQuantityTypeIdentifierUnderwaterDepth")
  /// Discrete, in `mL/min·kg`.
  public static let vo2Max = Self(rawValue: "HKQuantityTypeIdentifierVO2Max")
}

// MARK: - Activity, from iOS 17 and 18

extension HKQuantityTypeIdentifier {
  /// Discrete, in `m/s`.
  public static let crossCountrySkiingSpeed = Self(
    rawValue: "HKQuantityTypeIdentifierCrossCountrySkiingSpeed")
  /// Discrete, in `m/s`.
  public static let cyclingSpeed = Self(rawValue: "HKQuantityTypeIdentifierCyclingSpeed")
  /// Discrete, in `m/s`.
  public static let paddleSportsSpeed = Self(rawValue: "HKQuantityTypeIdentifierPaddleSportsSpeed")
  /// Discrete, in `m/s`.
  public static let rowingSpeed = Self(rawValue: "HKQuantityTypeIdentifierRowingSpeed")
  /// Discrete, in `count/min`.
  public static let cyclingCadence = Self(rawValue: "HKQuantityTypeIdentifierCyclingCadence")
  /// Discrete, in `W`.
  public static let cyclingFunctionalThresholdPower = Self(
    rawValue: "HKQuantityTypeIdentifierCyclingFunctionalThresholdPower")
  /// Discrete, in `W`.
  public static let cyclingPower = Self(rawValue: "HKQuantityTypeIdentifierCyclingPower")
  /// Cumulative, in `m`.
  public static let distanceCrossCountrySkiing = Self(
    rawValue: "HKQuantityTypeIdentifierDistanceCrossCountrySkiing")
  /// Cumulative, in `m`.
  public static let distancePaddleSports = Self(
    rawValue: "HKQuantityTypeIdentifierDistancePaddleSports")
  /// Cumulative, in `m`.
  public static let distanceRowing = Self(rawValue: "HKQuantityTypeIdentifierDistanceRowing")
  /// Cumulative, in `m`.
  public static let distanceSkatingSports = Self(
    rawValue: "HKQuantityTypeIdentifierDistanceSkatingSports")
  /// Discrete, in `appleEffortScore`.
  public static let estimatedWorkoutEffortScore = Self(
    rawValue: "HKQuantityTypeIdentifierEstimatedWorkoutEffortScore")
  /// Discrete, in `appleEffortScore`.
  public static let workoutEffortScore = Self(
    rawValue: "HKQuantityTypeIdentifierWorkoutEffortScore")
  /// Discrete, in `kcal/hr·kg`.
  public static let physicalEffort = Self(rawValue: "HKQuantityTypeIdentifierPhysicalEffort")
  /// Cumulative, in `min`.
  public static let timeInDaylight = Self(rawValue: "HKQuantityTypeIdentifierTimeInDaylight")
}

// MARK: - Heart

extension HKQuantityTypeIdentifier {
  /// Discrete, weighted by time, in `%`.
  public static let atrialFibrillationBurden = Self(
    rawValue: "HKQuantityTypeIdentifierAtrialFibrillationBurden")
  /// Discrete, in `mmHg`.
  public static let bloodPressureDiastolic = Self(
    rawValue: "HKQuantityTypeIdentifierBloodPressureDiastolic")
  /// Discrete, in `mmHg`.
  public static let bloodPressureSystolic = Self(
    rawValue: "HKQuantityTypeIdentifierBloodPressureSystolic")
  /// Discrete, weighted by time, in `count/s`.
  public static let heartRate = Self(rawValue: "HKQuantityTypeIdentifierHeartRate")
  /// Discrete, in `count/min`.
  public static let heartRateRecoveryOneMinute = Self(
    rawValue: "HKQuantityTypeIdentifierHeartRateRecoveryOneMinute")
  /// Discrete, in `count/min`.
  public static let restingHeartRate = Self(rawValue: "HKQuantityTypeIdentifierRestingHeartRate")
  /// Discrete, in `count/min`.
  public static let walkingHeartRateAverage = Self(
    rawValue: "HKQuantityTypeIdentifierWalkingHeartRateAverage")
  /// Discrete, in `ms`.
  public static let heartRateVariabilitySDNN = Self(
    rawValue: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN")
  /// Discrete, in `%`.
  public static let peripheralPerfusionIndex = Self(
    rawValue: "HKQuantityTypeIdentifierPeripheralPerfusionIndex")
}

// MARK: - Hearing

extension HKQuantityTypeIdentifier {
  /// Discrete, averaged as sound levels, in `dBASPL`.
  public static let environmentalAudioExposure = Self(
    rawValue: "HKQuantityTypeIdentifierEnvironmentalAudioExposure")
  /// Discrete, averaged as sound levels, in `dBASPL`.
  public static let environmentalSoundReduction = Self(
    rawValue: "HKQuantityTypeIdentifierEnvironmentalSoundReduction")
  /// Discrete, averaged as sound levels, in `dBASPL`.
  public static let headphoneAudioExposure = Self(
    rawValue: "HKQuantityTypeIdentifierHeadphoneAudioExposure")
}

// MARK: - Mobility

extension HKQuantityTypeIdentifier {
  /// Discrete, in `%`.
  public static let appleWalkingSteadiness = Self(
    rawValue: "HKQuantityTypeIdentifierAppleWalkingSteadiness")
  /// Discrete, in `%`.
  public static let walkingAsymmetryPercentage = Self(
    rawValue: "HKQuantityTypeIdentifierWalkingAsymmetryPercentage")
  /// Discrete, in `%`.
  public static let walkingDoubleSupportPercentage = Self(
    rawValue: "HKQuantityTypeIdentifierWalkingDoubleSupportPercentage")
  /// Discrete, in `ms`.
  public static let runningGroundContactTime = Self(
    rawValue: "HKQuantityTypeIdentifierRunningGroundContactTime")
  /// Discrete, in `m`.
  public static let runningStrideLength = Self(
    rawValue: "HKQuantityTypeIdentifierRunningStrideLength")
  /// Discrete, in `m`.
  public static let sixMinuteWalkTestDistance = Self(
    rawValue: "HKQuantityTypeIdentifierSixMinuteWalkTestDistance")
  /// Discrete, in `m`.
  public static let walkingStepLength = Self(rawValue: "HKQuantityTypeIdentifierWalkingStepLength")
  /// Discrete, in `cm`.
  public static let runningVerticalOscillation = Self(
    rawValue: "HKQuantityTypeIdentifierRunningVerticalOscillation")
  /// Discrete, in `m/s`.
  public static let stairAscentSpeed = Self(rawValue: "HKQuantityTypeIdentifierStairAscentSpeed")
  /// Discrete, in `m/s`.
  public static let stairDescentSpeed = Self(rawValue: "HKQuantityTypeIdentifierStairDescentSpeed")
  /// Discrete, in `m/s`.
  public static let walkingSpeed = Self(rawValue: "HKQuantityTypeIdentifierWalkingSpeed")
}

// MARK: - Respiration

extension HKQuantityTypeIdentifier {
  /// Discrete, in `count`.
  public static let appleSleepingBreathingDisturbances = Self(
    rawValue: "HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances")
  /// Discrete, in `L`.
  public static let forcedExpiratoryVolume1 = Self(
    rawValue: "HKQuantityTypeIdentifierForcedExpiratoryVolume1")
  /// Discrete, in `L`.
  public static let forcedVitalCapacity = Self(
    rawValue: "HKQuantityTypeIdentifierForcedVitalCapacity")
  /// Cumulative, in `count`.
  public static let inhalerUsage = Self(rawValue: "HKQuantityTypeIdentifierInhalerUsage")
  /// Discrete, in `%`.
  public static let oxygenSaturation = Self(rawValue: "HKQuantityTypeIdentifierOxygenSaturation")
  /// Discrete, in `L/min`.
  public static let peakExpiratoryFlowRate = Self(
    rawValue: "HKQuantityTypeIdentifierPeakExpiratoryFlowRate")
  /// Discrete, in `count/s`.
  public static let respiratoryRate = Self(rawValue: "HKQuantityTypeIdentifierRespiratoryRate")
}

// MARK: - Other readings

extension HKQuantityTypeIdentifier {
  /// Discrete, in `%`.
  public static let bloodAlcoholContent = Self(
    rawValue: "HKQuantityTypeIdentifierBloodAlcoholContent")
  /// Discrete, in `mg/dL`.
  public static let bloodGlucose = Self(rawValue: "HKQuantityTypeIdentifierBloodGlucose")
  /// Cumulative, in `IU`.
  public static let insulinDelivery = Self(rawValue: "HKQuantityTypeIdentifierInsulinDelivery")
  /// Cumulative, in `count`.
  public static let numberOfAlcoholicBeverages = Self(
    rawValue: "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages")
  /// Cumulative, in `count`.
  public static let numberOfTimesFallen = Self(
    rawValue: "HKQuantityTypeIdentifierNumberOfTimesFallen")
  /// Discrete, in `count`.
  public static let uvExposure = Self(rawValue: "HKQuantityTypeIdentifierUVExposure")
  /// Discrete, in `degC`.
  public static let waterTemperature = Self(rawValue: "HKQuantityTypeIdentifierWaterTemperature")
}
