// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// A connection that keeps its compiled statements, for one thread at a time.
final class SQLiteConnection {
  let database: SQLiteDatabase
  private var statements: [String: SQLiteStatement] = [:]

  init(path: String) throws(SQLiteError) {
    database = try SQLiteDatabase(path: path)
  }

  /// The compiled statement of a text, which must be one of a small fixed set.
  func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let known = statements[sql] { return known }
    let statement = try database.prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Runs a statement and returns the number of rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) -> Int {
    try statement(sql).run(values)
  }

  /// Passes rows to `body` until there are no more or it returns false.
  func scan(
    _ sql: String, _ values: [SQLiteValue] = [], body: (SQLiteRow) -> Bool
  ) throws(SQLiteError) {
    try statement(sql).scan(values) { (row: SQLiteRow) throws(SQLiteError) in body(row) }
  }

  /// All rows, mapped.
  func rows<Row>(
    _ sql: String, _ values: SQLiteValue..., map: (SQLiteRow) -> Row
  ) throws(SQLiteError) -> [Row] {
    var rows: [Row] = []
    try statement(sql).query(values) { (row: SQLiteRow) throws(SQLiteError) in
      rows.append(map(row))
    }
    return rows
  }
}

extension IngestError {
  /// Maps a failure of SQLite by its primary result code.
  init(_ error: SQLiteError) {
    let (code, message): (Code, String) =
      switch error.code {
      case 13: (.storageFull, "the disk is full; free some space and the server continues")
      case 19: (.refusedChange, "the storage refused the change; the user may have been erased")
      default: (.unavailable, "the storage cannot be used; see the cause in the log")
      }
    self.init(code, message, cause: error.description)
  }
}
