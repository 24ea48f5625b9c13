// SPDX-License-Identifier: Apache-2.0

extension HKObjectType {
  /// The classes of types, for the decoding of an archive.
  static let all: [AnyClass] = [
    HKQuantityType.self, HKCategoryType.self, HKCorrelationType.self, HKWorkoutType.self,
    HKSeriesType.self, HKSampleType.self,
  ]

  /// The type of a name, also one that the tables do not have; the unit is that of such a quantity.
  package static func named(_ identifier: String, unit: HKUnit?) -> HKObjectType {
    if let known = HKQuantityType.known(identifier) { return known }
    if unit != nil || identifier.hasPrefix("HKQuantityTypeIdentifier") {
      return HKQuantityType(identifier: identifier, canonicalUnit: unit ?? .count())
    }
    if identifier.hasPrefix("HKCorrelationTypeIdentifier") {
      return HKCorrelationType(identifier: identifier)
    }
    if identifier == HKWorkoutTypeIdentifier { return .workoutType() }
    return HKCategoryType(unchecked: identifier)
  }
}
