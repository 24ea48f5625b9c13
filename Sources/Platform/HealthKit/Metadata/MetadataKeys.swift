// SPDX-License-Identifier: Apache-2.0

// MARK: - Objects in general

/// An identifier that the source gave (`String`).
public let HKMetadataKeyExternalUUID: String = "HKExternalUUID"
/// An identifier by which the store replaces older versions (`String`).
public let HKMetadataKeySyncIdentifier: String = "HKMetadataKeySyncIdentifier"
/// The version of the object with the same sync identifier (`NSNumber`).
public let HKMetadataKeySyncVersion: String = "HKMetadataKeySyncVersion"
/// The name of the time zone in which the object was made (`String`).
public let HKMetadataKeyTimeZone: String = "HKTimeZone"
/// Whether the user typed the value (`Bool`).
public let HKMetadataKeyWasUserEntered: String = "HKWasUserEntered"
/// Whether the value is from a laboratory (`Bool`).
public let HKMetadataKeyWasTakenInLab: String = "HKWasTakenInLab"
/// The lower limit of a laboratory's reference range (`NSNumber`).
public let HKMetadataKeyReferenceRangeLowerLimit: String = "HKReferenceRangeLowerLimit"
/// The upper limit of a laboratory's reference range (`NSNumber`).
public let HKMetadataKeyReferenceRangeUpperLimit: String = "HKReferenceRangeUpperLimit"
/// A signature of the data, in Base64 (`String`).
public let HKMetadataKeyDigitalSignature: String = "HKDigitalSignature"
/// The version of the algorithm that made the value (`NSNumber`).
public let HKMetadataKeyAlgorithmVersion: String = "HKAlgorithmVersion"
/// From when on an estimate knows the person (`Date`).
public let HKMetadataKeyDateOfEarliestDataUsedForEstimate: String =
  "HKDateOfEarliestDataUsedForEstimate"
/// The estimate of a session before smoothing (`HKQuantity`).
public let HKMetadataKeySessionEstimate: String = "HKMetadataKeySessionEstimate"
/// Whether the value was raised to the least possible one (`Bool`).
public let HKMetadataKeyQuantityClampedToLowerBound: String =
  "HKMetadataKeyQuantityClampedToLowerBound"
/// Whether the value was lowered to the greatest possible one (`Bool`).
public let HKMetadataKeyQuantityClampedToUpperBound: String =
  "HKMetadataKeyQuantityClampedToUpperBound"

// MARK: - Devices

/// The name of the device (`String`).
public let HKMetadataKeyDeviceName: String = "HKDeviceName"
/// The name of the device's manufacturer (`String`).
public let HKMetadataKeyDeviceManufacturerName: String = "HKDeviceManufacturerName"
/// The serial number of the device (`String`).
public let HKMetadataKeyDeviceSerialNumber: String = "HKDeviceSerialNumber"
/// An ``HKDevicePlacementSide`` (`NSNumber`).
public let HKMetadataKeyDevicePlacementSide: String = "HKMetadataKeyDevicePlacementSide"
/// The device part of a unique device identifier (`String`).
public let HKMetadataKeyUDIDeviceIdentifier: String = "HKUDIDeviceIdentifier"
/// The production part of a unique device identifier (`String`).
public let HKMetadataKeyUDIProductionIdentifier: String = "HKUDIProductionIdentifier"
/// Whether the device was calibrated (`Bool`).
public let HKMetadataKeyAppleDeviceCalibrated: String = "HKMetadataKeyAppleDeviceCalibrated"
/// An ``HKAppleECGAlgorithmVersion`` (`NSNumber`).
public let HKMetadataKeyAppleECGAlgorithmVersion: String = "HKMetadataKeyAppleECGAlgorithmVersion"

// MARK: - Readings

/// An ``HKBodyTemperatureSensorLocation`` (`NSNumber`).
public let HKMetadataKeyBodyTemperatureSensorLocation: String = "HKBodyTemperatureSensorLocation"
/// An ``HKHeartRateSensorLocation`` (`NSNumber`).
public let HKMetadataKeyHeartRateSensorLocation: String = "HKHeartRateSensorLocation"
/// An ``HKHeartRateMotionContext`` (`NSNumber`).
public let HKMetadataKeyHeartRateMotionContext: String = "HKMetadataKeyHeartRateMotionContext"
/// An ``HKUserMotionContext`` (`NSNumber`).
public let HKMetadataKeyUserMotionContext: String = "HKMetadataKeyUserMotionContext"
/// The heart rate beyond which the person was warned (`HKQuantity`).
public let HKMetadataKeyHeartRateEventThreshold: String = "HKHeartRateEventThreshold"
/// An ``HKHeartRateRecoveryTestType`` (`NSNumber`).
public let HKMetadataKeyHeartRateRecoveryTestType: String = "HKMetadataKeyHeartRateRecoveryTestType"
/// The ``HKWorkoutActivityType`` before a recovery (`NSNumber`).
public let HKMetadataKeyHeartRateRecoveryActivityType: String =
  "HKMetadataKeyHeartRateRecoveryActivityType"
/// How long the activity before a recovery lasted (`HKQuantity`).
public let HKMetadataKeyHeartRateRecoveryActivityDuration: String =
  "HKMetadataKeyHeartRateRecoveryActivityDuration"
/// The greatest heart rate of a recovery (`HKQuantity`).
public let HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate: String =
  "HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate"
/// An ``HKBloodGlucoseMealTime`` (`NSNumber`).
public let HKMetadataKeyBloodGlucoseMealTime: String = "HKBloodGlucoseMealTime"
/// An ``HKInsulinDeliveryReason`` (`NSNumber`); every dose has it.
public let HKMetadataKeyInsulinDeliveryReason: String = "HKInsulinDeliveryReason"
/// An ``HKVO2MaxTestType`` (`NSNumber`).
public let HKMetadataKeyVO2MaxTestType: String = "HKVO2MaxTestType"
/// The oxygen uptake for which the person was warned (`HKQuantity`).
public let HKMetadataKeyVO2MaxValue: String = "HKVO2MaxValue"
/// The oxygen uptake below which the person is warned (`HKQuantity`).
public let HKMetadataKeyLowCardioFitnessEventThreshold: String = "HKLowCardioFitnessEventThreshold"
/// The pressure of the air (`HKQuantity`).
public let HKMetadataKeyBarometricPressure: String = "HKMetadataKeyBarometricPressure"
/// The level of the sound (`HKQuantity`).
public let HKMetadataKeyAudioExposureLevel: String = "HKMetadataKeyAudioExposureLevel"
/// How long the sound lasted (`HKQuantity`).
public let HKMetadataKeyAudioExposureDuration: String = "HKMetadataKeyAudioExposureDuration"
/// The gain of the headphones (`HKQuantity`).
public let HKMetadataKeyHeadphoneGain: String = "HKMetadataKeyHeadphoneGain"
/// What was eaten (`String`).
public let HKMetadataKeyFoodType: String = "HKFoodType"
/// Whether a cycle starts with the sample (`Bool`); every flow has it.
public let HKMetadataKeyMenstrualCycleStart: String = "HKMenstrualCycleStart"
/// Whether protection was used (`Bool`).
public let HKMetadataKeySexualActivityProtectionUsed: String = "HKSexualActivityProtectionUsed"
/// What glasses are for (`String`).
public let HKMetadataKeyGlassesPrescriptionDescription: String =
  "HKMetadataKeyGlassesPrescriptionDescription"

// MARK: - Workouts

/// The brand of a workout (`String`).
public let HKMetadataKeyWorkoutBrandName: String = "HKWorkoutBrandName"
/// Whether the workout was one of a group (`Bool`).
public let HKMetadataKeyGroupFitness: String = "HKGroupFitness"
/// Whether the workout was indoors (`Bool`).
public let HKMetadataKeyIndoorWorkout: String = "HKIndoorWorkout"
/// Whether there was a coach (`Bool`).
public let HKMetadataKeyCoachedWorkout: String = "HKCoachedWorkout"
/// An ``HKWeatherCondition`` (`NSNumber`).
public let HKMetadataKeyWeatherCondition: String = "HKWeatherCondition"
/// The temperature of the air (`HKQuantity`).
public let HKMetadataKeyWeatherTemperature: String = "HKWeatherTemperature"
/// The humidity of the air (`HKQuantity`).
public let HKMetadataKeyWeatherHumidity: String = "HKWeatherHumidity"
/// The length of a pool (`HKQuantity`).
public let HKMetadataKeyLapLength: String = "HKLapLength"
/// An ``HKWorkoutSwimmingLocationType`` (`NSNumber`).
public let HKMetadataKeySwimmingLocationType: String = "HKSwimmingLocationType"
/// An ``HKSwimmingStrokeStyle`` (`NSNumber`).
public let HKMetadataKeySwimmingStrokeStyle: String = "HKSwimmingStrokeStyle"
/// The strokes and seconds of a length (`NSNumber`).
public let HKMetadataKeySWOLFScore: String = "HKSWOLFScore"
/// The average speed (`HKQuantity`).
public let HKMetadataKeyAverageSpeed: String = "HKAverageSpeed"
/// The greatest speed (`HKQuantity`).
public let HKMetadataKeyMaximumSpeed: String = "HKMaximumSpeed"
/// The average metabolic equivalent of the task (`HKQuantity`).
public let HKMetadataKeyAverageMETs: String = "HKAverageMETs"
/// The grade of a slope (`HKQuantity`).
public let HKMetadataKeyAlpineSlopeGrade: String = "HKAlpineSlopeGrade"
/// How far the person went up (`HKQuantity`).
public let HKMetadataKeyElevationAscended: String = "HKElevationAscended"
/// How far the person went down (`HKQuantity`).
public let HKMetadataKeyElevationDescended: String = "HKElevationDescended"
/// What the machine says of the duration (`HKQuantity`).
public let HKMetadataKeyFitnessMachineDuration: String = "HKFitnessMachineDuration"
/// What the bicycle says of the distance (`HKQuantity`).
public let HKMetadataKeyIndoorBikeDistance: String = "HKIndoorBikeDistance"
/// What the cross trainer says of the distance (`HKQuantity`).
public let HKMetadataKeyCrossTrainerDistance: String = "HKCrossTrainerDistance"
/// How the power was found (`HKCyclingFunctionalThresholdPowerTestType`).
public let HKMetadataKeyCyclingFunctionalThresholdPowerTestType: String =
  "HKCyclingFunctionalThresholdPowerTestType"
/// How the effort was estimated (`HKPhysicalEffortEstimationType`).
public let HKMetadataKeyPhysicalEffortEstimationType: String = "HKPhysicalEffortEstimationType"
/// The water (`HKWaterSalinity`).
public let HKMetadataKeyWaterSalinity: String = "HKWaterSalinity"
/// The brightest light (`HKQuantity`).
public let HKMetadataKeyMaximumLightIntensity: String = "HKMaximumLightIntensity"
