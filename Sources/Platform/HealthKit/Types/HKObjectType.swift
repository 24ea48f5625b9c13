// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A type of health objects; types with the same identifier are equal.
open class HKObjectType: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The name of the type, the raw value of an identifier such as
  /// ``HKQuantityTypeIdentifier/stepCount``.
  public let identifier: String

  init(identifier: String) {
    self.identifier = identifier
  }

  /// Whether the user allows reading object by object.
  @discardableResult
  open func requiresPerObjectAuthorization() -> Bool { false }

  /// Compares the identifiers.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKObjectType else { return false }
    return self === other || identifier == other.identifier
  }

  /// The hash of the identifier.
  open override var hash: Int { identifier.hashValue }

  /// The identifier.
  open override var description: String { identifier }

  /// Returns itself, being immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: - Archiving

  /// Types are archived securely.
  open class var supportsSecureCoding: Bool { true }

  /// Reads the identifier; nil without one.
  public required init?(coder: NSCoder) {
    guard let identifier = coder.decodeObject(of: NSString.self, forKey: "HKIdentifierKey") else {
      return nil
    }
    self.identifier = String(describing: identifier)
  }

  /// Writes the identifier.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier as NSString, forKey: "HKIdentifierKey")
  }
}

// MARK: - Types by identifier

extension HKObjectType {
  /// The type of quantities with the identifier; nil if there is none.
  @discardableResult
  public class func quantityType(
    forIdentifier identifier: HKQuantityTypeIdentifier
  ) -> HKQuantityType? {
    HKQuantityType.known(identifier.rawValue)
  }

  /// The type of categories with the identifier; nil if there is none.
  @discardableResult
  public class func categoryType(
    forIdentifier identifier: HKCategoryTypeIdentifier
  ) -> HKCategoryType? {
    guard CategoryTypes.isKnown(identifier.rawValue) else { return nil }
    return HKCategoryType(identifier: identifier.rawValue)
  }

  /// The type of characteristics with the identifier; nil if there is none.
  @discardableResult
  public class func characteristicType(
    forIdentifier identifier: HKCharacteristicTypeIdentifier
  ) -> HKCharacteristicType? {
    guard HKCharacteristicTypeIdentifier.known.contains(identifier) else { return nil }
    return HKCharacteristicType(identifier: identifier.rawValue)
  }

  /// The type of correlations with the identifier; nil if there is none.
  @discardableResult
  public class func correlationType(
    forIdentifier identifier: HKCorrelationTypeIdentifier
  ) -> HKCorrelationType? {
    guard HKCorrelationTypeIdentifier.known.contains(identifier) else { return nil }
    return HKCorrelationType(identifier: identifier.rawValue)
  }

  /// The type of documents with the identifier; nil if there is none.
  @discardableResult
  public class func documentType(
    forIdentifier identifier: HKDocumentTypeIdentifier
  ) -> HKDocumentType? {
    guard HKDocumentTypeIdentifier.known.contains(identifier) else { return nil }
    return HKDocumentType(identifier: identifier.rawValue)
  }

  /// The type of clinical records with the identifier; nil if there is none.
  @discardableResult
  public class func clinicalType(
    forIdentifier identifier: HKClinicalTypeIdentifier
  ) -> HKClinicalType? {
    guard HKClinicalTypeIdentifier.known.contains(identifier) else { return nil }
    return HKClinicalType(identifier: identifier.rawValue)
  }

  /// The type of series with the identifier; nil if there is none.
  @discardableResult
  public class func seriesType(forIdentifier identifier: String) -> HKSeriesType? {
    switch identifier {
    case HKWorkoutRouteTypeIdentifier: .workoutRoute()
    case HKDataTypeIdentifierHeartbeatSeries: .heartbeat()
    default: nil
    }
  }

  /// The type of workouts.
  @discardableResult
  public class func workoutType() -> HKWorkoutType {
    HKWorkoutType(identifier: HKWorkoutTypeIdentifier)
  }

  /// The type of activity summaries.
  @discardableResult
  public class func activitySummaryType() -> HKActivitySummaryType {
    HKActivitySummaryType(identifier: "HKActivitySummaryTypeIdentifier")
  }

  /// The type of audiograms.
  @discardableResult
  public class func audiogramSampleType() -> HKAudiogramSampleType {
    HKAudiogramSampleType(identifier: "HKDataTypeIdentifierAudiogram")
  }

  /// The type of electrocardiograms.
  @discardableResult
  public class func electrocardiogramType() -> HKElectrocardiogramType {
    HKElectrocardiogramType(identifier: "HKDataTypeIdentifierElectrocardiogram")
  }

  /// The type of prescriptions for glasses and contact lenses.
  @discardableResult
  public class func visionPrescriptionType() -> HKPrescriptionType {
    HKPrescriptionType(identifier: HKVisionPrescriptionTypeIdentifier)
  }
}

/// Says that there is no such type, as Apple's framework does by an exception.
func unknownType(_ identifier: String) -> Never {
  preconditionFailure("Invalid type identifier: there is no type \"\(identifier)\"")
}
