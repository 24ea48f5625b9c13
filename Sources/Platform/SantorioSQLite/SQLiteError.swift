// SPDX-License-Identifier: Apache-2.0

#if canImport(SQLite3)
  import SQLite3
#else
  import CSQLite
#endif

/// A failure reported by SQLite, with its extended result code and the statement that failed.
///
/// Bound values never appear in `description`.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The extended result code, for instance 1555 (`SQLITE_CONSTRAINT_PRIMARYKEY`).
  package let extendedCode: Int32
  /// The message of SQLite.
  package let message: String
  /// The SQL text, with placeholders in place of values.
  package let sql: String?

  package init(extendedCode: Int32, message: String, sql: String? = nil) {
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }

  /// The error of a file whose damage was not found by a statement.
  package static func damaged(_ message: String) -> SQLiteError {
    SQLiteError(extendedCode: SQLITE_CORRUPT, message: message)
  }

  /// The primary result code: the low byte of the extended one.
  package var code: Int32 { extendedCode & 0xff }

  /// Whether the disk, or the file's size limit, has no room left.
  ///
  /// A file that is opened needs room as well, for the index of its log (`SQLITE_IOERR_SHMSIZE`).
  package var isFull: Bool { code == SQLITE_FULL || extendedCode == SQLITE_IOERR | 19 << 8 }
  /// Whether the file is damaged or is not a database.
  package var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
  /// Whether the values of a row were refused: by a constraint, or as of the wrong kind.
  package var isRefusal: Bool { code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH }
  /// Whether the statement is wrong, in itself or for the tables of the file.
  package var isWrongStatement: Bool { code == SQLITE_ERROR }
  /// Whether another connection held the lock for longer than the busy timeout.
  package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }

  package var description: String {
    let place = sql.map { " in \"\($0)\"" } ?? ""
    return "SQLite error \(extendedCode): \(message)\(place)"
  }
}
