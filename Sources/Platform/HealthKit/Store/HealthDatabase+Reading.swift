// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// Which samples are asked for.
package struct SampleRequest {
  /// In which order samples are delivered.
  package enum Order: Equatable {
    case added
    case start(ascending: Bool)
    case end(ascending: Bool)
  }

  var type: HKObjectType
  var predicate: NSPredicate?
  /// Only what was added after the row of this number.
  var after: Int64 = 0
  var order = Order.added
  /// If set, only what this source saved: what others saved may not be read.
  var only: HKSource?

  package init(_ type: HKObjectType, _ predicate: NSPredicate? = nil) {
    self.type = type
    self.predicate = predicate
  }
}

extension HealthDatabase {
  /// Hands over the rows of a request, in its order, until `body` returns false.
  func rows(
    _ request: SampleRequest, deleted: Bool = false,
    _ body: (SampleRow, NSPredicate?) throws(SQLiteError) -> Bool
  ) throws {
    guard let type = row(of: request.type), let first = type.first, let last = type.last,
      last > request.after
    else { return }
    var parts = [request.predicate].compactMap { $0 }
    if let only = request.only { parts.append(HealthPredicate(.sources([only]))) }
    let filter = try SampleFilterBuilder(database: self, type: request.type).filter(
      parts.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: parts))
    // Rows of a type are often next to each other: the numbers bound what is looked through.
    let place = request.order == .added ? "+type = ? AND id BETWEEN ? AND ?" : "type = ?"
    let values: [SQLiteValue] =
      request.order == .added
      ? [.integer(type.id), .integer(max(first, request.after + 1)), .integer(last)]
      : [.integer(type.id)]
    try connection.prepare(
      """
      SELECT \(SampleRow.columns) FROM \(deleted ? "deletion" : "sample")
      WHERE \(place) AND \(filter.sql) ORDER BY \(request.order.sql)
      """
    ).scan(values + filter.values) { (row) throws(SQLiteError) in
      try body(SampleRow(row), filter.residual)
    }
  }

  /// Hands over the samples of a request, in its order, until `body` returns false.
  package func samples(
    _ request: SampleRequest, _ body: (HKSample) throws(SQLiteError) -> Bool
  ) throws {
    try rows(request) { (row, residual) throws(SQLiteError) in
      guard let sample = try object(of: row) else { return true }
      if let residual, !residual.evaluate(with: sample) { return true }
      return try body(sample)
    }
  }

  /// All samples of a request, up to a limit.
  package func samples(_ request: SampleRequest, limit: Int? = nil) throws -> [HKSample] {
    var samples: [HKSample] = []
    if limit == 0 { return [] }
    try self.samples(request) { (sample) throws(SQLiteError) in
      samples.append(sample)
      return samples.count != limit
    }
    return samples
  }

  /// What was added and deleted after an anchor, in the order in which that happened.
  package struct Changes {
    package var added: [HKSample] = []
    package var deleted: [HKDeletedObject] = []
    /// The anchor after them.
    package var anchor: Int64
  }

  /// What was added and deleted of some types after an anchor, up to a number of both together.
  func changes(_ requests: [SampleRequest], after anchor: Int64, limit: Int?) throws -> Changes {
    enum Change { case added(HKSample), deleted(HKDeletedObject) }
    var changes: [(Int64, Change)] = []
    for request in requests {
      var request = request
      request.after = anchor
      request.order = .added
      var found = 0
      try rows(request) { (row, residual) throws(SQLiteError) in
        guard let sample = try object(of: row) else { return true }
        if let residual, !residual.evaluate(with: sample) { return true }
        changes.append((row.id, .added(sample)))
        found += 1
        return found != limit
      }
      found = 0
      try rows(request, deleted: true) { (row, residual) throws(SQLiteError) in
        if let residual, let sample = try object(of: row), !residual.evaluate(with: sample) {
          return true
        }
        let metadata = try row.metadata.flatMap { (id) throws(SQLiteError) in try known(id) }
        changes.append(
          (row.id, .deleted(HKDeletedObject(uuid: try uuid(of: row), metadata: metadata))))
        found += 1
        return found != limit
      }
    }
    changes.sort { $0.0 < $1.0 }
    let isCut = limit.map { changes.count >= $0 } ?? false
    if let limit { changes = Array(changes.prefix(limit)) }
    var result = Changes(anchor: anchor)
    for (_, change) in changes {
      switch change {
      case .added(let sample): result.added.append(sample)
      case .deleted(let object): result.deleted.append(object)
      }
    }
    // With everything delivered the anchor moves past what belongs to no one who asks.
    let last = requests.compactMap { row(of: $0.type)?.last }.max() ?? 0
    result.anchor = isCut ? changes.last?.0 ?? anchor : max(anchor, last)
    return result
  }

  // MARK: - Objects

  /// The row of a number.
  func row(_ id: Int64) throws -> SampleRow? {
    try connection.prepare("SELECT \(SampleRow.columns) FROM sample WHERE id = ?")
      .first(.integer(id)) { (row) throws(SQLiteError) in SampleRow(row) }
  }

  /// The identifier of a row: its own, or the one that follows from what it says.
  func uuid(of row: SampleRow) throws(SQLiteError) -> UUID {
    if let bytes = row.uuid { return SampleIdentity.uuid(of: bytes) }
    return SampleIdentity.uuid(
      type: types[row.type]?.type.identifier ?? "", start: row.start, end: row.end,
      value: row.value, unit: row.unit.flatMap { units[$0] }?.unitString ?? "",
      source: origin(row.revision), copy: row.copy ?? 0)
  }

  private func known(_ id: Int64) throws(SQLiteError) -> [String: Any]? {
    do {
      return try metadata(id)
    } catch let error as SQLiteError {
      throw error
    } catch {
      throw .damaged("the metadata of number \(id) cannot be read")
    }
  }

  /// The sample of a row; nil for a type that no sample can be made of.
  func object(of row: SampleRow) throws(SQLiteError) -> HKSample? {
    guard let type = types[row.type]?.type, let revision = revisions[row.revision] else {
      throw .damaged("sample \(row.id) refers to a type or a source that the store does not have")
    }
    let facts = ObjectFacts(
      uuid: try uuid(of: row), device: row.device.flatMap { devices[$0] },
      metadata: try row.metadata.flatMap { (id) throws(SQLiteError) in try known(id) },
      sourceRevision: revision, row: row.id)
    let start = Date(timeIntervalSinceReferenceDate: row.start)
    let end = Date(timeIntervalSinceReferenceDate: row.end)
    switch type {
    case let type as HKQuantityType: return quantity(type, row, start, end, facts)
    case let type as HKCategoryType:
      return HKCategorySample(type, Int(row.value), start, end, facts)
    case let type as HKCorrelationType:
      let parts = try self.parts(of: row.id)
      return parts.isEmpty ? nil : HKCorrelation(type, parts, start, end, facts)
    case is HKWorkoutType: return try workout(row, start, end, facts)
    default: return nil
    }
  }

  private func quantity(
    _ type: HKQuantityType, _ row: SampleRow, _ start: Date, _ end: Date, _ facts: ObjectFacts
  ) -> HKSample? {
    guard let unit = row.unit.flatMap({ units[$0] }), type.is(compatibleWith: unit) else {
      return nil
    }
    let quantity = HKQuantity(unit: unit, doubleValue: row.value)
    let series = row.detail.flatMap { try? MetadataCoding.value($0, as: SeriesDetail.self) }
    if type.aggregationStyle == .cumulative {
      return HKCumulativeQuantitySample(
        type, quantity, start, end, facts, count: series?.count ?? 1)
    }
    let sample = HKDiscreteQuantitySample(
      type, quantity, start, end, facts, count: series?.count ?? 1)
    sample.series = series?.series(in: unit)
    return sample
  }

  private func parts(of whole: Int64) throws(SQLiteError) -> Set<HKSample> {
    var parts: Set<HKSample> = []
    try connection.prepare(
      "SELECT \(SampleRow.columns) FROM sample WHERE id IN (SELECT part FROM member WHERE whole = ?)"
    ).query([.integer(whole)]) { (row) throws(SQLiteError) in
      if let part = try object(of: SampleRow(row)) { parts.insert(part) }
    }
    return parts
  }

  private func workout(
    _ row: SampleRow, _ start: Date, _ end: Date, _ facts: ObjectFacts
  ) throws(SQLiteError) -> HKSample {
    guard let detail = row.detail, let content = try? WorkoutCoding.decode(detail) else {
      throw .damaged("the workout of sample \(row.id) cannot be read")
    }
    return HKWorkout(content, start, end, facts)
  }
}

extension SampleRequest.Order {
  /// With equal times the earlier row is first.
  var sql: String {
    switch self {
    case .added: "id"
    case .start(let ascending): ascending ? "start, id" : "start DESC, id"
    case .end(let ascending): ascending ? "end, id" : "end DESC, id"
    }
  }
}

/// What the row of a series of values has beside.
struct SeriesDetail: Codable {
  var count: Int
  var minimum: Double?
  var maximum: Double?
  var latest: Double?
  var latestStart: Double?
  var latestEnd: Double?

  func series(in unit: HKUnit) -> HKDiscreteQuantitySample.Series? {
    guard let minimum, let maximum, let latest, let latestStart, let latestEnd,
      latestEnd >= latestStart
    else { return nil }
    return .init(
      minimum: HKQuantity(unit: unit, doubleValue: minimum),
      maximum: HKQuantity(unit: unit, doubleValue: maximum),
      mostRecent: HKQuantity(unit: unit, doubleValue: latest),
      mostRecentInterval: DateInterval(
        start: Date(timeIntervalSinceReferenceDate: latestStart),
        end: Date(timeIntervalSinceReferenceDate: latestEnd)))
  }
}

/// What the store has of a type.
package struct HealthContents: Hashable, Sendable {
  /// The identifier of the type.
  package let type: String
  package let count: Int
  /// The first start and the last end.
  package let first: Date
  package let last: Date
}

extension HealthDatabase {
  /// What the store has of each type that it has samples of, the most samples first.
  package func contents() throws -> [HealthContents] {
    try connection.prepare(
      """
      SELECT type.identifier, count(*), min(start), max(end) FROM sample JOIN type
      ON type.id = sample.type GROUP BY sample.type ORDER BY count(*) DESC, type.identifier
      """
    ).all { (row) throws(SQLiteError) in
      HealthContents(
        type: row.text(0), count: Int(row.integer(1)),
        first: Date(timeIntervalSinceReferenceDate: row.real(2)),
        last: Date(timeIntervalSinceReferenceDate: row.real(3)))
    }
  }
}
