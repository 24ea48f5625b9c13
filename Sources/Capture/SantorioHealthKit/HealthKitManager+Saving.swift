// SPDX-License-Identifier: Apache-2.0

public import HealthRecords
@unsafe @preconcurrency import HealthKit

extension HealthKitManager {
  /// Saves Bluetooth readings to HealthKit, for other apps of the user.
  ///
  /// The user may be asked for permission. Each sample has a sync identifier that follows from its
  /// record: the same record is saved once, a corrected one replaces it. What is saved here is
  /// recognised when HealthKit is read, and not submitted a second time.
  ///
  /// - Parameter records: The records; those of kinds that HealthKit has no type for are left out.
  /// - Returns: How many records were saved, as a whole or in part.
  /// - Throws: ``HealthKitError`` of code `notAuthorized` when the user does not allow it, `failed`.
  @discardableResult
  public func save(_ records: [HealthRecord]) async throws(HealthKitError) -> Int {
    do {
      let zones = try await state.zones(now: settings.now(), zone: settings.zone())
      let conversion = RecordSamples(zones: zones)
      let samples = records.map { conversion.samples(of: $0) }.filter { !$0.isEmpty }
      guard !samples.isEmpty else { return 0 }
      let types = Set(samples.joined().flatMap(\.typesToShare))
      try await store.askForPermission(toShare: types)
      try await store.store(Array(samples.joined()))
      return samples.count
    } catch {
      throw HealthKitError(error)
    }
  }
}

extension HKSample {
  /// The types that must be allowed for the sample to be saved: of a correlation those of its parts.
  fileprivate var typesToShare: [HKSampleType] {
    (self as? HKCorrelation)?.objects.map(\.sampleType) ?? [sampleType]
  }
}
