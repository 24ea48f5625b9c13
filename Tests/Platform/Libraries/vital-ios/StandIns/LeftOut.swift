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

class HKStateOfMindType: HKSampleType, @unchecked Sendable {
  class func stateOfMindType() -> HKObjectType? { nil }
}

struct NameOfAssessment {
  let rawValue: String
}

func HKScoredAssessmentType(_ name: NameOfAssessment) -> HKObjectType? { nil }

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

enum SHA256 {
  struct Hash: Digest {
    func makeIterator() -> [UInt8].Iterator { [].makeIterator() }
  }

  static func hash(data: Data) -> Hash { Hash() }
}
