// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords
public import HealthKit

/// Makes records of HealthKit's samples, one of each.
///
/// - A **quantity** makes a measurement with one metric in the unit of the table of metrics; a sample
///   of several heart rates makes one with their average, lowest and highest.
/// - A **blood pressure** is one measurement with both pressures.
/// - **Food** makes a nutrition record with the name that the app gave it; a nutrient that belongs to
///   no food makes one of its own.
/// - A **category** of reproductive health makes a measurement with a code and, as a tag, its name.
/// - A **workout** makes a workout record.
///
/// What adds up to a day or makes up a night makes no record here (``SampleRole``). Pass what belongs
/// to no correlation and the correlations themselves, as
/// `HKQuery.predicateForObjectsWithNoCorrelation()` finds them: a sample does not say whether it
/// belongs to one.
///
/// The record's identifier follows from the sample's (``SampleIdentity``). Its time is the sample's.
/// The offset from UTC is that of the zone that the sample names (origin `source`), else that of the
/// zone history (`profile`). A value that a person typed in is `manual`, and its time that person's.
/// Values are rounded to a ten-thousandth. A value that no living person has is delivered and tagged.
public struct SampleRecords: Hashable, Sendable {
  /// Where the person was.
  public var zones: ZoneHistory
  /// The bundle identifier of the running app, whose samples of its own readings make no records.
  public var ownBundleIdentifier: String

  /// Makes the conversion.
  ///
  /// - Parameters:
  ///   - zones: Where the person was.
  ///   - ownBundleIdentifier: The bundle identifier of the running app; HealthKit's own opinion when
  ///     nil.
  public init(zones: ZoneHistory, ownBundleIdentifier: String? = nil) {
    self.zones = zones
    self.ownBundleIdentifier = ownBundleIdentifier ?? HKSource.default().bundleIdentifier
  }

  /// The records of samples, in the order of time.
  ///
  /// A sample that is a part of one of the correlations makes no record of its own.
  ///
  /// - Parameters:
  ///   - samples: The samples.
  ///   - received: When they were read.
  /// - Returns: The records; fewer than samples where some make none.
  public func records(of samples: [HKSample], received: Date) -> [HealthRecord] {
    let parts = Set(samples.compactMap { $0 as? HKCorrelation }.flatMap(\.objects).map(\.uuid))
    return samples.filter { !parts.contains($0.uuid) }
      .sorted { ($0.startDate, $0.uuid.uuidString) < ($1.startDate, $1.uuid.uuidString) }
      .compactMap { record(of: $0, received: received) }
  }

  /// The record of a sample.
  ///
  /// - Parameters:
  ///   - sample: The sample.
  ///   - received: When it was read.
  /// - Returns: The record; nil for one of which none is made, or which this app wrote itself.
  public func record(of sample: HKSample, received: Date) -> HealthRecord? {
    guard !isOwn(sample) else { return nil }
    switch sample {
    case let workout as HKWorkout:
      return record(of: workout, heartRate: nil, received: received)
    case let correlation as HKCorrelation: return record(of: correlation, received: received)
    case let quantity as HKQuantitySample: return record(of: quantity, received: received)
    case let category as HKCategorySample: return record(of: category, received: received)
    default: return nil
    }
  }

  /// Whether the running app wrote the sample from a record of its own, see ``RecordSamples``.
  ///
  /// - Parameter sample: The sample.
  /// - Returns: Whether it did.
  public func isOwn(_ sample: HKSample) -> Bool {
    sample.sourceRevision.source.bundleIdentifier == ownBundleIdentifier
      && sample.text(HKMetadataKeySyncIdentifier)?.hasPrefix(SampleIdentity.syncPrefix) ?? false
  }

  // MARK: - What all records have

  /// A record of a sample; nil without a metric.
  func record(
    of sample: HKSample, _ kind: RecordKind, _ metrics: [Metric],
    isManual: Bool, received: Date
  ) -> HealthRecord? {
    guard !metrics.isEmpty else { return nil }
    var record = HealthRecord(
      logID: SampleIdentity.logID(of: sample.uuid), kind: kind,
      time: time(of: sample, isManual: isManual, received: received),
      source: sample.recordSource, metrics: metrics)
    record.extras = sample.sourceExtras
    if isManual { record.isValidated = false }
    record.tags = metrics.filter { !$0.isPlausible }
      .map { RecordTag(name: HealthRecord.implausibleTag, value: $0.type.rawValue) }
    return record
  }

  func time(of sample: HKSample, isManual: Bool, received: Date) -> RecordTime {
    let named = sample.text(HKMetadataKeyTimeZone).flatMap(TimeZone.init(identifier:))
    let start = sample.startDate.roundedToMilliseconds
    let end = sample.hasUndeterminedDuration ? start : sample.endDate.roundedToMilliseconds
    let zone = named ?? zones.zone(at: start)
    return RecordTime(
      start: start, end: end, utcOffsetSeconds: zone.secondsFromGMT(for: start),
      offsetOrigin: named == nil ? .profile : .source, origin: isManual ? .user : .device,
      received: received)
  }
}

extension HealthRecord {
  /// Adds a finding, if there is one.
  mutating func add(tag name: String, _ value: String?) {
    if let value { tags.append(RecordTag(name: name, value: value)) }
  }
}
