// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// The tables of the session's file.
enum OutboxSchema {
  /// `PRAGMA user_version` of the files that this library writes.
  static let version: Int64 = 1

  static let pageSize = 4096

  /// The log is moved into the database before the next transaction once it has this many pages.
  ///
  /// This bounds what draining a full disk needs.
  static let logPages = 64

  static let pragmas = """
    PRAGMA page_size = \(pageSize);
    PRAGMA journal_size_limit = \(logPages * pageSize);
    """

  /// Makes the tables, inside the current transaction; refuses a file of another version.
  ///
  /// - Parameters:
  ///   - database: The file.
  ///   - credentials: Where the key is.
  ///   - hasSession: Whether a session exists that the file must know.
  /// - Returns: The seal of the rows.
  /// - Throws: `SQLiteError` of damage when the file has lost its tables, ``SessionError`` when a
  ///   newer version has written it or the key is not its own.
  static func prepare(
    _ database: SQLiteDatabase, in credentials: any CredentialStoring, hasSession: Bool
  ) throws -> RowSeal {
    let found = try database.integer("PRAGMA user_version")
    guard found <= version else {
      throw SessionError(
        .storageIsNewer,
        "the file has version \(found), this library knows \(version); update the library")
    }
    guard found >= 0 else { throw SQLiteError.damaged("the file has no version") }
    let isNew = found == 0
    guard !isNew || !hasSession else { throw SQLiteError.damaged("the file has lost its tables") }
    if isNew { try database.execute(tables) }
    try check(database)
    let seal = try OutboxKey.seal(of: database, isNew: isNew, in: credentials)
    if isNew { try database.execute("PRAGMA user_version = \(version)") }
    return seal
  }

  /// Tables with all their columns in the order of creation; the first is the row's number.
  static let columns: KeyValuePairs = [
    "session": [
      "id", "owner", "name", "validated", "ended", "reason", "archive", "token_removed",
      "offline", "digest", "refused_by", "archive_discarded",
    ],
    "q": ["seq", "log_id", "attempts", "not_before", "sum", "body", "held"],
    "ev": ["id", "kind", "log_id", "server_id", "err", "body"],
    "quarantine": ["id", "log_id", "session", "at", "err", "body"],
    "image": [
      "id", "log_id", "session", "sha256", "type", "size", "attempts", "not_before", "err",
      "released",
    ],
    "transfer": ["number", "id", "session", "content"],
    "state": ["id", "source", "device", "key", "position", "value", "settled", "reached"],
  ]

  /// Checks the text in which the file keeps its own tables for damage.
  ///
  /// Pages have no checksum, and a changed letter in a column's name is not an error to SQLite.
  private static func check(_ database: SQLiteDatabase) throws(SQLiteError) {
    for (table, columns) in columns {
      let names = columns.joined(separator: ", ")
      let values = columns.map { _ in "?" }.joined(separator: ", ")
      // Compiled with the triggers of the table, and not run.
      for sql in [
        "SELECT \(names) FROM \(table)", "INSERT INTO \(table)(\(names)) VALUES(\(values))",
        "DELETE FROM \(table) WHERE \(columns[0]) = ?",
      ] {
        _ = try database.prepare(sql)
      }
    }
  }

  /// Gives later events higher numbers than one that was delivered before by this process.
  static func numberEvents(
    after last: Int64, in database: SQLiteDatabase
  ) throws(SQLiteError) {
    try number("ev", after: last, in: database)
  }

  /// Gives later rows of a table higher numbers than one that was used before.
  static func number(
    _ table: String, after last: Int64, in database: SQLiteDatabase
  ) throws(SQLiteError) {
    try database.prepare(
      """
      INSERT INTO sqlite_sequence(name, seq) SELECT ?1, 0
      WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
      """
    ).run(.text(table))
    try database.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?")
      .run(.integer(last), .text(table))
  }

  /// Releases images whose record neither waits nor was refused, and cannot be in an archive.
  static let releaseImages = """
    UPDATE image SET released = 1 WHERE NOT released
      AND session NOT IN (SELECT id FROM session WHERE archive IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM q WHERE q.log_id = image.log_id)
      AND NOT EXISTS (SELECT 1 FROM quarantine WHERE quarantine.log_id = image.log_id)
    """

  /// Takes positions back to what was read for earlier users: rows for which they vouch are lost.
  static let takePositionsBack = """
    UPDATE state SET reached = coalesce(reached, value), value = settled WHERE position;
    """

  // log_id is the record's name, see `RowSeal.name`. q: the queue; its rows belong to the current
  // session, and held ones wait for approval. ev: events to deliver. quarantine: what the server
  // refused and what was damaged on disk. session.refused_by: the server whose refusal has ended
  // it; archive_discarded: its archive is no longer needed. seal: a sample that only the right key opens; its
  // generation is unique to each file that is made. image: files to send once the server has their
  // record (released), or refused ones. image_bytes: their size, kept by the triggers. state: what
  // sources keep; device is its name, position says that the value vouches for records, settled
  // what it was when the last session ended, reached where it was
  // before it was taken back: should the session end there, that is settled. There is no
  // counter of rows: it would cost every commit another page.
  private static let tables = """
    CREATE TABLE q(
      seq INTEGER PRIMARY KEY AUTOINCREMENT, log_id BLOB NOT NULL UNIQUE,
      attempts INTEGER NOT NULL DEFAULT 0, not_before INTEGER NOT NULL DEFAULT 0,
      sum INTEGER NOT NULL, body BLOB NOT NULL, held INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX q_wait ON q(not_before) WHERE not_before > 0;
    CREATE TABLE ev(
      id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, log_id BLOB NOT NULL,
      server_id TEXT, err BLOB, body BLOB);
    CREATE TABLE quarantine(
      id INTEGER PRIMARY KEY AUTOINCREMENT, log_id BLOB NOT NULL, session INTEGER NOT NULL,
      at INTEGER NOT NULL, err BLOB, body BLOB NOT NULL);
    CREATE TABLE session(
      id INTEGER PRIMARY KEY AUTOINCREMENT, owner BLOB, name BLOB,
      validated INTEGER NOT NULL DEFAULT 0, ended INTEGER, reason TEXT, archive TEXT,
      token_removed INTEGER NOT NULL DEFAULT 0, offline INTEGER NOT NULL DEFAULT 0, digest BLOB,
      refused_by TEXT, archive_discarded INTEGER NOT NULL DEFAULT 0);
    CREATE UNIQUE INDEX session_current ON session(ended IS NULL) WHERE ended IS NULL;
    CREATE TABLE seal(
      id INTEGER PRIMARY KEY CHECK (id = 1), sample BLOB NOT NULL, digest BLOB NOT NULL,
      messages INTEGER NOT NULL DEFAULT 0, generation BLOB NOT NULL DEFAULT (randomblob(16)));
    CREATE TABLE image(
      id INTEGER PRIMARY KEY AUTOINCREMENT, log_id BLOB NOT NULL, session INTEGER NOT NULL,
      sha256 TEXT NOT NULL, type TEXT NOT NULL, size INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0, not_before INTEGER NOT NULL DEFAULT 0, err BLOB,
      released INTEGER NOT NULL DEFAULT 0, UNIQUE (log_id, sha256));
    CREATE INDEX image_file ON image(sha256);
    CREATE TABLE state(
      id INTEGER PRIMARY KEY, source TEXT NOT NULL, device BLOB NOT NULL, key TEXT NOT NULL,
      position INTEGER NOT NULL DEFAULT 0, value BLOB, settled BLOB, reached BLOB,
      UNIQUE (device, key));
    CREATE TABLE transfer(
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session INTEGER NOT NULL,
      content BLOB NOT NULL);
    CREATE TABLE image_bytes(id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL);
    INSERT INTO image_bytes VALUES(1, 0);
    CREATE TRIGGER image_inserted AFTER INSERT ON image BEGIN
      UPDATE image_bytes SET bytes = bytes + new.size; END;
    CREATE TRIGGER image_deleted AFTER DELETE ON image BEGIN
      UPDATE image_bytes SET bytes = bytes - old.size; END;
    """
}
