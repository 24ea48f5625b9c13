// SPDX-License-Identifier: Apache-2.0

import HealthRecords
public import HealthKit

/// What becomes of the samples of a type.
public enum SampleRole: Hashable, Sendable {
  /// Each makes a record of its own, see ``SampleRecords``; those of a correlation make one together.
  case record
  /// They add up to a day, see ``DaySummary``.
  case day
  /// They make up a night, see ``SleepRecords``.
  case sleep
  /// They are figures of a workout, which has them in its statistics.
  case workout

  /// What becomes of the samples of a type; nil for one of which nothing is made.
  ///
  /// - Parameter type: The type.
  public init?(_ type: HKSampleType) {
    let name = type.identifier
    if Self.ofDay.contains(name) {
      self = .day
    } else if name == HKCategoryTypeIdentifier.sleepAnalysis.rawValue {
      self = .sleep
    } else if Self.metrics[name] != nil || Self.containers.contains(name) {
      self = .record
    } else if MetricType.distance.definition?.healthKitIdentifiers.contains(name) ?? false {
      self = .workout
    } else {
      return nil
    }
  }

  /// All types of which records are made, but for correlations: what belongs to them stands for them.
  package static var allTypes: Set<HKSampleType> {
    let names = ofDay.union(metrics.keys).union([
      HKCategoryTypeIdentifier.sleepAnalysis.rawValue, HKObjectType.workoutType().identifier,
    ])
    return Set(names.compactMap { HKSampleType.named($0) }.filter { !($0 is HKCorrelationType) })
  }

  /// The metric of a sample that makes a record of its own; nil of another type.
  static func metric(of type: HKSampleType) -> MetricType? { metrics[type.identifier] }

  private static let ofDay = Set(
    (DaySummary.quantities.keys.map(\.rawValue))
      + DaySummary.categories.map(\.rawValue))

  private static let containers: Set = [
    "HKCorrelationTypeIdentifierBloodPressure", "HKCorrelationTypeIdentifierFood",
    "HKWorkoutTypeIdentifier",
  ]

  /// The metric by the type's identifier, from the table of metrics.
  private static let metrics: [String: MetricType] = {
    let types: [MetricType] =
      [
        .systolic, .diastolic, .oxygenSaturation, .bloodGlucose, .pulse, .restingHeartRate,
        .heartRateVariability, .bodyWeight, .bodyHeight, .bmi, .bodyFat, .bodyLeanMass, .bodyWaist,
        .bodyTemperature, .basalBodyTemperature, .respiratoryRate, .menstrualFlow,
        .intermenstrualBleeding, .cervicalMucusQuality, .ovulationTestResult, .sexualActivity,
      ] + nutrients
    let pairs = types.compactMap { type in
      type.definition?.healthKitIdentifiers.first.map { ($0, type) }
    }
    return Dictionary(pairs) { first, _ in first }
  }()

  /// What food has in it, in the order of the table of metrics.
  static let nutrients: [MetricType] = MetricTable.rows
    .filter { $0.legacyRecord == .nutrition && !$0.healthKitIdentifiers.isEmpty }.map(\.type)
}
