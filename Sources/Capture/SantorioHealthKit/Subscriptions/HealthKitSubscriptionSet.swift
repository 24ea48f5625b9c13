// SPDX-License-Identifier: Apache-2.0

@unsafe @preconcurrency public import HealthKit

/// Types of samples that are often wanted together.
public enum HealthKitSubscriptionSet: Int, Hashable, Sendable, CaseIterable {
  /// Days: steps, distance, flights, energy, exercise, stand and idle hours, mindful minutes.
  case routine
  /// Blood glucose.
  case diabetes
  /// Weight, height, fat, lean mass and body mass index.
  case weight
  /// Workouts with their heart rates, distance and energy.
  case fitness
  /// Nights.
  case sleep
  /// Food: eight nutrients, energy and water.
  case basicNutrition
  /// Cycle, ovulation, basal temperature and sexual activity; Legacy v1 has no place for them.
  case reproductiveHealth
  /// Blood pressure, heart rate, temperature and oxygen saturation.
  case biometrics

  /// The types of the set; each can be subscribed to alone, too.
  public var sampleTypes: Set<HKSampleType> {
    switch self {
    case .routine:
      Self.quantities([
        .stepCount, .flightsClimbed, .activeEnergyBurned, .basalEnergyBurned, .appleExerciseTime,
        .distanceWalkingRunning,
      ]).union(Self.categories([.appleStandHour, .mindfulSession]))
    case .diabetes: Self.quantities([.bloodGlucose])
    case .weight:
      Self.quantities([.bodyMass, .height, .bodyFatPercentage, .leanBodyMass, .bodyMassIndex])
    case .fitness: [HKObjectType.workoutType()]
    case .sleep: Self.categories([.sleepAnalysis])
    case .basicNutrition:
      Self.quantities([
        .dietaryCalcium, .dietaryCarbohydrates, .dietaryCholesterol, .dietaryFiber,
        .dietaryProtein, .dietaryFatSaturated, .dietarySodium, .dietaryFatTotal,
        .dietaryEnergyConsumed, .dietaryWater,
      ])
    case .reproductiveHealth:
      Self.categories([
        .sexualActivity, .cervicalMucusQuality, .intermenstrualBleeding, .menstrualFlow,
        .ovulationTestResult,
      ]).union(Self.quantities([.basalBodyTemperature]))
    case .biometrics:
      Self.quantities([
        .bloodPressureSystolic, .bloodPressureDiastolic, .heartRate, .restingHeartRate,
        .bodyTemperature, .oxygenSaturation,
      ])
    }
  }

  /// What must be allowed beside the types, for the figures of workouts.
  var alsoRead: Set<HKSampleType> {
    guard self == .fitness else { return [] }
    return Self.quantities([
      .heartRate, .distanceWalkingRunning, .distanceCycling, .distanceSwimming,
      .distanceWheelchair, .distanceDownhillSnowSports, .activeEnergyBurned,
    ])
  }

  private static func quantities(_ identifiers: [HKQuantityTypeIdentifier]) -> Set<HKSampleType> {
    Set(identifiers.map { HKQuantityType($0) })
  }

  private static func categories(_ identifiers: [HKCategoryTypeIdentifier]) -> Set<HKSampleType> {
    Set(identifiers.map { HKCategoryType($0) })
  }
}
