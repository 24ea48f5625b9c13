// SPDX-License-Identifier: Apache-2.0

@unsafe @preconcurrency import HealthKit

// The compiler crashes on the asynchronous forms of these methods with SDKs before Xcode 16's.
extension HKHealthStore {
  /// Asks for permission.
  func askForPermission(
    toShare: Set<HKSampleType> = [], toRead: Set<HKObjectType> = []
  ) async throws {
    try await completion { requestAuthorization(toShare: toShare, read: toRead, completion: $0) }
  }

  /// Says whether permission could be asked for.
  func checkPermission(toRead types: Set<HKObjectType>) async throws {
    try await completion { done in
      getRequestStatusForAuthorization(toShare: [], read: types) { done(true, $1) }
    }
  }

  /// Orders background delivery.
  func orderDelivery(of type: HKSampleType, _ frequency: HKUpdateFrequency) async throws {
    try await completion {
      enableBackgroundDelivery(for: type, frequency: frequency, withCompletion: $0)
    }
  }

  /// Ends the background delivery of a type.
  func endDelivery(of type: HKSampleType) async throws {
    try await completion { disableBackgroundDelivery(for: type, withCompletion: $0) }
  }

  /// Ends all background delivery.
  func endDelivery() async throws {
    try await completion { disableAllBackgroundDelivery(completion: $0) }
  }

  /// Saves samples.
  func store(_ samples: [HKSample]) async throws {
    try await completion { save(samples, withCompletion: $0) }
  }

  private func completion(
    _ work: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
  ) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      work { _, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }
}
