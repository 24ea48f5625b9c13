// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords

/// When blood glucose was measured in relation to food.
#if canImport(ObjectiveC)
  @objc(VLDDiabetesMealRelationship)
#endif
public enum VLDDiabetesMealRelationship: UInt, CaseIterable, Sendable {
  /// Not known.
  case none = 0
  /// Before a meal.
  case before = 1
  /// After a meal.
  case after = 2
  /// Neither shortly before nor shortly after a meal.
  case random = 3
  /// After hours without food.
  case fasting = 4
}

/// What happened around a measurement of blood glucose.
#if canImport(ObjectiveC)
  @objc(VLDDiabetesEvent)
#endif
public enum VLDDiabetesEvent: UInt, CaseIterable, Sendable {
  /// Nothing is known.
  case noEvent = 0
  /// Exercise.
  case exercise = 3
  /// Illness.
  case sick = 4
  /// Medication was taken.
  case medication = 5
  /// Something else.
  case other = 6
}

/// Whether blood glucose is outside of what the meter can measure.
#if canImport(ObjectiveC)
  @objc(VLDDiabetesOutOfRange)
#endif
public enum VLDDiabetesOutOfRange: UInt, CaseIterable, Sendable {
  /// Within the range.
  case inRange = 0
  /// Above the range: the meter shows HI.
  case high = 1
  /// Below the range: the meter shows LO.
  case low = 2
}

/// Blood glucose, and what else is measured for diabetes.
#if canImport(ObjectiveC)
  @objc(VLDDiabetes) @objcMembers
#endif
public final class VLDDiabetes: VLDRecord {
  /// The class of the record.
  ///
  /// - Returns: ``VLDRecordType/diabetes``.
  public override func recordType() -> VLDRecordType { .diabetes }

  /// C-peptide in ng/mL.
  public var cPeptide: NSNumber? {
    get { number(.cPeptide) }
    set { setNumber(newValue, of: .cPeptide) }
  }
  /// Fasting plasma glucose in mg/dL.
  public var fastingPlasmaGlucoseTest: NSNumber? {
    get { number(.fastingPlasmaGlucose) }
    set { setNumber(newValue, of: .fastingPlasmaGlucose) }
  }
  /// Haemoglobin A1c in percent.
  public var hba1c: NSNumber? {
    get { number(.hba1c) }
    set { setNumber(newValue, of: .hba1c) }
  }
  /// Insulin in units.
  public var insulin: NSNumber? {
    get { number(.insulin) }
    set { setNumber(newValue, of: .insulin) }
  }
  /// Glucose of a tolerance test in mg/dL.
  public var oralGlucoseToleranceTest: NSNumber? {
    get { number(.oralGlucoseTolerance) }
    set { setNumber(newValue, of: .oralGlucoseTolerance) }
  }
  /// Random plasma glucose in mg/dL.
  public var randomPlasmaGlucoseTest: NSNumber? {
    get { number(.randomPlasmaGlucose) }
    set { setNumber(newValue, of: .randomPlasmaGlucose) }
  }
  /// Triglyceride in mg/dL.
  public var triglyceride: NSNumber? {
    get { number(.triglyceride) }
    set { setNumber(newValue, of: .triglyceride) }
  }
  /// Blood glucose in mg/dL; nil where the meter shows HI or LO, see ``outOfRange()``.
  public var bloodGlucose: NSNumber? {
    get { number(.bloodGlucose) }
    set { setNumber(newValue, of: .bloodGlucose) }
  }

  /// When the glucose was measured in relation to food.
  public var relationshipToMeal: VLDDiabetesMealRelationship {
    get {
      switch content.mealRelationship {
      case .before: .before
      case .after: .after
      case .random: .random
      case .fasting: .fasting
      case nil: .none
      }
    }
    set {
      content.mealRelationship =
        switch newValue {
        case .none: nil
        case .before: .before
        case .after: .after
        case .random: .random
        case .fasting: .fasting
        }
    }
  }

  /// What happened around the measurement.
  ///
  /// - Returns: The event.
  public func diabetesEvent() -> VLDDiabetesEvent {
    switch content.diabetesEvent {
    case .exercise: .exercise
    case .sick: .sick
    case .medication: .medication
    case .other: .other
    case nil: .noEvent
    }
  }

  /// Sets what happened around the measurement.
  ///
  /// - Parameter event: The event.
  public func setDiabetesEvent(_ event: VLDDiabetesEvent) {
    content.diabetesEvent =
      switch event {
      case .noEvent: nil
      case .exercise: .exercise
      case .sick: .sick
      case .medication: .medication
      case .other: .other
      }
  }

  /// Whether the glucose is outside of what the meter can measure.
  ///
  /// - Returns: The range.
  public func outOfRange() -> VLDDiabetesOutOfRange {
    switch content.glucoseRange {
    case .high: .high
    case .low: .low
    case nil: .inRange
    }
  }

  /// Sets whether the glucose is outside of what the meter can measure.
  ///
  /// - Parameter range: The range.
  public func setOutOfRange(_ range: VLDDiabetesOutOfRange) {
    content.glucoseRange =
      switch range {
      case .inRange: nil
      case .high: .high
      case .low: .low
      }
  }

  /// The blood glucose in a unit.
  ///
  /// - Parameter unit: The unit.
  /// - Returns: The glucose; nil when there is none.
  #if canImport(ObjectiveC)
    @objc(bloodGlucoseWithUnit:)
  #endif
  public func bloodGlucose(with unit: VLDGlucoseUnit) -> NSNumber? {
    bloodGlucose.map { VLDRecord.convertGlucoseValue($0, from: .MGDL, to: unit) }
  }

  /// Sets the blood glucose from a value in a unit.
  ///
  /// - Parameters:
  ///   - bloodGlucose: The value.
  ///   - unit: Its unit.
  #if canImport(ObjectiveC)
    @objc(setBloodGlucose:withUnit:)
  #endif
  public func setBloodGlucose(_ bloodGlucose: NSNumber, with unit: VLDGlucoseUnit) {
    self.bloodGlucose = VLDRecord.convertGlucoseValue(bloodGlucose, from: unit, to: .MGDL)
  }

  /// The name of a relationship to food, for a reader.
  ///
  /// - Parameter relationship: The relationship.
  /// - Returns: The name; empty for ``VLDDiabetesMealRelationship/none``.
  #if canImport(ObjectiveC)
    @objc(nameForMealRelationship:)
  #endif
  public class func name(for relationship: VLDDiabetesMealRelationship) -> String {
    switch relationship {
    case .none: ""
    case .before: "Before Meal"
    case .after: "After Meal"
    case .random: "Random"
    case .fasting: "Fasting"
    }
  }
}
