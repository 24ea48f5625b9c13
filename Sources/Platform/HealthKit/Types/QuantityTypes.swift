// SPDX-License-Identifier: Apache-2.0

/// What is known of each type of quantities.
package enum QuantityTypes {
  /// The unit in which the store keeps a type's values, and how they are put together.
  package struct Facts: Sendable {
    /// The unit in which the store keeps the values.
    package let unit: HKUnit
    /// How the values of a time span are put together.
    package let style: HKQuantityAggregationStyle
  }

  /// The facts of each known type, by the raw value of its identifier.
  package static let facts: [String: Facts] = {
    var table: [String: Facts] = [:]
    for (style, byUnit) in known {
      for (string, identifiers) in byUnit {
        let unit = HKUnit(from: string)
        for identifier in identifiers {
          table[identifier.rawValue] = Facts(unit: unit, style: style)
        }
      }
    }
    return table
  }()

  private static let known: [(HKQuantityAggregationStyle, [String: [HKQuantityTypeIdentifier]])] =
    [
      (.cumulative, cumulative), (.discreteArithmetic, discrete),
      (.discreteTemporallyWeighted, ["%": [.atrialFibrillationBurden], "count/s": [.heartRate]]),
      (
        .discreteEquivalentContinuousLevel,
        [
          "dBASPL": [
            .environmentalAudioExposure, .environmentalSoundReduction, .headphoneAudioExposure,
          ]
        ]
      ),
    ]

  private static let cumulative: [String: [HKQuantityTypeIdentifier]] = [
    "kcal": [.activeEnergyBurned, .basalEnergyBurned, .dietaryEnergyConsumed],
    "min": [
      .appleExerciseTime, .appleMoveTime, .appleStandTime, .timeInDaylight,
    ],
    "m": [
      .distanceCycling, .distanceDownhillSnowSports, .distanceSwimming, .distanceWalkingRunning,
      .distanceWheelchair, .distanceCrossCountrySkiing, .distancePaddleSports, .distanceRowing,
      .distanceSkatingSports,
    ],
    "count": [
      .flightsClimbed, .nikeFuel, .pushCount, .stepCount, .swimmingStrokeCount, .inhalerUsage,
      .numberOfAlcoholicBeverages, .numberOfTimesFallen,
    ],
    "g": [
      .dietaryBiotin, .dietaryCaffeine, .dietaryCalcium, .dietaryCarbohydrates, .dietaryChloride,
      .dietaryCholesterol, .dietaryChromium, .dietaryCopper, .dietaryFatMonounsaturated,
      .dietaryFatPolyunsaturated, .dietaryFatSaturated, .dietaryFatTotal, .dietaryFiber,
      .dietaryFolate, .dietaryIodine, .dietaryIron, .dietaryMagnesium, .dietaryManganese,
      .dietaryMolybdenum, .dietaryNiacin, .dietaryPantothenicAcid, .dietaryPhosphorus,
      .dietaryPotassium, .dietaryProtein, .dietaryRiboflavin, .dietarySelenium, .dietarySodium,
      .dietarySugar, .dietaryThiamin, .dietaryVitaminA, .dietaryVitaminB12, .dietaryVitaminB6,
      .dietaryVitaminC, .dietaryVitaminD, .dietaryVitaminE, .dietaryVitaminK, .dietaryZinc,
    ],
    "mL": [.dietaryWater],
    "IU": [.insulinDelivery],
  ]

  private static let discrete: [String: [HKQuantityTypeIdentifier]] = [
    "degC": [
      .appleSleepingWristTemperature, .bodyTemperature, .basalBodyTemperature, .waterTemperature,
    ],
    "%": [
      .bodyFatPercentage, .peripheralPerfusionIndex, .appleWalkingSteadiness,
      .walkingAsymmetryPercentage, .walkingDoubleSupportPercentage, .oxygenSaturation,
      .bloodAlcoholContent,
    ],
    "kg": [.bodyMass, .leanBodyMass],
    "count": [.bodyMassIndex, .appleSleepingBreathingDisturbances, .uvExposure],
    "S": [.electrodermalActivity],
    "m": [
      .height, .waistCircumference, .underwaterDepth, .runningStrideLength,
      .sixMinuteWalkTestDistance, .walkingStepLength,
    ],
    "W": [.runningPower, .cyclingFunctionalThresholdPower, .cyclingPower],
    "m/s": [
      .runningSpeed, .crossCountrySkiingSpeed, .cyclingSpeed, .paddleSportsSpeed, .rowingSpeed,
      .stairAscentSpeed, .stairDescentSpeed, .walkingSpeed,
    ],
    "mL/min·kg": [.vo2Max],
    "count/min": [
      .cyclingCadence, .heartRateRecoveryOneMinute, .restingHeartRate, .walkingHeartRateAverage,
    ],
    "appleEffortScore": [.estimatedWorkoutEffortScore, .workoutEffortScore],
    "kcal/hr·kg": [.physicalEffort],
    "mmHg": [.bloodPressureDiastolic, .bloodPressureSystolic],
    "ms": [.heartRateVariabilitySDNN, .runningGroundContactTime],
    "cm": [.runningVerticalOscillation],
    "L": [.forcedExpiratoryVolume1, .forcedVitalCapacity],
    "L/min": [.peakExpiratoryFlowRate],
    "count/s": [.respiratoryRate],
    "mg/dL": [.bloodGlucose],
  ]
}
