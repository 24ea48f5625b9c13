// SPDX-License-Identifier: Apache-2.0

import HealthKit

let byStart = NSSortDescriptor(keyPath: \HKSample.startDate, ascending: false)

func latest(_ type: HKQuantityType, _ store: HKHealthStore) async throws -> HKQuantitySample? {
  try await HKSampleQueryDescriptor(
    predicates: [.quantitySample(type: type)],
    sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1
  ).result(for: store).first
}
