// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// How far the copying of a damaged file has come, kept in the new file until that is complete.
struct RecoveryProgress {
  /// Distinguishes the damaged file, and what it held, from another one.
  private let source: String

  /// - Parameter path: The damaged file.
  init(of path: String) {
    let number = try? FileNumber(of: path)
    let damaged = try? SQLiteDatabase(path: path)
    let used = ["q", "ev"].map { table in
      // Each submission and each answer of the server counts in one of them.
      (try? damaged?.integer("SELECT seq FROM sqlite_sequence WHERE name = '\(table)'"))
        .map { "\($0)" } ?? "-"
    }
    source = "\(number.map { "\($0.device)/\($0.inode)" } ?? "-") \(used.joined(separator: " "))"
  }

  /// Whether a file is an interrupted copy of the damaged one.
  func isIn(_ draft: String) -> Bool {
    guard (try? FileNumber(of: draft)) != nil, let database = try? SQLiteDatabase(path: draft)
    else { return false }
    return (try? database.prepare("SELECT DISTINCT source FROM recovery").first { $0.text(0) })
      == source
  }

  /// Makes the table of the progress, inside the current transaction.
  func begin(in database: SQLiteDatabase) throws(SQLiteError) {
    try database.execute(
      "CREATE TABLE IF NOT EXISTS recovery(tbl TEXT PRIMARY KEY, source TEXT NOT NULL, row INTEGER)"
    )
    // A copy that has not come to its first note is one, too.
    try note(.min, of: "", in: database)
  }

  /// The number of the row up to which all rows of a table were copied.
  func start(of table: String, in database: SQLiteDatabase) throws(SQLiteError) -> Int64 {
    try database.prepare("SELECT row FROM recovery WHERE tbl = ?")
      .first(.text(table)) { $0.integer(0) } ?? .min
  }

  /// Notes that all rows of a table up to a number are copied, and commits them.
  func note(_ row: Int64, of table: String, in database: SQLiteDatabase) throws(SQLiteError) {
    try database.prepare(
      """
      INSERT INTO recovery VALUES(?1, ?2, ?3) ON CONFLICT(tbl) DO UPDATE
      SET row = excluded.row
      """
    ).run(.text(table), .text(source), .integer(row))
    try database.execute("COMMIT")
    try database.execute("BEGIN IMMEDIATE")
  }

  /// Removes the table, inside the transaction that completes the copy.
  func end(in database: SQLiteDatabase) throws(SQLiteError) {
    try database.execute("DROP TABLE IF EXISTS recovery")
  }
}
