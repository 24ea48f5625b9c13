// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

// What the library names of HealthKit and Foundation and neither the package's module nor Linux has.
public import Foundation
public import HealthKit

public class HKClinicalRecord: HKSample, @unchecked Sendable {}
public class HKElectrocardiogram: HKSample, @unchecked Sendable {}
public class HKAudiogramSample: HKSample, @unchecked Sendable {}
public class HKVisionPrescription: HKSample, @unchecked Sendable {}
public class HKStateOfMind: HKSample, @unchecked Sendable {}
public class HKHeartbeatSeriesSample: HKSample, @unchecked Sendable {}
public class HKWorkoutRoute: HKSample, @unchecked Sendable {}
public class HKGAD7Assessment: HKSample, @unchecked Sendable {}
public class HKPHQ9Assessment: HKSample, @unchecked Sendable {}
public class HKStateOfMindType: HKSampleType, @unchecked Sendable {
  convenience init() { self.init(coder: NameCoder("HKDataTypeStateOfMind"))! }
}
public class HKScoredAssessmentType: HKSampleType, @unchecked Sendable {
  public convenience init(_ identifier: HKScoredAssessmentTypeIdentifier) {
    self.init(coder: NameCoder(identifier.rawValue))!
  }
}

public struct HKScoredAssessmentTypeIdentifier: Hashable, RawRepresentable, Sendable {
  public static let GAD7 = Self(rawValue: "HKScoredAssessmentTypeIdentifierGAD7")
  public static let PHQ9 = Self(rawValue: "HKScoredAssessmentTypeIdentifierPHQ9")

  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

extension HKSampleType {
  public class func stateOfMindType() -> HKStateOfMindType { HKStateOfMindType() }
}

/// Gives a type its name, as an archive of it does.
private final class NameCoder: NSCoder {
  private let name: String

  init(_ name: String) { self.name = name }

  override var allowsKeyedCoding: Bool { true }

  override func decodeObject<Object: NSObject>(
    of cls: Object.Type, forKey key: String
  ) -> Object? where Object: NSCoding { name as NSString as? Object }
}

/// A text that is not translated.
public struct LocalizedStringResource: ExpressibleByStringInterpolation, Sendable {
  public let key: String

  public init(stringLiteral key: String) { self.key = key }
}

extension String {
  init(localized resource: LocalizedStringResource) { self = resource.key }
}

extension HKSamplePredicate {
  private static func leftOut<Left: HKSample>() -> HKSamplePredicate<Left> {
    preconditionFailure("the module has no samples of \(Left.self)")
  }

  static func clinicalRecord(
    type: HKClinicalType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKClinicalRecord> { leftOut() }
  static func electrocardiogram(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKElectrocardiogram> { leftOut() }
  static func audiogram(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKAudiogramSample> { leftOut() }
  static func visionPrescription(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKVisionPrescription> { leftOut() }
  static func stateOfMind(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKStateOfMind> { leftOut() }
  static func heartbeatSeries(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKHeartbeatSeriesSample> { leftOut() }
  static func workoutRoute(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKWorkoutRoute> { leftOut() }
  static func gad7Assessment(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKGAD7Assessment> { leftOut() }
  static func phq9Assessment(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKPHQ9Assessment> { leftOut() }
}
