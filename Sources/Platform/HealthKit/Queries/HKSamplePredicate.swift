// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A type of samples, what they must fit to, and the class that a result has.
public struct HKSamplePredicate<Sample: HKSample>: Hashable {
  /// The type.
  public let sampleType: HKSampleType
  /// What the samples must fit to.
  public let nsPredicate: NSPredicate?

  var request: SampleRequest { SampleRequest(sampleType, nsPredicate) }
  var descriptor: HKQueryDescriptor {
    HKQueryDescriptor(sampleType: sampleType, predicate: nsPredicate)
  }
}

extension HKSamplePredicate where Sample == HKSample {
  /// Samples of any type.
  public static func sample(
    type sampleType: HKSampleType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKSample> {
    HKSamplePredicate<HKSample>(sampleType: sampleType, nsPredicate: predicate)
  }
}

extension HKSamplePredicate where Sample == HKQuantitySample {
  /// Quantities.
  public static func quantitySample(
    type quantityType: HKQuantityType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKQuantitySample> {
    HKSamplePredicate<HKQuantitySample>(sampleType: quantityType, nsPredicate: predicate)
  }
}

extension HKSamplePredicate where Sample == HKCategorySample {
  /// Categories.
  public static func categorySample(
    type categoryType: HKCategoryType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKCategorySample> {
    HKSamplePredicate<HKCategorySample>(sampleType: categoryType, nsPredicate: predicate)
  }
}

extension HKSamplePredicate where Sample == HKCorrelation {
  /// Correlations.
  public static func correlation(
    type correlationType: HKCorrelationType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKCorrelation> {
    HKSamplePredicate<HKCorrelation>(sampleType: correlationType, nsPredicate: predicate)
  }
}

extension HKSamplePredicate where Sample == HKWorkout {
  /// Workouts.
  public static func workout(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKWorkout> {
    HKSamplePredicate<HKWorkout>(sampleType: .workoutType(), nsPredicate: predicate)
  }
}
