// SPDX-License-Identifier: Apache-2.0

#if canImport(SQLite3)
  import SQLite3
#else
  import CSQLite
#endif

/// One connection to a SQLite file, to be used from one thread or queue at a time.
@safe package final class SQLiteDatabase {
  let handle: OpaquePointer
  /// The file's path.
  package let path: String

  /// Opens or creates the file at `path`, in WAL mode with full synchronisation: a commit that has
  /// returned survives a crash of the process and a loss of power.
  ///
  /// - Parameters:
  ///   - path: The file; a symbolic link is refused.
  ///   - busyTimeoutMilliseconds: How long a statement waits for another connection's lock.
  /// - Throws: ``SQLiteError`` when the file cannot be opened or is no database.
  package init(path: String, busyTimeoutMilliseconds: Int32 = 5_000) throws(SQLiteError) {
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let message = unsafe String(cString: sqlite3_errstr(code))
      unsafe sqlite3_close_v2(opened)
      throw SQLiteError(extendedCode: code, message: "cannot open \(path): \(message)")
    }
    unsafe handle = unsafe opened
    self.path = path
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe sqlite3_busy_timeout(handle, busyTimeoutMilliseconds)
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = FULL")
    try execute("PRAGMA foreign_keys = ON")
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs one or more statements that take no values and whose rows are not wanted.
  package func execute(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Compiles a statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    try SQLiteStatement(sql, on: self)
  }

  /// Runs `body` between BEGIN IMMEDIATE and COMMIT; any error rolls back and is thrown on.
  package func transaction<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // A failed COMMIT may have rolled back by itself; then this one only reports so.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Moves the log's content into the database and empties the log, as far as readers allow.
  package func checkpoint() throws(SQLiteError) {
    let code = unsafe sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK || code == SQLITE_BUSY else { throw error(code, sql: nil) }
  }

  func error(_ code: Int32, sql: String?) -> SQLiteError {
    unsafe SQLiteError(
      extendedCode: sqlite3_extended_errcode(handle) == SQLITE_OK
        ? code : sqlite3_extended_errcode(handle),
      message: String(cString: sqlite3_errmsg(handle)), sql: sql)
  }
}
