// SPDX-License-Identifier: Apache-2.0

/// The tables of the health store.
///
/// Rows of `sample` and of `deletion` share one sequence of numbers, in the order in which they were
/// added: a query's anchor is the number of the last row that it delivered.
///
/// Times are seconds since 1 January 2001, UTC. A value has the unit of its row. A sample without a
/// UUID has the one that follows from what it says, see ``SampleIdentity``; `copy` counts the samples
/// that say exactly the same as an earlier one.
enum HealthSchema {
  /// The number of this form of the tables, in the file's `user_version`.
  static let version: Int64 = 1

  static let tables = """
    CREATE TABLE type(
      id INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, unit TEXT,
      first INTEGER, last INTEGER, longest REAL NOT NULL DEFAULT 0);
    CREATE TABLE unit(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
    CREATE TABLE source(
      id INTEGER PRIMARY KEY, bundle TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
    CREATE TABLE revision(
      id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source, version TEXT,
      product TEXT, system TEXT NOT NULL);
    CREATE TABLE device(id INTEGER PRIMARY KEY, facts TEXT NOT NULL UNIQUE);
    CREATE TABLE metadata(id INTEGER PRIMARY KEY, text TEXT NOT NULL);
    CREATE TABLE sample(
      id INTEGER PRIMARY KEY, type INTEGER NOT NULL, start REAL NOT NULL, end REAL NOT NULL,
      value REAL NOT NULL, unit INTEGER, revision INTEGER NOT NULL, device INTEGER,
      metadata INTEGER, copy INTEGER, uuid BLOB, detail TEXT);
    CREATE INDEX sample_time ON sample(type, start);
    CREATE UNIQUE INDEX sample_uuid ON sample(uuid) WHERE uuid IS NOT NULL;
    CREATE TABLE deletion(
      id INTEGER PRIMARY KEY, type INTEGER NOT NULL, start REAL NOT NULL, end REAL NOT NULL,
      value REAL NOT NULL, unit INTEGER, revision INTEGER NOT NULL, device INTEGER,
      metadata INTEGER, copy INTEGER, uuid BLOB, detail TEXT);
    CREATE TABLE member(
      whole INTEGER NOT NULL, part INTEGER NOT NULL, PRIMARY KEY(whole, part)) WITHOUT ROWID;
    CREATE INDEX member_part ON member(part);
    CREATE TABLE expected_part(
      whole INTEGER NOT NULL, type INTEGER NOT NULL, start REAL NOT NULL, end REAL NOT NULL,
      value REAL NOT NULL, unit INTEGER, revision INTEGER NOT NULL, device INTEGER,
      metadata INTEGER);
    CREATE TABLE synchronized(
      source INTEGER NOT NULL, identifier TEXT NOT NULL, version REAL NOT NULL,
      sample INTEGER NOT NULL, PRIMARY KEY(source, identifier)) WITHOUT ROWID;
    CREATE TABLE activity_summary(day TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE state(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    """
}
