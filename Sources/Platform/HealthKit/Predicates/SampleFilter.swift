// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// A predicate as SQL, and what of it SQL cannot say.
struct SampleFilter {
  /// A condition on a row of `sample` or `deletion`.
  var sql = "1"
  var values: [SQLiteValue] = []
  /// What has to be evaluated with each object beside; nil if SQL says it all.
  var residual: NSPredicate?

  static let none = SampleFilter()
}

/// Puts predicates of a type of samples into SQL.
struct SampleFilterBuilder {
  let database: HealthDatabase
  let type: HKObjectType

  /// The filter of a predicate.
  func filter(_ predicate: NSPredicate?) throws -> SampleFilter {
    guard let predicate else { return .none }
    if let leaf = predicate as? HealthPredicate { return try filter(leaf) }
    if let compound = predicate as? NSCompoundPredicate {
      let parts = compound.subpredicates
      switch compound.compoundPredicateType {
      case .and: return try and(parts)
      case .or: return try or(parts, whole: predicate)
      case .not: return try not(parts, whole: predicate)
      @unknown default: break
      }
    }
    return SampleFilter(residual: predicate)
  }

  private func and(_ parts: [NSPredicate]) throws -> SampleFilter {
    let filters = try parts.map(filter)
    let rest = filters.compactMap(\.residual)
    return SampleFilter(
      sql: join(filters, "AND", none: "1"), values: filters.flatMap(\.values),
      residual: rest.isEmpty
        ? nil : rest.count == 1 ? rest[0] : NSCompoundPredicate(andPredicateWithSubpredicates: rest)
    )
  }

  // What a part leaves over may be true of a row for which another part holds: the whole is evaluated.
  private func or(_ parts: [NSPredicate], whole: NSPredicate) throws -> SampleFilter {
    let filters = try parts.map(filter)
    return SampleFilter(
      sql: join(filters, "OR", none: "0"), values: filters.flatMap(\.values),
      residual: filters.allSatisfy { $0.residual == nil } ? nil : try evaluable(whole))
  }

  private func not(_ parts: [NSPredicate], whole: NSPredicate) throws -> SampleFilter {
    let filter = try and(parts)
    guard filter.residual == nil else { return SampleFilter(residual: try evaluable(whole)) }
    return SampleFilter(sql: "NOT ifnull(\(filter.sql), 0)", values: filter.values)
  }

  private func join(_ filters: [SampleFilter], _ word: String, none: String) -> String {
    filters.isEmpty ? none : "(" + filters.map(\.sql).joined(separator: " \(word) ") + ")"
  }

  /// The predicate with numbers of rows in place of what only the store knows.
  private func evaluable(_ predicate: NSPredicate) throws -> NSPredicate {
    if let compound = predicate as? NSCompoundPredicate {
      return NSCompoundPredicate(
        type: compound.compoundPredicateType,
        subpredicates: try compound.subpredicates.map(evaluable))
    }
    guard let leaf = predicate as? HealthPredicate else { return predicate }
    switch leaf.condition {
    case .partOf, .withoutCorrelation:
      guard let row = database.row(of: type) else { return HealthPredicate(.rows([])) }
      let filter = try filter(leaf)
      var rows: Set<Int64> = []
      try database.connection.prepare("SELECT id FROM sample WHERE type = ? AND \(filter.sql)")
        .query([.integer(row.id)] + filter.values) { (row) throws(SQLiteError) in
          rows.insert(row.integer(0))
        }
      return HealthPredicate(.rows(rows))
    default: return leaf
    }
  }

  // MARK: - Conditions

  private func filter(_ leaf: HealthPredicate) throws -> SampleFilter {
    switch leaf.condition {
    case .time(let start, let end, let options): return time(start, end, options)
    case .identifiers(let identifiers): return self.identifiers(identifiers, leaf)
    case .sources(let sources):
      return list("revision", database.revisions.filter { sources.contains($0.value.source) }.keys)
    case .revisions(let revisions):
      let numbers = database.revisions.filter { known in
        revisions.contains { $0.includes(known.value) }
      }
      return list("revision", numbers.keys)
    case .devices(let devices):
      return list("device", database.devices.filter { devices.contains($0.value) }.keys)
    case .deviceProperty(let key, let values):
      let numbers = database.devices.filter { known in
        known.value.property(key).map(values.contains) ?? false
      }
      return list("device", numbers.keys)
    case .partOf(let workout): return partOf(workout)
    case .withoutCorrelation:
      return SampleFilter(
        sql: """
          id NOT IN (SELECT part FROM member JOIN sample AS whole ON whole.id = member.whole
            WHERE whole.type <> \(database.row(of: HKObjectType.workoutType())?.id ?? -1))
          """)
    case .metadata(let key, let test): return metadata(key, test, leaf)
    case .category(let comparison, let value):
      return SampleFilter(sql: "value \(comparison.sql) ?", values: [.integer(Int64(value))])
    case .oneOfCategory(let values): return list("value", values.map(Int64.init))
    case .quantity(let comparison, let limit): return quantity(comparison, limit)
    case .workout(.kind(let kind)):
      return SampleFilter(sql: "value = ?", values: [.integer(Int64(kind.rawValue))])
    case .workout(.time(let start, let end, let options)): return time(start, end, options)
    case .rows(let rows): return list("id", rows)
    case .workout, .activity, .someActivity, .day: return SampleFilter(residual: leaf)
    }
  }

  private func list(_ column: String, _ numbers: some Collection<Int64>) -> SampleFilter {
    SampleFilter(sql: "\(column) IN (\(numbers.sorted().map(String.init).joined(separator: ",")))")
  }

  private func time(_ start: Date?, _ end: Date?, _ options: HKQueryOptions) -> SampleFilter {
    var (parts, values): ([String], [SQLiteValue]) = ([], [])
    func add(_ condition: String, _ date: Date?, minus seconds: Double = 0) {
      guard let date else { return }
      parts.append(condition)
      values.append(.real(date.timeIntervalSinceReferenceDate - seconds))
    }
    let longest = database.row(of: type)?.longest ?? 0
    if options.isEmpty {
      // The bound on the start says nothing new, but the index has it.
      add("start >= ?", start, minus: longest)
      add("end >= ?", start)
      add("start < ?", end)
    }
    if options.contains(.strictStartDate) {
      add("start >= ?", start)
      add("start < ?", end)
    }
    if options.contains(.strictEndDate) {
      add("start >= ?", start, minus: longest)
      add("end >= ?", start)
      add("end < ?", end)
    }
    return SampleFilter(
      sql: parts.isEmpty ? "1" : "(" + parts.joined(separator: " AND ") + ")", values: values)
  }

  // A row without an identifier has one that follows from what it says.
  private func identifiers(_ identifiers: Set<UUID>, _ leaf: HealthPredicate) -> SampleFilter {
    let marks = Array(repeating: "?", count: identifiers.count).joined(separator: ",")
    return SampleFilter(
      sql: "(uuid IN (\(marks)) OR uuid IS NULL)",
      values: identifiers.map { .blob(SampleIdentity.bytes(of: $0)) }, residual: leaf)
  }

  private func partOf(_ workout: HKWorkout) -> SampleFilter {
    if let row = workout.row {
      return SampleFilter(
        sql: "id IN (SELECT part FROM member WHERE whole = ?)", values: [.integer(row)])
    }
    return SampleFilter(
      sql: "id IN (SELECT part FROM member JOIN sample AS w ON w.id = whole WHERE w.uuid = ?)",
      values: [.blob(SampleIdentity.bytes(of: workout.uuid))])
  }

  private func metadata(
    _ key: String, _ test: Condition.MetadataTest, _ leaf: HealthPredicate
  ) -> SampleFilter {
    var filter = SampleFilter(
      sql: """
        metadata IN (SELECT m.id FROM metadata AS m, json_each(m.text) AS entry
          WHERE entry.key = ?)
        """, values: [.text(key)])
    if case .present = test { return filter }
    filter.residual = leaf
    return filter
  }

  private func quantity(_ comparison: Comparison, _ limit: HKQuantity) -> SampleFilter {
    let cases = database.units.compactMap { number, unit -> String? in
      guard let factor = unit.factor(to: limit.unit) else { return nil }
      return "WHEN \(number) THEN value * \(factor.scale) + \(factor.offset)"
    }
    guard !cases.isEmpty else { return SampleFilter(sql: "0") }
    return SampleFilter(
      sql: "CASE unit \(cases.joined(separator: " ")) END \(comparison.sql) ?",
      values: [.real(limit.doubleValue(for: limit.unit))])
  }
}
