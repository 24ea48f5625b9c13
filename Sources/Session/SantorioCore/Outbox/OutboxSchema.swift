// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// The tables of the session's file.
enum OutboxSchema {
  /// `PRAGMA user_version` of the files that this library writes.
  static let version: Int64 = 1

  /// What one commit may leave in the log; it bounds what draining a full disk needs.
  private static let pragmas = """
    PRAGMA wal_autocheckpoint = 64;
    PRAGMA journal_size_limit = 262144;
    """

  // q: the queue; its rows belong to the current session, and those held wait for a person. ev: what is to be told. quarantine: what
  // the server refused and what the disk damaged. tally: the queue's size, kept by the triggers.
  private static let tables = """
    CREATE TABLE q(
      seq INTEGER PRIMARY KEY AUTOINCREMENT, log_id TEXT NOT NULL UNIQUE,
      attempts INTEGER NOT NULL DEFAULT 0, not_before INTEGER NOT NULL DEFAULT 0,
      sum INTEGER NOT NULL, body BLOB NOT NULL, held INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX q_wait ON q(not_before) WHERE not_before > 0;
    CREATE TABLE ev(
      id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, log_id TEXT NOT NULL,
      server_id TEXT, err TEXT, body BLOB);
    CREATE TABLE quarantine(
      id INTEGER PRIMARY KEY AUTOINCREMENT, log_id TEXT NOT NULL, session INTEGER NOT NULL,
      at INTEGER NOT NULL, err TEXT, body BLOB NOT NULL);
    CREATE TABLE session(
      id INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL, organization_id TEXT NOT NULL,
      validated INTEGER NOT NULL DEFAULT 0, ended INTEGER, reason TEXT, archive TEXT,
      token_removed INTEGER NOT NULL DEFAULT 0);
    CREATE UNIQUE INDEX session_current ON session(ended IS NULL) WHERE ended IS NULL;
    CREATE TABLE tally(
      id INTEGER PRIMARY KEY CHECK (id = 1), records INTEGER NOT NULL, bytes INTEGER NOT NULL);
    INSERT INTO tally VALUES(1, 0, 0);
    CREATE TRIGGER q_inserted AFTER INSERT ON q BEGIN
      UPDATE tally SET records = records + 1, bytes = bytes + length(new.body); END;
    CREATE TRIGGER q_deleted AFTER DELETE ON q BEGIN
      UPDATE tally SET records = records - 1, bytes = bytes - length(old.body); END;
    CREATE TRIGGER q_replaced AFTER UPDATE OF body ON q BEGIN
      UPDATE tally SET bytes = bytes - length(old.body) + length(new.body); END;
    PRAGMA user_version = 1;
    """

  /// Opens the file, makes its tables where they are missing, and refuses a newer file.
  static func open(path: String) throws(SessionError) -> SQLiteDatabase {
    let database: SQLiteDatabase
    let found: Int64
    do throws(SQLiteError) {
      database = try SQLiteDatabase(path: path)
      try database.execute(pragmas)
      // Two processes may open a new file at once: the look and the making are one transaction.
      found = try database.transaction { () throws(SQLiteError) in
        let found = try database.integer("PRAGMA user_version")
        if found == 0 { try database.execute(tables) }
        return found
      }
    } catch {
      throw SessionError(error)
    }
    guard found <= version else {
      throw SessionError(
        .storageIsNewer, "the file has form \(found), this library knows \(version); update it")
    }
    return database
  }
}
