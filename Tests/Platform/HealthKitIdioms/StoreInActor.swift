// SPDX-License-Identifier: Apache-2.0

@preconcurrency import HealthKit

actor Reader {
  private let store = HKHealthStore()
  private var anchors: [HKSampleType: HKQueryAnchor] = [:]

  func page(_ type: HKQuantityType) async throws -> Int {
    let page = try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: type)], anchor: anchors[type], limit: 100
    ).result(for: store)
    anchors[type] = page.newAnchor
    return page.addedSamples.count + page.deletedObjects.count
  }
}

func read(_ reader: Reader) async throws -> Int {
  try await reader.page(HKQuantityType(.stepCount))
}
