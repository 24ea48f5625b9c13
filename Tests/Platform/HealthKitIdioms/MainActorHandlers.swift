// SPDX-License-Identifier: Apache-2.0

@preconcurrency import HealthKit

@MainActor final class Model {
  var count = 0

  func start(_ store: HKHealthStore) {
    let query = HKStatisticsCollectionQuery(
      quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
      options: .cumulativeSum, anchorDate: Date(), intervalComponents: DateComponents(day: 1))
    query.initialResultsHandler = { _, collection, _ in
      let number = collection?.statistics().count ?? 0
      Task { @MainActor in self.count = number }
    }
    query.statisticsUpdateHandler = { _, statistics, _, _ in
      let sum = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
      DispatchQueue.main.async { self.count = Int(sum) }
    }
    store.execute(query)
  }
}
