// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

extension HealthDatabase {
  /// Adds objects; in a transaction only.
  ///
  /// An object with the sync identifier of an earlier one of its source replaces that one if its
  /// version is higher, and is ignored otherwise.
  ///
  /// - Throws: `HKError` with the code `errorInvalidArgument` for an object that is in the store.
  package func save(_ objects: [HKObject], from revision: HKSourceRevision? = nil) throws {
    for object in objects {
      guard let sample = object as? HKSample else {
        throw HKError.error(
          .errorInvalidArgument, "An object of class \(Swift.type(of: object)) cannot be saved.")
      }
      try save(sample, from: revision)
    }
  }

  @discardableResult
  private func save(_ sample: HKSample, from revision: HKSourceRevision?) throws -> Int64? {
    guard try row(of: sample.uuid) == nil else {
      throw HKError.error(
        .errorInvalidArgument, "The object \(sample.uuid) is in the health store already.")
    }
    let revision = revision ?? sample.sourceRevision
    let sync = try synchronization(sample, revision)
    if let sync, let known = sync.known {
      guard sync.version > known.version else { return nil }
      try delete(known.row)
    }
    let id = try insert(try row(of: sample, revision))
    if let sync { try note(sync, id) }
    if let correlation = sample as? HKCorrelation {
      for part in correlation.objects.sorted(by: { $0.uuid.uuidString < $1.uuid.uuidString }) {
        let known = try row(of: part.uuid)?.id
        guard let row = try known ?? save(part, from: revision) else { continue }
        try join(row, to: id)
      }
    }
    return id
  }

  /// Makes a sample a part of a correlation or of a workout; in a transaction only.
  package func join(_ part: Int64, to whole: Int64) throws {
    try connection.prepare("INSERT OR IGNORE INTO member(whole, part) VALUES(?, ?)")
      .run(.integer(whole), .integer(part))
  }

  /// The row of an identifier; of a sample from an export only if it is among those of a type.
  func row(of uuid: UUID) throws -> SampleRow? {
    try connection.prepare("SELECT \(SampleRow.columns) FROM sample WHERE uuid = ?")
      .first(.blob(SampleIdentity.bytes(of: uuid))) { (row) throws(SQLiteError) in SampleRow(row) }
  }

  private func row(of sample: HKSample, _ revision: HKSourceRevision) throws -> SampleRow {
    var row = SampleRow(
      type: try number(of: sample.sampleType),
      start: sample.startDate.timeIntervalSinceReferenceDate,
      end: sample.endDate.timeIntervalSinceReferenceDate, value: 0,
      revision: try number(of: revision), uuid: SampleIdentity.bytes(of: sample.uuid))
    row.device = try sample.device.map(number(of:))
    row.metadata = try sample.metadata.flatMap { try $0.isEmpty ? nil : number(of: $0) }
    switch sample {
    case let sample as HKQuantitySample:
      row.unit = try number(of: sample.quantity.unit)
      row.value = sample.quantity.doubleValue(for: sample.quantity.unit)
      row.detail = sample.count > 1 ? MetadataCoding.text(SeriesDetail(sample)) : nil
    case let sample as HKCategorySample: row.value = Double(sample.value)
    case let workout as HKWorkout:
      row.value = Double(workout.workoutActivityType.rawValue)
      row.detail = WorkoutCoding.encode(workout.content)
    default: break
    }
    return row
  }

  // MARK: - Sync identifiers

  private struct Synchronization {
    let source: Int64
    let identifier: String
    let version: Double
    var known: (row: Int64, version: Double)?
  }

  private func synchronization(
    _ sample: HKSample, _ revision: HKSourceRevision
  ) throws -> Synchronization? {
    guard let identifier = sample.metadata?[HKMetadataKeySyncIdentifier] as? String else {
      return nil
    }
    let version = (sample.metadata?[HKMetadataKeySyncVersion] as? NSNumber)?.doubleValue ?? 0
    var sync = Synchronization(
      source: try number(of: revision.source), identifier: identifier, version: version)
    sync.known = try connection.prepare(
      "SELECT sample, version FROM synchronized WHERE source = ? AND identifier = ?"
    ).first(.integer(sync.source), .text(identifier)) { (row) throws(SQLiteError) in
      (row.integer(0), row.real(1))
    }
    return sync
  }

  private func note(_ sync: Synchronization, _ id: Int64) throws {
    try connection.prepare("INSERT OR REPLACE INTO synchronized VALUES(?, ?, ?, ?)")
      .run(.integer(sync.source), .text(sync.identifier), .real(sync.version), .integer(id))
  }

  // MARK: - Deleting

  /// Deletes objects; in a transaction only.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - source: If set, only what this source saved may be deleted.
  /// - Returns: How many there were.
  /// - Throws: `HKError` with the code `errorAuthorizationDenied` for an object of another source.
  @discardableResult
  func delete(_ objects: [HKObject], of source: HKSource?) throws -> Int {
    var rows: [Int64] = []
    for object in objects {
      let row = try object.row.flatMap(row) ?? row(of: object.uuid)
      guard let row, try uuid(of: row) == object.uuid else { continue }
      if let source, revisions[row.revision]?.source != source {
        throw HKError.error(
          .errorAuthorizationDenied, "An app may delete only what it saved: \(object.uuid) is not.")
      }
      rows.append(row.id)
    }
    for row in rows { try delete(row) }
    return rows.count
  }

  /// Deletes what a predicate holds for; in a transaction only.
  ///
  /// - Returns: How many there were.
  func delete(_ request: SampleRequest) throws -> Int {
    var rows: [Int64] = []
    try self.rows(request) { (row, residual) throws(SQLiteError) in
      if let residual, let sample = try object(of: row), !residual.evaluate(with: sample) {
        return true
      }
      rows.append(row.id)
      return true
    }
    for row in rows { try delete(row) }
    return rows.count
  }

  /// Forgets deletions, as the system does after some time.
  package func pruneDeletions() throws {
    try connection.execute("DELETE FROM deletion")
  }
}

extension SeriesDetail {
  init(_ sample: HKQuantitySample) {
    count = sample.count
    guard let discrete = sample as? HKDiscreteQuantitySample else { return }
    let unit = sample.quantity.unit
    minimum = discrete.minimumQuantity.doubleValue(for: unit)
    maximum = discrete.maximumQuantity.doubleValue(for: unit)
    latest = discrete.mostRecentQuantity.doubleValue(for: unit)
    let interval = discrete.mostRecentQuantityDateInterval
    latestStart = interval.start.timeIntervalSinceReferenceDate
    latestEnd = interval.end.timeIntervalSinceReferenceDate
  }
}
