// SPDX-License-Identifier: Apache-2.0

#if canImport(SQLite3)
  import SQLite3
#else
  import CSQLite
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One connection to a SQLite file, to be used from one thread or queue at a time.
@safe package final class SQLiteDatabase {
  let handle: OpaquePointer
  /// The file's path.
  package let path: String
  /// How many pages the log held after the last commit, see ``checkpointByHand()``; 0 once a
  /// checkpoint has been tried.
  package private(set) var logPages = 0

  /// Opens or creates the file at `path`, in WAL mode with full synchronisation.
  ///
  /// A commit that has returned survives a crash of the process and a loss of power.
  ///
  /// - Parameters:
  ///   - path: The file; a symbolic link in its place is refused, one on the way to it is followed.
  ///   - busyTimeoutMilliseconds: How long a statement waits for another connection's lock.
  /// - Throws: ``SQLiteError`` when the file cannot be opened or is not a database.
  package init(path: String, busyTimeoutMilliseconds: Int32 = 5_000) throws(SQLiteError) {
    unsafe handle = try unsafe Self.open(
      path, Self.resolvingFolder(of: path), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
      busyTimeoutMilliseconds)
    self.path = path
    let mode = try prepare("PRAGMA journal_mode = WAL").first { $0.text(0) }
    guard mode == "wal" else {
      throw SQLiteError(
        extendedCode: SQLITE_CANTOPEN, message: "\(path) cannot be put into WAL mode")
    }
    try execute("PRAGMA synchronous = FULL")
    try execute("PRAGMA foreign_keys = ON")
  }

  /// Opens a file that is there to read it, also where neither the file nor its folder can be written.
  ///
  /// - Parameters:
  ///   - path: The file; a symbolic link in its place is refused, one on the way to it is followed.
  ///   - busyTimeoutMilliseconds: How long a statement waits for another connection's lock.
  /// - Throws: ``SQLiteError`` when the file cannot be opened. Its log can be read only if the folder
  ///   can be written, or if another process has the file open.
  package init(
    readingOnly path: String, busyTimeoutMilliseconds: Int32 = 5_000
  ) throws(SQLiteError) {
    // Without a log no one writes, and SQLite need not make files of its own to wait for them.
    let resolved = Self.resolvingFolder(of: path)
    let hasLog = unsafe access(path + "-wal", F_OK) == 0
    unsafe handle = try unsafe Self.open(
      path, hasLog ? resolved : "file:\(resolved.uriPath)?immutable=1",
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, busyTimeoutMilliseconds)
    self.path = path
  }

  private static func open(
    _ path: String, _ name: String, _ flags: Int32, _ busyTimeoutMilliseconds: Int32
  ) throws(SQLiteError) -> OpaquePointer {
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      name, &opened, flags | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let message = unsafe String(cString: sqlite3_errstr(code))
      unsafe sqlite3_close_v2(opened)
      throw SQLiteError(extendedCode: code, message: "cannot open \(path): \(message)")
    }
    unsafe sqlite3_extended_result_codes(opened, 1)
    unsafe sqlite3_busy_timeout(opened, busyTimeoutMilliseconds)
    return unsafe opened
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  // SQLITE_OPEN_NOFOLLOW refuses a link anywhere in the path, and the path of Apple's containers
  // has one.
  private static func resolvingFolder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"),
      let folder = unsafe realpath(String(path[...slash]), nil)
    else { return path }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + path[slash...]
  }

  /// Runs one or more statements that take no values, and ignores their rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Compiles a statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    try SQLiteStatement(sql, on: self)
  }

  /// Runs `body` between BEGIN IMMEDIATE and COMMIT; any error rolls back and is rethrown.
  package func transaction<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // A failed COMMIT may have rolled back by itself; then this only fails.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// The first column of the first row of a statement, as an integer; 0 when there is no row.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64 {
    try prepare(sql).first { $0.integer(0) } ?? 0
  }

  /// The rowid of the row inserted last on this connection; a conflict leaves it as it was.
  package var lastInsertedID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// Disables automatic checkpoints, and counts ``logPages`` for the owner of the connection.
  package func checkpointByHand() {
    unsafe sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        if let context = unsafe context {
          let database = unsafe Unmanaged<SQLiteDatabase>.fromOpaque(context)
          unsafe database.takeUnretainedValue().logPages = Int(pages)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// How a checkpoint treats the log.
  package enum Checkpoint {
    /// Moves what can be moved without waiting, as SQLite's own checkpoints do.
    case passive
    /// Waits for writers and readers, and empties the log.
    case truncating
  }

  /// Moves the log's content into the database, as far as readers allow.
  package func checkpoint(_ kind: Checkpoint = .truncating) throws(SQLiteError) {
    logPages = 0
    let mode = kind == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
    guard code == SQLITE_OK || code == SQLITE_BUSY else { throw error(code, sql: nil) }
  }

  /// Gives back the memory of the pages that were read; the next statement reads them again.
  package func releaseMemory() { unsafe sqlite3_db_release_memory(handle) }

  /// How much memory the pages take that were read.
  package var cacheBytes: Int {
    var (current, highest): (Int32, Int32) = (0, 0)
    unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &current, &highest, 0)
    return Int(current)
  }

  func error(_ code: Int32, sql: String?) -> SQLiteError {
    unsafe SQLiteError(
      extendedCode: sqlite3_extended_errcode(handle) == SQLITE_OK
        ? code : sqlite3_extended_errcode(handle),
      message: String(cString: sqlite3_errmsg(handle)), sql: sql)
  }
}

extension String {
  /// A path as a part of a URI.
  fileprivate var uriPath: String {
    replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
  }
}
