// SPDX-License-Identifier: Apache-2.0

import Glibc
import SantorioSQLite

/// The tables of a storage file and their version.
enum StorageSchema {
  static let version: Int64 = 1
  /// Marks the file as ours: «SNTR».
  static let applicationID: Int64 = 0x534e_5452

  /// Makes the file, readable by its owner only, unless it is there; SQLite gives its companions
  /// the same mode.
  static func createFile(_ path: String) throws(IngestError) {
    let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw IngestError(
        .unavailable, "cannot open \(path); its folder must exist and be writable",
        cause: unsafe String(cString: strerror(errno)))
    }
    close(descriptor)
  }

  /// Makes the tables in an empty file; refuses a file of a newer version or of another program.
  static func prepare(_ connection: SQLiteConnection) throws(IngestError) {
    let path = connection.database.path
    let state: (version: Int64, owner: Int64, tables: Int64)
    do throws(SQLiteError) {
      state = try connection.database.transaction { () throws(SQLiteError) in
        if try number("SELECT count(*) FROM sqlite_schema", connection) == 0 {
          try connection.database.execute(tables)
        }
        return (
          try number("PRAGMA user_version", connection),
          try number("PRAGMA application_id", connection),
          try number("SELECT count(*) FROM sqlite_schema", connection)
        )
      }
    } catch {
      throw error.isCorrupt ? foreign(path) : IngestError(error)
    }
    guard state.owner == applicationID else { throw foreign(path) }
    guard state.version <= version else {
      throw IngestError(
        .newerStorage,
        "\(path) has version \(state.version), this server knows \(version); use a newer server")
    }
  }

  static func foreign(_ path: String) -> IngestError {
    IngestError(
      .foreignStorage, "\(path) was not made by this server; choose another file")
  }

  private static func number(
    _ sql: String, _ connection: SQLiteConnection
  ) throws(SQLiteError) -> Int64 {
    try connection.rows(sql) { $0.integer(0) }.first ?? 0
  }

  // `record` is the current state of each log_id, `revision` everything that was ever stored. A
  // record's arrival is that of its current revision, so that who reads on gets a revised record
  // again. Arrival numbers come from `state`: SQLite would use the last one again after a deletion.
  private static let tables = """
    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    CREATE TABLE state(
      one INTEGER PRIMARY KEY CHECK (one = 1), arrival INTEGER NOT NULL, created INTEGER NOT NULL,
      duplicates INTEGER NOT NULL, revised INTEGER NOT NULL, rejected INTEGER NOT NULL) STRICT;
    INSERT INTO state VALUES (1, 0, 0, 0, 0, 0);
    CREATE TABLE user(
      number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      organization TEXT NOT NULL, uid TEXT NOT NULL, created_at INTEGER NOT NULL,
      UNIQUE (organization, uid)) STRICT;
    CREATE TABLE token(
      digest BLOB PRIMARY KEY, user INTEGER NOT NULL REFERENCES user(number),
      created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE record(
      number INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL REFERENCES user(number),
      log_id TEXT NOT NULL, created_at INTEGER NOT NULL, revision INTEGER NOT NULL,
      arrival INTEGER NOT NULL, digest BLOB NOT NULL, UNIQUE (user, log_id)) STRICT;
    CREATE UNIQUE INDEX record_by_arrival ON record(user, arrival);
    CREATE TABLE revision(
      arrival INTEGER PRIMARY KEY, record INTEGER NOT NULL REFERENCES record(number),
      revision INTEGER NOT NULL, received_at INTEGER NOT NULL, body BLOB NOT NULL,
      UNIQUE (record, revision)) STRICT;
    CREATE TABLE rejection(
      number INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL REFERENCES user(number),
      received_at INTEGER NOT NULL, log_id TEXT, code TEXT NOT NULL, message TEXT NOT NULL,
      path TEXT, offset INTEGER, octets INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
    """
}
