// SPDX-License-Identifier: Apache-2.0

import HealthKit

extension HKSample: @retroactive Identifiable {
  /// The identifier in the store.
  public var id: UUID { uuid }
}

extension HKQuantityTypeIdentifier: @retroactive CaseIterable {
  /// The types of an app.
  public static var allCases: [HKQuantityTypeIdentifier] { [.stepCount, .heartRate] }
}
