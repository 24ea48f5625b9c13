// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthRecords
import SantorioHealthKit

/// A type of HealthKit that a subscription is about, and what becomes of it.
struct MappedType: Sendable, CustomStringConvertible {
  let identifier: String
  let role: SampleRole
  /// The metrics that are made of it.
  let metrics: [MetricType]
  /// A value in a unit of HealthKit, of a quantity that makes a record.
  var given: (value: Double, unit: String)?
  /// The same in the record.
  var expected: Double?

  var description: String { identifier }

  /// All types of the subscription sets of the Validic documents, and the resting heart rate.
  static let all: [MappedType] = ofDays + measured + distances + nutrients + categories + containers

  private static let ofDays = [
    quantity("StepCount", .day, .steps), quantity("FlightsClimbed", .day, .floors),
    quantity("ActiveEnergyBurned", .day, .activeEnergyBurned),
    quantity("BasalEnergyBurned", .day, .basalEnergyBurned),
    quantity("AppleExerciseTime", .day, .activeDuration),
    category("AppleStandHour", .day, .standHoursCount, .idleHoursCount),
    category("MindfulSession", .day, .mindfulDuration),
  ]

  private static let measured = [
    quantity("BloodGlucose", .bloodGlucose, 5.5, "mmol<180.15588000005408>/L", 99.0857),
    quantity("BodyMass", .bodyWeight, 150, "lb", 68.0389),
    quantity("Height", .bodyHeight, 5.5, "ft", 167.64),
    quantity("BodyFatPercentage", .bodyFat, 0.217, "%", 21.7),
    quantity("LeanBodyMass", .bodyLeanMass, 54_100, "g", 54.1),
    quantity("BodyMassIndex", .bmi, 23.4, "count", 23.4),
    quantity("HeartRate", .pulse, 1.2, "count/s", 72),
    quantity("BasalBodyTemperature", .basalBodyTemperature, 97.7, "degF", 36.5),
    quantity("BloodPressureSystolic", .systolic, 16, "kPa", 120.0099),
    quantity("BloodPressureDiastolic", .diastolic, 80, "mmHg", 80),
    quantity("BodyTemperature", .bodyTemperature, 101.3, "degF", 38.5),
    quantity("OxygenSaturation", .oxygenSaturation, 0.97, "%", 97),
    quantity("RestingHeartRate", .restingHeartRate, 58, "count/min", 58),
  ]

  private static let distances = [
    quantity("DistanceWalkingRunning", .day, .distance),
    quantity("DistanceCycling", .workout, .distance),
    quantity("DistanceSwimming", .workout, .distance),
    quantity("DistanceWheelchair", .day, .wheelchairDistance, .distance),
    quantity("DistanceDownhillSnowSports", .workout, .distance),
  ]

  private static let nutrients = [
    quantity("DietaryCalcium", .calcium, 0.3, "g", 300),
    quantity("DietaryCarbohydrates", .carbohydrate, 45.5, "g", 45.5),
    quantity("DietaryCholesterol", .cholesterol, 0.03, "g", 30),
    quantity("DietaryFiber", .dietaryFiber, 4, "g", 4),
    quantity("DietaryProtein", .protein, 1, "oz", 28.3495),
    quantity("DietaryFatSaturated", .saturatedFat, 2.5, "g", 2.5),
    quantity("DietarySodium", .sodium, 0.4, "g", 400),
    quantity("DietaryFatTotal", .fat, 12, "g", 12),
    quantity("DietaryEnergyConsumed", .energyConsumed, 1000, "kJ", 239.0057),
    quantity("DietaryWater", .water, 0.25, "L", 250),
  ]

  private static let categories = [
    category(
      "SleepAnalysis", .sleep, .sleepDuration, .deepSleep, .lightSleep, .remSleep,
      .awakeDuration, .awakeCount, .inBedDuration, .timeToFallAsleep),
    category("SexualActivity", .record, .sexualActivity),
    category("CervicalMucusQuality", .record, .cervicalMucusQuality),
    category("IntermenstrualBleeding", .record, .intermenstrualBleeding),
    category("MenstrualFlow", .record, .menstrualFlow),
    category("OvulationTestResult", .record, .ovulationTestResult),
  ]

  private static let containers = [
    MappedType(
      identifier: "HKCorrelationTypeIdentifierBloodPressure", role: .record,
      metrics: [.systolic, .diastolic]),
    MappedType(
      identifier: "HKCorrelationTypeIdentifierFood", role: .record,
      metrics: [.energyConsumed, .water, .calcium]),
    MappedType(
      identifier: "HKWorkoutTypeIdentifier", role: .record,
      metrics: [.activeDuration, .distance, .energyBurned, .averageHeartRate]),
  ]

  private static func quantity(
    _ name: String, _ role: SampleRole, _ metrics: MetricType...
  ) -> MappedType {
    MappedType(identifier: "HKQuantityTypeIdentifier" + name, role: role, metrics: metrics)
  }

  private static func quantity(
    _ name: String, _ metric: MetricType, _ value: Double, _ unit: String, _ expected: Double
  ) -> MappedType {
    MappedType(
      identifier: "HKQuantityTypeIdentifier" + name, role: .record, metrics: [metric],
      given: (value, unit), expected: expected)
  }

  private static func category(
    _ name: String, _ role: SampleRole, _ metrics: MetricType...
  ) -> MappedType {
    MappedType(identifier: "HKCategoryTypeIdentifier" + name, role: role, metrics: metrics)
  }

  var type: HKSampleType? {
    if identifier.hasPrefix("HKQuantity") {
      return HKObjectType.quantityType(
        forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier))
    }
    if identifier.hasPrefix("HKCategory") {
      return HKObjectType.categoryType(
        forIdentifier: HKCategoryTypeIdentifier(rawValue: identifier))
    }
    if identifier.hasPrefix("HKCorrelation") {
      return HKObjectType.correlationType(
        forIdentifier: HKCorrelationTypeIdentifier(rawValue: identifier))
    }
    return .workoutType()
  }
}
