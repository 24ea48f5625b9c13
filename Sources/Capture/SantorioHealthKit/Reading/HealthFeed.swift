// SPDX-License-Identifier: Apache-2.0

package import Foundation
import HealthRecords
@unsafe @preconcurrency package import HealthKit

/// Samples that are read from an anchor on: those of a type, or those of it that are alone.
package struct HealthFeed: Hashable, Sendable {
  package let type: HKSampleType
  /// Whether what belongs to a correlation is left out, since the correlation has a feed of its own.
  let isAlone: Bool

  /// The name under which its position is kept.
  package var name: String { type.identifier + (isAlone ? " alone" : "") }

  /// What has to be read for a type that was subscribed to.
  package static func feeds(for type: HKSampleType) -> [HealthFeed] {
    guard let whole = whole(of: type) else { return [HealthFeed(type: type, isAlone: false)] }
    return [HealthFeed(type: whole, isAlone: false), HealthFeed(type: type, isAlone: true)]
  }

  /// The correlation that samples of a type belong to.
  private static func whole(of type: HKSampleType) -> HKSampleType? {
    switch type {
    case HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic):
      HKCorrelationType(.bloodPressure)
    case _ where type.identifier.hasPrefix("HKQuantityTypeIdentifierDietary"):
      HKCorrelationType(.food)
    default: nil
    }
  }

  /// The types of a correlation's parts, which the user is asked for in its place; none of another type.
  static func parts(of type: HKSampleType) -> [HKSampleType] {
    switch type {
    case HKCorrelationType(.bloodPressure):
      [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)]
    case HKCorrelationType(.food):
      SampleRole.nutrients.flatMap { $0.definition?.healthKitIdentifiers ?? [] }
        .compactMap { HKObjectType.quantityType(forIdentifier: .init(rawValue: $0)) }
    default: []
    }
  }

  /// The samples of a time; nil for no bound.
  package func predicate(from start: Date?, to end: Date? = nil) -> NSPredicate {
    let time = HKQuery.predicateForSamples(withStart: start, end: end)
    guard isAlone else { return time }
    return NSCompoundPredicate(andPredicateWithSubpredicates: [
      time, HKQuery.predicateForObjectsWithNoCorrelation(),
    ])
  }
}
