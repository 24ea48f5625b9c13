// SPDX-License-Identifier: Apache-2.0

// What the library names of HealthKit, BackgroundTasks, SwiftUI and CryptoKit and neither the package's module nor Linux has.
import BackgroundTasks
import HealthKit
import VitalCore

class HKElectrocardiogram: HKSample, @unchecked Sendable {}
class HKQuantitySeriesSampleQuery: HKQuery, @unchecked Sendable {}

enum HKAppleSleepingBreathingDisturbancesClassification: Int {
  case notElevated = 0
  case elevated = 1

  init?(classifying breathingDisturbances: HKQuantity) { return nil }
}

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

class HKStateOfMindType: HKSampleType, @unchecked Sendable {}

class HKScoredAssessmentType: HKSampleType, @unchecked Sendable {
  convenience init(_ name: NameOfAssessment) {
    // swift-format-ignore: NeverForceUnwrap
    self.init(coder: archive(name.rawValue))!
  }
}

struct NameOfAssessment {
  static let GAD7 = NameOfAssessment(rawValue: "HKScoredAssessmentTypeIdentifierGAD7")

  let rawValue: String
}

extension HKObjectType {
  class func stateOfMindType() -> HKStateOfMindType {
    // swift-format-ignore: NeverForceUnwrap
    HKStateOfMindType(coder: archive("HKDataTypeStateOfMind"))!
  }
}

/// Of iOS 17.
class BGHealthResearchTaskRequest: BGProcessingTaskRequest {}

/// Nanoseconds.
let NSEC_PER_SEC: UInt64 = 1_000_000_000
let NSEC_PER_MSEC: UInt64 = 1_000_000

extension Array {
  mutating func remove(atOffsets offsets: IndexSet) {
    for offset in offsets.reversed() { remove(at: offset) }
  }
}

/// In place of a file that is left out.
func handleElectrocardiogram(
  healthKitStore: HKHealthStore, vitalStorage: AnchorStorage, instruction: SyncInstruction,
  options: ReadOptions
) async throws -> (electrocardiograms: [ManualElectrocardiogram], anchors: [StoredAnchor]) {
  ([], [])
}

protocol Digest: Sequence where Element == UInt8, Iterator == [UInt8].Iterator {}

/// No hash, but as different as its data, which is all that the tests ask for.
enum SHA256 {
  struct Hash: Digest {
    let data: Data

    func makeIterator() -> [UInt8].Iterator { Array(data).makeIterator() }
  }

  static func hash(data: Data) -> Hash { Hash(data: data) }
}
