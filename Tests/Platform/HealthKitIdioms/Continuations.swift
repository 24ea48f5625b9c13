// SPDX-License-Identifier: Apache-2.0

@preconcurrency import HealthKit

extension HKHealthStore {
  func samples(_ type: HKSampleType) async throws -> [HKSample] {
    try await withCheckedThrowingContinuation { continuation in
      execute(
        HKSampleQuery(
          sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, error in
          if let samples {
            continuation.resume(returning: samples)
          } else {
            continuation.resume(throwing: error ?? CancellationError())
          }
        })
    }
  }
}
