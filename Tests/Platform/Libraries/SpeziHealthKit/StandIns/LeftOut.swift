// SPDX-License-Identifier: Apache-2.0

// What the library names of HealthKit and the package's module leaves out: nothing makes such samples, and nothing is
// read of them.
public import Foundation
public import HealthKit

/// The hearing at some frequencies.
public class HKAudiogramSample: HKSample, @unchecked Sendable {}
/// A record of a clinic.
public class HKClinicalRecord: HKSample, @unchecked Sendable {}
/// An electrocardiogram.
public class HKElectrocardiogram: HKSample, @unchecked Sendable {}
/// The times of heartbeats.
public class HKHeartbeatSeriesSample: HKSample, @unchecked Sendable {}
/// A state of mind.
public class HKStateOfMind: HKSample, @unchecked Sendable {}
/// A prescription of glasses or lenses.
public class HKVisionPrescription: HKSample, @unchecked Sendable {}
/// The places of a workout.
public class HKWorkoutRoute: HKSample, @unchecked Sendable {}
/// Answers about anxiety.
public class HKGAD7Assessment: HKSample, @unchecked Sendable {}
/// Answers about depression.
public class HKPHQ9Assessment: HKSample, @unchecked Sendable {}

/// The archive of a type, from which it is made: the initializers of types are their module's own.
private func archive(_ identifier: String) -> NSCoder {
  let archiver = NSKeyedArchiver(requiringSecureCoding: true)
  archiver.encode(identifier as NSString, forKey: "HKIdentifierKey")
  archiver.finishEncoding()
  guard let coder = try? NSKeyedUnarchiver(forReadingFrom: archiver.encodedData) else {
    fatalError("What was archived just now cannot be read.")
  }
  return coder
}

/// The type of states of mind.
public class HKStateOfMindType: HKSampleType, @unchecked Sendable {}

/// The type of a questionnaire.
public class HKScoredAssessmentType: HKSampleType, @unchecked Sendable {
  /// The type of a questionnaire with a name.
  public convenience init(_ identifier: HKScoredAssessmentTypeIdentifier) {
    // swift-format-ignore: NeverForceUnwrap
    self.init(coder: archive(identifier.rawValue))!
  }
}

/// The name of a questionnaire.
public struct HKScoredAssessmentTypeIdentifier: Hashable, RawRepresentable, Sendable {
  /// The text of the name.
  public let rawValue: String

  /// The name of a text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// About anxiety.
  public static let GAD7 = Self(rawValue: "HKScoredAssessmentTypeIdentifierGAD7")
  /// About depression.
  public static let PHQ9 = Self(rawValue: "HKScoredAssessmentTypeIdentifierPHQ9")
}

extension HKObjectType {
  /// The type of states of mind.
  public class func stateOfMindType() -> HKStateOfMindType {
    // swift-format-ignore: NeverForceUnwrap
    HKStateOfMindType(coder: archive("HKDataTypeStateOfMind"))!
  }
}

private func none<Sample>() -> HKSamplePredicate<Sample> {
  fatalError("The store has no \(Sample.self).")
}

extension HKSamplePredicate {
  static func audiogram(_ filter: NSPredicate?) -> Self where Sample == HKAudiogramSample { none() }
  static func clinicalRecord(
    type: HKClinicalType, predicate: NSPredicate?
  ) -> Self where Sample == HKClinicalRecord { none() }
  static func electrocardiogram(
    _ filter: NSPredicate?
  ) -> Self where Sample == HKElectrocardiogram { none() }
  static func gad7Assessment(
    _ filter: NSPredicate?
  ) -> Self where Sample == HKGAD7Assessment { none() }
  static func heartbeatSeries(
    _ filter: NSPredicate?
  ) -> Self where Sample == HKHeartbeatSeriesSample { none() }
  static func phq9Assessment(
    _ filter: NSPredicate?
  ) -> Self where Sample == HKPHQ9Assessment { none() }
  static func stateOfMind(_ filter: NSPredicate?) -> Self where Sample == HKStateOfMind { none() }
  static func visionPrescription(
    _ filter: NSPredicate?
  ) -> Self where Sample == HKVisionPrescription { none() }
  static func workoutRoute(_ filter: NSPredicate?) -> Self where Sample == HKWorkoutRoute { none() }
}

/// Foundation on Linux has no such texts; the library has a type in their place.
public typealias LocalizedStringResource = _FakeLocalizedStringResource

extension String {
  init(localized text: LocalizedStringResource) { self = text.value }
}
