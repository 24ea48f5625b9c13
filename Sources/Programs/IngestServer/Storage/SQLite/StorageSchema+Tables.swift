// SPDX-License-Identifier: Apache-2.0

extension StorageSchema {
  // A deletion must leave nothing on disk. SQLite zeroes what it deletes (`secure_delete`), but
  // when it moves rows between pages it leaves copies that are never erased. So rows with content
  // are never moved: `user`, `revision` and `rejection` only grow at their end, are wiped by
  // overwriting their content with as many zeros, and shrink by being copied to a new table. The
  // rows of all other tables may move and have no content: instead of a `log_id` or `uid` they
  // have keyed names, see `KeyedName`.
  //
  // state: one row; `secret` is the key for the names of users.
  // user: `name_key` is the key for the names of the user's records.
  // counter: how many records, images and rejected items a user ever had, and the last position
  //   given to a record. Clients see only numbers within their user: global ones would reveal
  //   something about other users.
  // token: the tokens of users, or of an organisation's administrators if `user` is NULL.
  //   `revoked_at` may be in the future; `is_revoked` holds regardless of the clock.
  // record: one row for each log_id. `arrival` is that of its current revision or of its deletion,
  //   whichever is later; `deletion` is that of its last deletion, or 0: revisions with an earlier
  //   arrival are wiped. `revision` is the number of the last one, even if it is superseded.
  //   `withdrawn` is when its deletion at the source was noticed, in milliseconds since 1970, while that
  //   deletion is its current revision, else 0. `changed` is the latest time at which a content of it
  //   says that it was changed, or 0.
  // revision: everything ever stored, in order of arrival; a `tombstone` is a deletion at the source and
  //   holds its bytes. Arrival numbers come from `state`:
  //   SQLite would reuse the last one after a deletion.
  // owed_removal: images that no record has any more, until their files are removed.
  // audit: who did what, each line with the hash of itself and all previous ones.
  // rejection: `wiped` takes the same space whether it is 0 or 1.
  // applied_erasure: the lines of the erasure journal that this file has seen.
  static let tables = """
    PRAGMA application_id = \(applicationID);
    CREATE TABLE state(
      one INTEGER PRIMARY KEY CHECK (one = 1), arrival INTEGER NOT NULL, created INTEGER NOT NULL,
      duplicates INTEGER NOT NULL, revised INTEGER NOT NULL, superseded INTEGER NOT NULL,
      rejected INTEGER NOT NULL, deleted INTEGER NOT NULL, secret BLOB NOT NULL) STRICT;
    CREATE TABLE user(
      number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, organization TEXT NOT NULL,
      created_at INTEGER NOT NULL, uid BLOB NOT NULL, name_key BLOB NOT NULL) STRICT;
    CREATE UNIQUE INDEX user_by_id ON user(organization, id);
    CREATE TABLE user_name(
      organization TEXT NOT NULL, name BLOB NOT NULL, user INTEGER NOT NULL REFERENCES user(number),
      PRIMARY KEY (organization, name)) STRICT, WITHOUT ROWID;
    CREATE TABLE erased_user(
      user INTEGER PRIMARY KEY REFERENCES user(number), arrival INTEGER NOT NULL UNIQUE) STRICT;
    CREATE TABLE counter(
      user INTEGER PRIMARY KEY REFERENCES user(number), records INTEGER NOT NULL,
      position INTEGER NOT NULL, images INTEGER NOT NULL, rejections INTEGER NOT NULL) STRICT;
    CREATE TABLE token(
      number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, digest BLOB NOT NULL UNIQUE,
      organization TEXT NOT NULL, user INTEGER REFERENCES user(number), scopes INTEGER NOT NULL,
      label TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER,
      is_revoked INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE INDEX token_by_holder ON token(organization, user);
    CREATE TABLE record(
      number INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL REFERENCES user(number),
      name BLOB NOT NULL, ordinal INTEGER NOT NULL, position INTEGER NOT NULL,
      created_at INTEGER NOT NULL, revision INTEGER NOT NULL, arrival INTEGER NOT NULL,
      corrected INTEGER NOT NULL DEFAULT 0, deletion INTEGER NOT NULL DEFAULT 0,
      withdrawn INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0,
      UNIQUE (user, name)) STRICT;
    CREATE UNIQUE INDEX record_by_position ON record(user, position);
    CREATE UNIQUE INDEX record_by_deletion ON record(deletion) WHERE deletion > 0;
    CREATE INDEX deleted_record ON record(user) WHERE deletion = arrival;
    CREATE INDEX withdrawn_record ON record(user) WHERE withdrawn > 0;
    CREATE TABLE revision(
      arrival INTEGER PRIMARY KEY, record INTEGER NOT NULL REFERENCES record(number),
      revision INTEGER NOT NULL, received_at INTEGER NOT NULL, actor TEXT NOT NULL,
      correction INTEGER NOT NULL, superseded INTEGER NOT NULL, tombstone INTEGER NOT NULL,
      digest BLOB NOT NULL, body BLOB NOT NULL, UNIQUE (record, revision)) STRICT;
    \(rejectionTable)
    CREATE TABLE media(
      number INTEGER PRIMARY KEY AUTOINCREMENT, record INTEGER NOT NULL REFERENCES record(number),
      ordinal INTEGER NOT NULL, digest TEXT NOT NULL, content_type TEXT NOT NULL, size INTEGER NOT NULL,
      created_at INTEGER NOT NULL, UNIQUE (record, digest)) STRICT;
    CREATE INDEX media_by_digest ON media(digest);
    CREATE TABLE owed_removal(digest TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE audit(
      number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL,
      address TEXT NOT NULL, action TEXT NOT NULL, organization TEXT NOT NULL, user TEXT NOT NULL,
      detail TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
    CREATE INDEX audit_by_user ON audit(user, number);
    CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN
      SELECT RAISE(ABORT, 'a line of the audit log is never changed'); END;
    CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit BEGIN
      SELECT RAISE(ABORT, 'a line of the audit log is never removed'); END;
    CREATE TABLE applied_erasure(id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    """

  private static let rejectionTable = """
    CREATE TABLE rejection(
      number INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL REFERENCES user(number),
      ordinal INTEGER NOT NULL, received_at INTEGER NOT NULL, wiped INTEGER NOT NULL, name BLOB, code TEXT NOT NULL,
      message TEXT NOT NULL, path TEXT, offset INTEGER, size INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
    CREATE UNIQUE INDEX rejection_by_user ON rejection(user, ordinal);
    """

  /// Copies the last rejections to a new table and drops the rest.
  static func cutRejections(toLast count: Int64) -> String {
    """
    ALTER TABLE rejection RENAME TO former_rejection;
    DROP INDEX rejection_by_user;
    \(rejectionTable)
    INSERT INTO rejection SELECT * FROM former_rejection
      WHERE number > (SELECT max(number) FROM former_rejection) - \(count) ORDER BY number;
    DROP TABLE former_rejection;
    """
  }
}
