// SPDX-License-Identifier: Apache-2.0

/// Where a heart rate was measured.
@nonexhaustive
public enum HKHeartRateSensorLocation: Int, @unchecked Sendable {
  case other = 0
  case chest = 1
  case wrist = 2
  case finger = 3
  case hand = 4
  case earLobe = 5
  case foot = 6
}

/// How much a person moved while a heart rate was measured.
@nonexhaustive
public enum HKHeartRateMotionContext: Int, @unchecked Sendable {
  case notSet = 0
  case sedentary = 1
  case active = 2
}

/// How much a person moved during a sample.
@nonexhaustive
public enum HKUserMotionContext: Int, @unchecked Sendable {
  case notSet = 0
  case stationary = 1
  case active = 2
}

/// How a recovery of the heart rate was found.
@nonexhaustive
public enum HKHeartRateRecoveryTestType: Int, @unchecked Sendable {
  case maxExercise = 1
  case predictionSubMaxExercise = 2
  case predictionNonExercise = 3
}

/// Where a temperature was measured.
@nonexhaustive
public enum HKBodyTemperatureSensorLocation: Int, @unchecked Sendable {
  case other = 0
  case armpit = 1
  case body = 2
  case ear = 3
  case finger = 4
  case gastroIntestinal = 5
  case mouth = 6
  case rectum = 7
  case toe = 8
  case earDrum = 9
  case temporalArtery = 10
  case forehead = 11
}

/// When glucose was measured.
@nonexhaustive
public enum HKBloodGlucoseMealTime: Int, @unchecked Sendable {
  case preprandial = 1
  case postprandial = 2
}

/// What insulin was for.
@nonexhaustive
public enum HKInsulinDeliveryReason: Int, @unchecked Sendable {
  case basal = 1
  case bolus = 2
}

/// How a maximal oxygen uptake was found.
@nonexhaustive
public enum HKVO2MaxTestType: Int, @unchecked Sendable {
  case maxExercise = 1
  case predictionSubMaxExercise = 2
  case predictionNonExercise = 3
  case predictionStepTest = 4
}

/// The version of the algorithm that classified an electrocardiogram.
@nonexhaustive
public enum HKAppleECGAlgorithmVersion: Int, @unchecked Sendable {
  case version1 = 1
  case version2 = 2
}

/// On which side of the body a device was.
@nonexhaustive
public enum HKDevicePlacementSide: Int, @unchecked Sendable {
  case unknown = 0
  case left = 1
  case right = 2
  case central = 3
}

/// Where a person swam.
@nonexhaustive
public enum HKWorkoutSwimmingLocationType: Int, @unchecked Sendable {
  case unknown = 0
  case pool = 1
  case openWater = 2
}

/// How a person swam.
@nonexhaustive
public enum HKSwimmingStrokeStyle: Int, @unchecked Sendable {
  case unknown = 0
  case mixed = 1
  case freestyle = 2
  case backstroke = 3
  case breaststroke = 4
  case butterfly = 5
  case kickboard = 6
}

/// The weather during a sample.
@nonexhaustive
public enum HKWeatherCondition: Int, @unchecked Sendable {
  case none = 0
  case clear = 1
  case fair = 2
  case partlyCloudy = 3
  case mostlyCloudy = 4
  case cloudy = 5
  case foggy = 6
  case haze = 7
  case windy = 8
  case blustery = 9
  case smoky = 10
  case dust = 11
  case snow = 12
  case hail = 13
  case sleet = 14
  case freezingDrizzle = 15
  case freezingRain = 16
  case mixedRainAndHail = 17
  case mixedRainAndSnow = 18
  case mixedRainAndSleet = 19
  case mixedSnowAndSleet = 20
  case drizzle = 21
  case scatteredShowers = 22
  case showers = 23
  case thunderstorms = 24
  case tropicalStorm = 25
  case hurricane = 26
  case tornado = 27
}

/// How the power was found that a cyclist can keep for an hour.
@nonexhaustive
public enum HKCyclingFunctionalThresholdPowerTestType: Int, @unchecked Sendable {
  case maxExercise60Minute = 1
  case maxExercise20Minute = 2
  case rampTest = 3
  case predictionExercise = 4
}

/// How a physical effort was estimated.
@nonexhaustive
public enum HKPhysicalEffortEstimationType: Int, @unchecked Sendable {
  case activityLookup = 1
  case deviceSensed = 2
}

/// The water in which a depth or a temperature was measured.
@nonexhaustive
public enum HKWaterSalinity: Int, @unchecked Sendable {
  case freshWater = 1
  case saltWater = 2
}
