// SPDX-License-Identifier: Apache-2.0

import HealthKit
import HealthKitSimulation
import Spezi
import SpeziHealthKit
import SpeziHealthKitBulkExport

/// What the library hands to the app: the samples that it collects and the objects that are gone.
actor Journal: Standard, HealthKitConstraint {
  enum Entry: Hashable, Sendable {
    case new(String, [UUID])
    case deleted(String, [UUID])
  }

  let entries: AsyncStream<Entry>
  private let continuation: AsyncStream<Entry>.Continuation

  init() { (entries, continuation) = AsyncStream.makeStream(of: Entry.self) }

  func handleNewSamples<Sample>(
    _ addedSamples: some Collection<Sample> & Sendable, ofType sampleType: SampleType<Sample>
  ) {
    continuation.yield(.new(sampleType.id, addedSamples.map(\.uuid)))
  }

  func handleDeletedObjects<Sample>(
    _ deletedObjects: some Collection<HKDeletedObject> & Sendable,
    ofType sampleType: SampleType<Sample>
  ) {
    continuation.yield(.deleted(sampleType.id, deletedObjects.map(\.uuid)))
  }
}

/// Counts the samples of a batch and adds their values.
struct Adding: BatchProcessor {
  struct Sum: Hashable, Sendable {
    let type: String
    let count: Int
    let sum: Double
  }

  func process<Sample>(_ samples: consuming [Sample], of sampleType: SampleType<Sample>) -> Sum {
    let samples = copy samples
    let values = samples.compactMap { $0 as? HKQuantitySample }
      .map { $0.quantity.doubleValue(for: HKUnit(from: "count/min")) }
    return Sum(type: sampleType.id, count: samples.count, sum: values.reduce(0, +))
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// Compares a value with the expected one.
func expect<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) throws {
  guard value == expected else {
    throw Failure(description: "\(name): \(value), not \(expected)")
  }
}
