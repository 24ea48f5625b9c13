// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// Adds rows to the table of samples: many with one statement, which takes little more than half the
/// work of one statement each.
final class SampleInsertion {
  private static let most = 64
  /// What most rows of an import have: neither an identifier of their own nor a detail.
  private static let usualColumns =
    "id, type, start, end, value, unit, revision, device, metadata, copy"

  private let one: SQLiteStatement
  private let many: SQLiteStatement
  /// The rows that wait for others; their numbers follow each other.
  private var waiting: [SampleRow] = []

  init(_ connection: SQLiteDatabase) throws(SQLiteError) {
    one = try connection.prepare(
      """
      INSERT INTO sample(\(Self.usualColumns), uuid, detail)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    let values = [String](repeating: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", count: Self.most)
    many = try connection.prepare(
      "INSERT INTO sample(\(Self.usualColumns)) VALUES \(values.joined(separator: ","))")
    waiting.reserveCapacity(Self.most)
  }

  /// Adds a row that has its number, at once or with the next ones.
  func add(_ row: SampleRow) throws(SQLiteError) {
    guard row.uuid == nil, row.detail == nil, row.beats == nil else {
      try flush()
      return try addAlone(row)
    }
    waiting.append(row)
    guard waiting.count == Self.most else { return }
    try many.run { values in
      // SQLite counts on from the first number without looking for the place of each.
      values.set(1, waiting.first?.id)
      for index in waiting.indices { Self.set(waiting[index], values, after: Int32(index) * 10) }
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Adds the rows that wait.
  func flush() throws(SQLiteError) {
    guard !waiting.isEmpty else { return }
    for row in waiting { try addAlone(row) }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Forgets the rows that wait.
  func cancel() { waiting.removeAll(keepingCapacity: true) }

  private func addAlone(_ row: SampleRow) throws(SQLiteError) {
    try one.run { values in
      values.set(1, row.id)
      Self.set(row, values, after: 0)
      values.set(11, row.uuid)
      if let beats = row.beats { values.set(12, beats) } else { values.set(12, row.detail) }
    }
  }

  private static func set(_ row: SampleRow, _ values: SQLiteBindings, after index: Int32) {
    values.set(index + 2, row.type)
    values.set(index + 3, row.start)
    values.set(index + 4, row.end)
    values.set(index + 5, row.value)
    values.set(index + 6, row.unit)
    values.set(index + 7, row.revision)
    values.set(index + 8, row.device)
    values.set(index + 9, row.metadata)
    values.set(index + 10, row.copy)
  }
}
