// SPDX-License-Identifier: Apache-2.0

@preconcurrency import HealthKit

func follow(_ store: HKHealthStore, _ upload: ([HKQuantitySample]) async throws -> Void)
  async throws
{
  let descriptor = HKAnchoredObjectQueryDescriptor(
    predicates: [.quantitySample(type: HKQuantityType(.heartRate))], anchor: nil)
  for try await change in descriptor.results(for: store) {
    try await upload(change.addedSamples)
    for deleted in change.deletedObjects { print(deleted.uuid) }
  }
}
