// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// The tables of the session's file.
enum OutboxSchema {
  /// `PRAGMA user_version` of the files that this library writes.
  static let version: Int64 = 2

  static let pageSize = 4096

  /// From so many pages on the log is moved into the database before there is another transaction;
  /// it bounds what draining a full disk needs.
  static let logPages = 64

  static let pragmas = """
    PRAGMA page_size = \(pageSize);
    PRAGMA journal_size_limit = \(logPages * pageSize);
    """

  /// Makes the tables or brings those of an older version up to date, inside the transaction under
  /// way; refuses a newer file.
  static func prepare(
    _ database: SQLiteDatabase, in credentials: any CredentialStoring
  ) throws -> RowSeal {
    let found = try database.integer("PRAGMA user_version")
    guard found <= version else {
      throw SessionError(
        .storageIsNewer, "the file has form \(found), this library knows \(version); update it")
    }
    if found == 0 { try database.execute(tables) }
    if found < 2 { try database.execute(additions) }
    let seal = try OutboxKey.seal(of: database, isNew: found < 2, in: credentials)
    if found == 1 { try OutboxVersion1.encrypt(database, seal) }
    if found < version { try database.execute("PRAGMA user_version = \(version)") }
    return seal
  }

  // q: the queue; its rows belong to the current session, and those held wait for a person. ev: what
  // is to be told. quarantine: what the server refused and what the disk damaged. Nothing counts rows:
  // a counter would cost every commit a page more.
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
    """

  // seal: what only the right key opens. image: files to send after their record, or refused ones.
  // image_bytes: their size, kept by the triggers.
  private static let additions = """
    DROP TRIGGER IF EXISTS q_inserted;
    DROP TRIGGER IF EXISTS q_deleted;
    DROP TRIGGER IF EXISTS q_replaced;
    DROP TABLE IF EXISTS tally;
    CREATE TABLE seal(
      id INTEGER PRIMARY KEY CHECK (id = 1), sample BLOB NOT NULL, digest BLOB NOT NULL);
    CREATE TABLE image(
      id INTEGER PRIMARY KEY AUTOINCREMENT, log_id TEXT NOT NULL, session INTEGER NOT NULL,
      sha256 TEXT NOT NULL, type TEXT NOT NULL, size INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0, not_before INTEGER NOT NULL DEFAULT 0, err BLOB,
      UNIQUE (log_id, sha256));
    CREATE INDEX image_file ON image(sha256);
    CREATE TABLE image_bytes(id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL);
    INSERT INTO image_bytes VALUES(1, 0);
    CREATE TRIGGER image_inserted AFTER INSERT ON image BEGIN
      UPDATE image_bytes SET bytes = bytes + new.size; END;
    CREATE TRIGGER image_deleted AFTER DELETE ON image BEGIN
      UPDATE image_bytes SET bytes = bytes - old.size; END;
    ALTER TABLE session ADD COLUMN offline INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN digest BLOB;
    """
}
