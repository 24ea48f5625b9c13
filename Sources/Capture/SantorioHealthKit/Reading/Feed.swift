// SPDX-License-Identifier: Apache-2.0

@unsafe @preconcurrency import HealthKit

/// Samples that are read from an anchor on: those of a type, or those of it that are alone.
struct Feed: Hashable, Sendable {
  let type: HKSampleType
  /// Whether what belongs to a correlation is left out, since the correlation has a feed of its own.
  let isAlone: Bool

  /// The name under which its position is kept.
  var name: String { type.identifier + (isAlone ? " alone" : "") }

  /// What has to be read for a type that was subscribed to.
  static func feeds(for type: HKSampleType) -> [Feed] {
    guard let whole = whole(of: type) else { return [Feed(type: type, isAlone: false)] }
    return [Feed(type: whole, isAlone: false), Feed(type: type, isAlone: true)]
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

  /// The samples from a time on.
  func predicate(since: Date) -> NSPredicate {
    let time = HKQuery.predicateForSamples(withStart: since, end: nil)
    guard isAlone else { return time }
    return NSCompoundPredicate(andPredicateWithSubpredicates: [
      time, HKQuery.predicateForObjectsWithNoCorrelation(),
    ])
  }
}
