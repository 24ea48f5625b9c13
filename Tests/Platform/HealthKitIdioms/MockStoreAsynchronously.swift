// SPDX-License-Identifier: Apache-2.0

// Differs: refused on both platforms, with other messages.
import HealthKit

final class MockStore: HKHealthStore {
  override func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws {}
}
