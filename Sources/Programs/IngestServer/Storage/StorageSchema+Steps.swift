// SPDX-License-Identifier: Apache-2.0

extension StorageSchema {
  /// What makes each version of the one before; the first is made of an empty file.
  ///
  /// A step is never changed once a server with it is in use.
  static let steps = [firstVersion, deletionAndMedia]

  // `record` is the current state of each log_id, `revision` everything that was ever stored. A
  // record's arrival is that of its current revision, so that who reads on gets a revised record
  // again. Arrival numbers come from `state`: SQLite would use the last one again after a deletion.
  private static let firstVersion = """
    PRAGMA application_id = \(applicationID);
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

  // A deletion must leave nothing on the disk. SQLite zeroes what it deletes (`secure_delete`), but
  // when it moves rows from page to page it leaves copies, which nothing erases. So rows with content
  // are never moved: `revision` and `rejection` only grow at their end, are wiped by writing as many
  // zeros over their content, and shrink by being copied anew. For the same reason the digest of the
  // content stands in `revision`: the rows of `record` do move.
  //
  // `record.deletion` is the arrival number of its last deletion, 0 where there was none: what
  // arrived before it is wiped, and the record is deleted now if nothing arrived since.
  private static let deletionAndMedia = """
    ALTER TABLE state ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
    DROP INDEX record_by_arrival;
    ALTER TABLE record RENAME TO former_record;
    ALTER TABLE revision RENAME TO former_revision;
    CREATE TABLE record(
      number INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL REFERENCES user(number),
      log_id TEXT NOT NULL, created_at INTEGER NOT NULL, revision INTEGER NOT NULL,
      arrival INTEGER NOT NULL, deletion INTEGER NOT NULL DEFAULT 0,
      UNIQUE (user, log_id)) STRICT;
    CREATE TABLE revision(
      arrival INTEGER PRIMARY KEY, record INTEGER NOT NULL REFERENCES record(number),
      revision INTEGER NOT NULL, received_at INTEGER NOT NULL, digest BLOB NOT NULL,
      body BLOB NOT NULL, UNIQUE (record, revision)) STRICT;
    INSERT INTO record
      SELECT number, user, log_id, created_at, revision, arrival, 0 FROM former_record
      ORDER BY number;
    INSERT INTO revision
      SELECT former_revision.arrival, record, former_revision.revision, received_at,
        iif(former_record.arrival = former_revision.arrival, digest, x''), body
      FROM former_revision JOIN former_record ON number = record ORDER BY former_revision.arrival;
    DROP TABLE former_revision;
    DROP TABLE former_record;
    CREATE UNIQUE INDEX record_by_arrival ON record(user, arrival);
    CREATE UNIQUE INDEX record_by_deletion ON record(deletion) WHERE deletion > 0;
    CREATE INDEX deleted_record ON record(user) WHERE deletion = arrival;
    \(cutRejections(toLast: 1_000))
    CREATE TABLE media(
      number INTEGER PRIMARY KEY AUTOINCREMENT, record INTEGER NOT NULL REFERENCES record(number),
      digest TEXT NOT NULL, content_type TEXT NOT NULL, size INTEGER NOT NULL,
      created_at INTEGER NOT NULL, UNIQUE (record, digest)) STRICT;
    CREATE INDEX media_by_digest ON media(digest);
    """

  /// Copies the last rejections into a table of their own and drops the rest.
  static func cutRejections(toLast count: Int64) -> String {
    """
    ALTER TABLE rejection RENAME TO former_rejection;
    CREATE TABLE rejection(
      number INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL REFERENCES user(number),
      received_at INTEGER NOT NULL, log_id TEXT, code TEXT NOT NULL, message TEXT NOT NULL,
      path TEXT, offset INTEGER, octets INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
    INSERT INTO rejection SELECT * FROM former_rejection
      WHERE number > (SELECT max(number) FROM former_rejection) - \(count) ORDER BY number;
    DROP TABLE former_rejection;
    """
  }
}
