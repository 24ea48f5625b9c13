// SPDX-License-Identifier: Apache-2.0

// Differs: stores are Sendable since iOS 18; that SDK is older.
import HealthKit

final class MockStore: HKHealthStore {
  var executed: [HKQuery] = []
  var saved: [HKObject] = []

  override class func isHealthDataAvailable() -> Bool { false }
  override func execute(_ query: HKQuery) { executed.append(query) }
  override func stop(_ query: HKQuery) { executed.removeAll { $0 === query } }
  override func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
    .sharingAuthorized
  }
  override func biologicalSex() throws -> HKBiologicalSexObject {
    throw HKError(.errorAuthorizationNotDetermined)
  }
  override func save(
    _ objects: [HKObject], withCompletion completion: @escaping (Bool, (any Error)?) -> Void
  ) {
    saved += objects
    completion(true, nil)
  }
}
