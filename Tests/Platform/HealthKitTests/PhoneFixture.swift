// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import TestSupport

/// A phone with an empty store, a watch, and an app that may do everything.
final class PhoneFixture {
  let folder: TemporaryFolder
  let phone: SimulatedPhone
  let store: HKHealthStore

  static let watch = revision("Sam’s Apple Watch", "Watch6,2")
  static let iPhone = revision("Sam’s iPhone", "iPhone14,5")
  static let otherApp = revision("Diary", nil)

  private static func revision(_ name: String, _ product: String?) -> HKSourceRevision {
    SimulatedPhone.source(
      named: name, bundleIdentifier: "test.\(name)", productType: product, version: "1")
  }

  init(allowing types: Set<HKSampleType> = PhoneFixture.types) async throws {
    folder = try TemporaryFolder()
    phone = SimulatedPhone(store: folder.url.appendingPathComponent("health.sqlite"))
    store = phone.makeHealthStore()
    if !types.isEmpty { try await store.requestAuthorization(toShare: types, read: types) }
  }

  static let steps = HKQuantityType(.stepCount)
  static let heartRate = HKQuantityType(.heartRate)
  static let mass = HKQuantityType(.bodyMass)
  static let systolic = HKQuantityType(.bloodPressureSystolic)
  static let diastolic = HKQuantityType(.bloodPressureDiastolic)
  static let sleep = HKCategoryType(.sleepAnalysis)
  static let types: Set<HKSampleType> = [
    steps, heartRate, mass, systolic, diastolic, sleep, .workoutType(),
  ]

  /// Seconds after a fixed instant.
  static func time(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: 700_000_000 + seconds)
  }

  static func steps(
    _ count: Double, _ start: Double, _ end: Double, metadata: [String: Any]? = nil
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: time(start),
      end: time(end), metadata: metadata)
  }

  static func rate(_ rate: Double, _ at: Double) -> HKQuantitySample {
    HKQuantitySample(
      type: heartRate,
      quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: rate), start: time(at),
      end: time(at))
  }

  static func pressure(_ systolic: Double, _ diastolic: Double, _ at: Double) -> HKCorrelation {
    func part(_ type: HKQuantityType, _ value: Double) -> HKQuantitySample {
      HKQuantitySample(
        type: type, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value),
        start: time(at), end: time(at))
    }
    return HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: time(at), end: time(at),
      objects: [part(Self.systolic, systolic), part(Self.diastolic, diastolic)])
  }

  /// The values of all samples of a type that fit to a predicate, in the order of time.
  func values(_ type: HKQuantityType, _ predicate: NSPredicate? = nil) async throws -> [Double] {
    try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: type, predicate: predicate)],
      sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store).map {
      $0.quantity.doubleValue(
        for: type == Self.heartRate ? HKUnit(from: "count/min") : type.canonicalUnit)
    }
  }
}
