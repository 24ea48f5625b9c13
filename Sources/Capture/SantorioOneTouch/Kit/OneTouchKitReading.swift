// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import ClinicalUnits
public import HealthRecords

/// A result in a meter's memory, as LifeScan's kit gives it: its `BloodGlucoseRecord`.
///
/// The kit's documentation is not public, so what its type calls these things is not known here, and
/// nothing of it could be verified. An app that has the kit says it in an extension of the kit's type;
/// the names are such as the kit is not likely to have.
public protocol OneTouchKitReading {
  /// What the meter shows of the glucose.
  ///
  /// Give the same unit always, since the value is part of what a reading is recognised by; where
  /// there is a choice mg/dL, in which meters keep it.
  var meterGlucose: OneTouchGlucose { get }
  /// When it was measured, by the meter's clock.
  var meterTime: OneTouchMeterTime { get }
  /// The number of the result in the meter, which never changes; nil where the kit has none.
  ///
  /// The number of a place in the memory, which later results take, is none.
  var meterSequenceNumber: Int? { get }
  /// Whether the control solution was tested: such a result is never a reading of a patient.
  var isControlSolutionTest: Bool { get }
  /// How the user marked it at the meter; nil without a mark.
  var mealMark: MealRelationship? { get }
}

extension OneTouchKitReading {
  /// None.
  public var meterSequenceNumber: Int? { nil }
  /// None.
  public var mealMark: MealRelationship? { nil }
}

/// What a meter shows as a result.
public enum OneTouchGlucose: Hashable, Sendable {
  /// A concentration; beyond the meter's range, 20...600 mg/dL or 1.1...33.3 mmol/L, it is what the
  /// meter shows as LO or HI. Zero is no result.
  case concentration(GlucoseConcentration)
  /// LO, where the kit gives no number.
  case low
  /// HI, where the kit gives no number.
  case high
}

extension OneTouchGlucose: CustomStringConvertible, CustomReflectable {
  /// Shows no value.
  public var description: String { "a glucose result" }
  /// Empty, so that a dump shows no value either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// When a meter measured, as the kit says it.
public enum OneTouchMeterTime: Hashable, Sendable {
  /// The date and time of day that the meter's clock showed; better than an instant, since a meter
  /// has no time zone.
  case local(LocalDateTime)
  /// The instant that the kit has made of it.
  case instant(Date)
}
