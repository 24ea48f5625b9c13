// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A type of samples.
open class HKSampleType: HKObjectType, @unchecked Sendable {
  /// The longest duration of the type's samples in seconds; nil without a limit.
  var maximumDuration: TimeInterval? { 345_600 }

  /// Whether a sample of the type may only last so long.
  open var isMaximumDurationRestricted: Bool { maximumDuration != nil }

  /// The seconds that a sample of the type may last.
  ///
  /// - Precondition: The duration is restricted.
  open var maximumAllowedDuration: TimeInterval {
    guard let maximumDuration else {
      preconditionFailure("The duration of samples of \(identifier) has no maximum")
    }
    return maximumDuration
  }

  /// Whether a sample of the type must last so long; none must.
  open var isMinimumDurationRestricted: Bool { false }

  /// The seconds that a sample of the type must last.
  ///
  /// - Precondition: The duration is restricted, which it never is.
  open var minimumAllowedDuration: TimeInterval {
    preconditionFailure("The duration of samples of \(identifier) has no minimum")
  }

  /// Whether estimates of the type can be calibrated anew.
  open var allowsRecalibrationForEstimates: Bool {
    [
      HKQuantityTypeIdentifier.appleWalkingSteadiness, .sixMinuteWalkTestDistance, .vo2Max,
    ].contains { $0.rawValue == identifier }
  }
}

/// A type of samples with a value of a few.
open class HKCategoryType: HKSampleType, @unchecked Sendable {
  /// The type with the identifier.
  ///
  /// - Precondition: There is such a type.
  public convenience init(_ identifier: HKCategoryTypeIdentifier) {
    guard CategoryTypes.isKnown(identifier.rawValue) else {
      unknownType(identifier.rawValue)
    }
    self.init(identifier: identifier.rawValue)
  }

  /// A type that the table may not have, as a later version's export does.
  package convenience init(unchecked identifier: String) {
    self.init(identifier: identifier)
  }

  /// Some categories are states that last for months.
  override var maximumDuration: TimeInterval? {
    switch HKCategoryTypeIdentifier(rawValue: identifier) {
    case .pregnancy, .lactation, .contraceptive, .infrequentMenstrualCycles,
      .irregularMenstrualCycles, .prolongedMenstrualPeriods, .persistentIntermenstrualBleeding:
      nil
    default: super.maximumDuration
    }
  }
}

/// A type of samples that hold others.
open class HKCorrelationType: HKSampleType, @unchecked Sendable {
  /// The type with the identifier.
  ///
  /// - Precondition: There is such a type.
  public convenience init(_ identifier: HKCorrelationTypeIdentifier) {
    guard HKCorrelationTypeIdentifier.known.contains(identifier) else {
      unknownType(identifier.rawValue)
    }
    self.init(identifier: identifier.rawValue)
  }
}

/// A type of documents.
open class HKDocumentType: HKSampleType, @unchecked Sendable {
  /// The type with the identifier.
  ///
  /// - Precondition: There is such a type.
  public convenience init(_ identifier: HKDocumentTypeIdentifier) {
    guard HKDocumentTypeIdentifier.known.contains(identifier) else {
      unknownType(identifier.rawValue)
    }
    self.init(identifier: identifier.rawValue)
  }
}

/// A type of records that a health institution made.
open class HKClinicalType: HKSampleType, @unchecked Sendable {
  /// The type with the identifier.
  ///
  /// - Precondition: There is such a type.
  public convenience init(_ identifier: HKClinicalTypeIdentifier) {
    guard HKClinicalTypeIdentifier.known.contains(identifier) else {
      unknownType(identifier.rawValue)
    }
    self.init(identifier: identifier.rawValue)
  }
}

/// The type of workouts.
open class HKWorkoutType: HKSampleType, @unchecked Sendable {}

/// The type of audiograms.
open class HKAudiogramSampleType: HKSampleType, @unchecked Sendable {}

/// The type of electrocardiograms.
open class HKElectrocardiogramType: HKSampleType, @unchecked Sendable {}

/// A type of prescriptions, which the user allows one by one.
open class HKPrescriptionType: HKSampleType, @unchecked Sendable {
  /// Prescriptions are allowed one by one.
  open override func requiresPerObjectAuthorization() -> Bool { true }

  /// A prescription is good for years.
  override var maximumDuration: TimeInterval? { nil }
}

/// A type of samples that are sequences of values.
public class HKSeriesType: HKSampleType, @unchecked Sendable {
  required init(series identifier: String) {
    super.init(identifier: identifier)
  }

  /// Reads the identifier; nil without one.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  /// The type of workouts' routes.
  @discardableResult
  open class func workoutRoute() -> Self {
    Self(series: HKWorkoutRouteTypeIdentifier)
  }

  /// The type of series of heartbeats.
  @discardableResult
  open class func heartbeat() -> Self {
    Self(series: HKDataTypeIdentifierHeartbeatSeries)
  }
}

// MARK: - Types that have no samples

/// A type of facts about a person that hardly change.
open class HKCharacteristicType: HKObjectType, @unchecked Sendable {
  /// The type with the identifier.
  ///
  /// - Precondition: There is such a type.
  public convenience init(_ identifier: HKCharacteristicTypeIdentifier) {
    guard HKCharacteristicTypeIdentifier.known.contains(identifier) else {
      unknownType(identifier.rawValue)
    }
    self.init(identifier: identifier.rawValue)
  }
}

/// The type of a day's activity summaries.
open class HKActivitySummaryType: HKObjectType, @unchecked Sendable {}
