// SPDX-License-Identifier: Apache-2.0

#if canImport(HealthKitSimulation)
  import Foundation
  import HealthKit
  import HealthKitSimulation

  func stepsOfDays(from store: HKHealthStore, since start: Date) async throws -> [Double] {
    let steps = HKQuantityType(.stepCount)
    try await store.requestAuthorization(toShare: [], read: [steps])
    let collection = try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: steps), options: .cumulativeSum, anchorDate: start,
      intervalComponents: DateComponents(day: 1)
    ).result(for: store)
    return collection.statistics().compactMap { $0.sumQuantity()?.doubleValue(for: .count()) }
  }

  private func usePhone(in folder: URL, _ watch: HKSourceRevision) throws -> HKHealthStore {
    let phone = SimulatedPhone(store: folder.appendingPathComponent("health.sqlite"))
    let store = phone.makeHealthStore()  // for the code under test
    let sample = HKQuantitySample(
      type: HKQuantityType(.heartRate),
      quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 62), start: phone.now,
      end: phone.now)
    try phone.save([sample], from: watch)  // a source revision with the product type "Watch6,2"
    phone.isLocked = true
    return store
  }
#endif
