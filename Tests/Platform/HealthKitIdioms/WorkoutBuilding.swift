// SPDX-License-Identifier: Apache-2.0

// Only types are checked: Swift 6.3.1 on Linux crashes when it compiles calls of imported asynchronous methods.
@preconcurrency import HealthKit

func run(_ store: HKHealthStore, _ samples: [HKSample], from start: Date, to end: Date) async throws
  -> HKWorkout?
{
  let configuration = HKWorkoutConfiguration()
  configuration.activityType = .running
  configuration.locationType = .outdoor
  let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: .local())
  try await builder.beginCollection(at: start)
  try await builder.addSamples(samples)
  try await builder.addMetadata([HKMetadataKeyIndoorWorkout: false])
  try await builder.endCollection(at: end)
  return try await builder.finishWorkout()
}
