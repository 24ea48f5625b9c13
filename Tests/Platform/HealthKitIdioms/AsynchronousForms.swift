// SPDX-License-Identifier: Apache-2.0

// Only types are checked: Swift 6.3.1 on Linux crashes when it compiles calls of imported asynchronous methods.
@preconcurrency import HealthKit

func all(_ store: HKHealthStore, _ types: Set<HKSampleType>, _ sample: HKSample) async throws {
  try await store.requestAuthorization(toShare: types, read: types)
  let status: HKAuthorizationRequestStatus =
    try await store.statusForAuthorizationRequest(toShare: types, read: types)
  try await store.save(sample)
  try await store.save([sample])
  try await store.delete(sample)
  try await store.enableBackgroundDelivery(for: sample.sampleType, frequency: .immediate)
  try await store.disableBackgroundDelivery(for: sample.sampleType)
  try await store.disableAllBackgroundDelivery()
  let units: [HKQuantityType: HKUnit] = try await store.preferredUnits(for: [])
  print(status, units)
}
