// SPDX-License-Identifier: Apache-2.0

/// The name of a type of characteristics.
public struct HKCharacteristicTypeIdentifier: Hashable, RawRepresentable, Sendable {
  /// The name as in the framework's C interface.
  public let rawValue: String

  /// The identifier of that name, whether or not there is such a type.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// What fills the move ring.
  public static let activityMoveMode = Self(
    rawValue: "HKCharacteristicTypeIdentifierActivityMoveMode")
  /// The biological sex.
  public static let biologicalSex = Self(rawValue: "HKCharacteristicTypeIdentifierBiologicalSex")
  /// The blood type.
  public static let bloodType = Self(rawValue: "HKCharacteristicTypeIdentifierBloodType")
  /// The date of birth.
  public static let dateOfBirth = Self(rawValue: "HKCharacteristicTypeIdentifierDateOfBirth")
  /// The skin type on Fitzpatrick's scale.
  public static let fitzpatrickSkinType = Self(
    rawValue: "HKCharacteristicTypeIdentifierFitzpatrickSkinType")
  /// Whether the person uses a wheelchair.
  public static let wheelchairUse = Self(rawValue: "HKCharacteristicTypeIdentifierWheelchairUse")

  static let known: Set<HKCharacteristicTypeIdentifier> = [
    .activityMoveMode, .biologicalSex, .bloodType, .dateOfBirth, .fitzpatrickSkinType,
    .wheelchairUse,
  ]
}

/// The name of a type of correlations.
public struct HKCorrelationTypeIdentifier: Hashable, RawRepresentable, Sendable {
  /// The name as in the framework's C interface.
  public let rawValue: String

  /// The identifier of that name, whether or not there is such a type.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A systolic and a diastolic pressure.
  public static let bloodPressure = Self(rawValue: "HKCorrelationTypeIdentifierBloodPressure")
  /// The nutrients of a food.
  public static let food = Self(rawValue: "HKCorrelationTypeIdentifierFood")

  static let known: Set<HKCorrelationTypeIdentifier> = [.bloodPressure, .food]
}

/// The name of a type of documents.
public struct HKDocumentTypeIdentifier: Hashable, RawRepresentable, Sendable {
  /// The name as in the framework's C interface.
  public let rawValue: String

  /// The identifier of that name, whether or not there is such a type.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A document of the Clinical Document Architecture.
  public static let CDA = Self(rawValue: "HKDocumentTypeIdentifierCDA")

  static let known: Set<HKDocumentTypeIdentifier> = [.CDA]
}

/// The name of a type of clinical records.
public struct HKClinicalTypeIdentifier: Hashable, RawRepresentable, Sendable {
  /// The name as in the framework's C interface.
  public let rawValue: String

  /// The identifier of that name, whether or not there is such a type.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Allergies and intolerances.
  public static let allergyRecord = Self(rawValue: "HKClinicalTypeIdentifierAllergyRecord")
  /// Notes.
  public static let clinicalNoteRecord = Self(
    rawValue: "HKClinicalTypeIdentifierClinicalNoteRecord")
  /// Conditions.
  public static let conditionRecord = Self(rawValue: "HKClinicalTypeIdentifierConditionRecord")
  /// Insurance coverage.
  public static let coverageRecord = Self(rawValue: "HKClinicalTypeIdentifierCoverageRecord")
  /// Immunizations.
  public static let immunizationRecord = Self(
    rawValue: "HKClinicalTypeIdentifierImmunizationRecord")
  /// Laboratory results.
  public static let labResultRecord = Self(rawValue: "HKClinicalTypeIdentifierLabResultRecord")
  /// Medications.
  public static let medicationRecord = Self(rawValue: "HKClinicalTypeIdentifierMedicationRecord")
  /// Procedures.
  public static let procedureRecord = Self(rawValue: "HKClinicalTypeIdentifierProcedureRecord")
  /// Vital signs.
  public static let vitalSignRecord = Self(rawValue: "HKClinicalTypeIdentifierVitalSignRecord")

  static let known: Set<HKClinicalTypeIdentifier> = [
    .allergyRecord, .clinicalNoteRecord, .conditionRecord, .coverageRecord, .immunizationRecord,
    .labResultRecord, .medicationRecord, .procedureRecord, .vitalSignRecord,
  ]
}

/// The identifier of ``HKWorkoutType``.
public let HKWorkoutTypeIdentifier: String = "HKWorkoutTypeIdentifier"
/// The identifier of ``HKSeriesType/workoutRoute()``.
public let HKWorkoutRouteTypeIdentifier: String = "HKWorkoutRouteTypeIdentifier"
/// The identifier of ``HKSeriesType/heartbeat()``.
public let HKDataTypeIdentifierHeartbeatSeries: String = "HKDataTypeIdentifierHeartbeatSeries"
/// The identifier of ``HKPrescriptionType``.
public let HKVisionPrescriptionTypeIdentifier: String = "HKVisionPrescriptionTypeIdentifier"
