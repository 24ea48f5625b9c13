// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A record that its source has deleted, for instance a sample that the user removed in Health.
///
/// It names the record and holds none of its values. Of a record and its deletion the later one
/// counts: a deletion is later than every record that does not say that it was changed after it,
/// see ``supersedes(_:)``.
public struct RecordDeletion: Hashable, Sendable {
  /// The identifier of the deleted record, see ``HealthRecord/logID``.
  public var logID: String
  /// When the deletion was noticed, to a millisecond; after 1970.
  public var noticed: Date
  /// The kind of the record; nil when it is not known.
  public var kind: RecordKind?
  /// Why it was deleted.
  public var reason: Reason
  /// The way the record came; nil when it is not known.
  public var source: SourceType?
  /// What the record held, as far as it is known; a FHIR server names an Observation by it.
  public var metrics: [MetricType]

  /// Makes a deletion.
  ///
  /// - Parameters:
  ///   - logID: The identifier of the deleted record.
  ///   - noticed: When the deletion was noticed; kept to a millisecond.
  ///   - kind: The kind of the record.
  ///   - reason: Why it was deleted.
  ///   - source: The way the record came.
  ///   - metrics: What the record held, as far as it is known.
  public init(
    of logID: String, noticed: Date, kind: RecordKind? = nil, reason: Reason = .atSource,
    source: SourceType? = nil, metrics: [MetricType] = []
  ) {
    self.logID = logID
    self.noticed = noticed.roundedToMilliseconds
    self.kind = kind
    self.reason = reason
    self.source = source
    self.metrics = metrics
  }

  /// Makes the deletion of a record that is at hand.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - noticed: When the deletion was noticed.
  ///   - reason: Why it was deleted.
  public init(of record: HealthRecord, noticed: Date, reason: Reason = .atSource) {
    self.init(
      of: record.logID, noticed: noticed, kind: record.kind, reason: reason,
      source: record.source.type, metrics: record.metricTypes)
  }

  /// Why a record was deleted; an open set.
  public struct Reason: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String

    /// Makes a reason from its name on the wire.
    ///
    /// - Parameter rawValue: The name, for instance `deleted_at_source`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The source does not have it any more, for instance the Health app.
    public static let atSource = Reason(rawValue: "deleted_at_source")
    /// The user deleted it in this app.
    public static let byUser = Reason(rawValue: "deleted_by_user")
  }

  /// Whether the record stays deleted although it comes again: it does not say that it was changed
  /// after the deletion was noticed.
  ///
  /// - Parameter record: A record of the same identifier.
  /// - Returns: Whether the deletion counts and not the record.
  public func supersedes(_ record: HealthRecord) -> Bool {
    guard let changed = record.lastUpdated else { return true }
    return changed.roundedToMilliseconds <= noticed
  }

  /// Checks what the form of a deletion requires.
  ///
  /// - Throws: ``RecordError`` with the place of the first fault.
  public func validate() throws(RecordError) {
    try HealthRecord.validate(logID: logID)
    try noticed.validate(at: Self.timeName)
    guard noticed.timeIntervalSince1970 > 0 else {
      throw RecordError(.invalidValue, at: Self.timeName, "must be after the beginning of 1970")
    }
    guard kind?.rawValue.isEmpty != true else {
      throw RecordError(.invalidValue, at: "type", "must not be empty")
    }
    guard metrics.allSatisfy({ !$0.rawValue.isEmpty }) else {
      throw RecordError(.invalidValue, at: "metric_types", "must not have an empty name")
    }
  }

  static let timeName = "deleted_at"
}

extension RecordDeletion {
  /// The same, with what only another deletion of the record knows.
  package func completed(by other: RecordDeletion) -> RecordDeletion {
    var deletion = self
    deletion.kind = kind ?? other.kind
    deletion.source = source ?? other.source
    if metrics.isEmpty { deletion.metrics = other.metrics }
    return deletion
  }

  /// The same, but later than a record that it deletes.
  ///
  /// What is submitted later counts, even if the clock was set back in between.
  package func after(_ record: HealthRecord) -> RecordDeletion {
    guard !supersedes(record), let changed = record.lastUpdated else { return self }
    var deletion = self
    deletion.noticed = changed.addingTimeInterval(0.001).roundedToMilliseconds
    return deletion
  }
}

extension HealthRecord {
  /// What the record holds, each type once.
  fileprivate var metricTypes: [MetricType] {
    var known: Set<MetricType> = []
    return (metrics.map(\.type) + series.map(\.type)).filter { known.insert($0).inserted }
  }
}

extension RecordDeletion: CustomStringConvertible, CustomReflectable {
  /// A text that does not name the record, so that it may be logged.
  public var description: String {
    "deletion of a \(kind.map { "\($0.rawValue) record" } ?? "record")"
  }

  /// Empty, so that a dump shows no identifier either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
