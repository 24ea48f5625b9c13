// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthKit
import HealthRecords
import SantorioHealthKit
public import ValidicCore

/// Useful sets of sample types; the numbers are Validic's.
#if canImport(ObjectiveC)
  @objc(VLDHealthKitSubscriptionSet)
#endif
public enum VLDHealthKitSubscriptionSet: UInt, CaseIterable, Sendable {
  /// Steps, energy, floors, stand hours, exercise and mindful minutes.
  case routine = 0
  /// Blood glucose.
  case diabetes = 1
  /// Weight, height, body fat, lean mass, body mass index.
  case weight = 2
  /// Workouts.
  case fitness = 3
  /// Sleep.
  case sleep = 4
  /// Food and water.
  case basicNutrition = 5
  /// The cycle and what belongs to it.
  case reproductiveHealth = 6
  /// Blood pressure, heart rate, temperature, oxygen saturation.
  case biometrics = 7
}

/// Which samples of HealthKit's make which records.
#if canImport(ObjectiveC)
  @objc(VLDHealthKitSubscription) @objcMembers
#endif
public final class VLDHealthKitSubscription: NSObject, Sendable {
  /// The sample types of a set.
  ///
  /// - Parameter subscriptionSet: The set.
  /// - Returns: The types, by their identifiers.
  #if canImport(ObjectiveC)
    @objc(sampleTypesForSubscriptionSet:)
  #endif
  public static func sampleTypes(
    for subscriptionSet: VLDHealthKitSubscriptionSet
  ) -> [HKSampleType]! {
    HealthKitSubscriptionSet(rawValue: Int(subscriptionSet.rawValue))?.sampleTypes
      .sorted { $0.identifier < $1.identifier }
  }

  /// The class of the records that are made of a type of samples.
  ///
  /// - Parameter sampleType: The type.
  /// - Returns: The class; `VLDRecordType.none` for a type of which none are made.
  #if canImport(ObjectiveC)
    @objc(recordTypeForSampleType:)
  #endif
  public static func recordType(for sampleType: HKSampleType) -> VLDRecordType {
    if sampleType == HKObjectType.workoutType() { return .fitness }
    switch SampleRole(sampleType) {
    case .day: return .routine
    case .sleep: return .sleep
    case .workout: return .fitness
    case .record: return VLDRecordType(ofType: sampleType.identifier)
    case nil: return .none
    }
  }

  /// The unit in which the values of a type are read.
  ///
  /// - Parameter type: The identifier, for instance `HKQuantityTypeIdentifierBodyMass`.
  /// - Returns: The unit; nil for a type of which no record is made.
  #if canImport(ObjectiveC)
    @objc(unitForQuantityTypeIdentifier:)
  #endif
  public static func unit(forQuantityTypeIdentifier type: String) -> HKUnit? {
    SampleUnits.unit(ofType: type)
  }

  /// The name of a kind of workout, as records have it, for instance `running`.
  ///
  /// - Parameter type: The kind.
  /// - Returns: The name.
  #if canImport(ObjectiveC)
    @objc(workoutActivityForType:)
  #endif
  public static func workoutActivity(for type: HKWorkoutActivityType) -> String {
    type.recordName
  }
}

extension VLDRecordType {
  /// The class of records that are made of single samples of a type.
  init(ofType identifier: String) {
    let row = MetricTable.rows.first { $0.healthKitIdentifiers.contains(identifier) }
    self = row?.legacyRecord.map(VLDRecordType.init) ?? .none
  }

  /// The class of records of a kind that were made of a type of samples.
  init(_ kind: RecordKind, ofType identifier: String) {
    switch kind {
    case .summary: self = .routine
    case .workout: self = .fitness
    case .sleep: self = .sleep
    case .nutrition: self = .nutrition
    case .intraday: self = .intraDaySteps
    default: self = VLDRecordType(ofType: identifier)
    }
  }

  private init(_ record: LegacyRecord) {
    self =
      switch record {
      case .biometrics: .biometrics
      case .diabetes: .diabetes
      case .fitness: .fitness
      case .nutrition: .nutrition
      case .routine: .routine
      case .sleep: .sleep
      case .weight: .weight
      }
  }
}
