// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite
import Testing

@testable import IngestServer

@Suite struct `Storage of version 1` {
  private let folder: TemporaryFolder
  private let alice = Account(number: 1, id: "86418160", organization: "acme", uid: "alice")

  init() throws {
    folder = try TemporaryFolder()
    try SQLiteDatabase(path: folder.storage).execute(Self.versionOne)
  }

  // What a server of version 1 made of five records and one item that it rejected, by its own SQL.
  private static let versionOne = """
    PRAGMA application_id = 1397642322;
    PRAGMA user_version = 1;
    CREATE TABLE state(
      one INTEGER PRIMARY KEY CHECK (one = 1), arrival INTEGER NOT NULL, created INTEGER NOT NULL,
      duplicates INTEGER NOT NULL, revised INTEGER NOT NULL, rejected INTEGER NOT NULL) STRICT;
    INSERT INTO state VALUES (1, 5, 4, 1, 1, 1);
    CREATE TABLE user(
      number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      organization TEXT NOT NULL, uid TEXT NOT NULL, created_at INTEGER NOT NULL,
      UNIQUE (organization, uid)) STRICT;
    INSERT INTO user VALUES (1, '86418160', 'acme', 'alice', 1795267716243);
    CREATE TABLE token(
      digest BLOB PRIMARY KEY, user INTEGER NOT NULL REFERENCES user(number),
      created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO token VALUES (x'0102', 1, 1795267716243);
    CREATE TABLE record(
      number INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL REFERENCES user(number),
      log_id TEXT NOT NULL, created_at INTEGER NOT NULL, revision INTEGER NOT NULL,
      arrival INTEGER NOT NULL, digest BLOB NOT NULL, UNIQUE (user, log_id)) STRICT;
    CREATE UNIQUE INDEX record_by_arrival ON record(user, arrival);
    INSERT INTO record VALUES (1, 1, 'a', 1795267716612, 2, 3,
      x'BAD9BF9A6AEE7E11F76A0ED3B4F25A1C65BCC4091EEA225BDF83F9FA4671CCB6');
    INSERT INTO record VALUES (2, 1, 'b', 1795267716625, 1, 2,
      x'6DF7D46E8D580CE8350A6F670FB941317659FEF2B19B94C00EF8B2AD6B77D371');
    INSERT INTO record VALUES (3, 1, 'c', 1795267716653, 1, 4,
      x'CA4B4E3998076380B7EC27585634F3009DD9D79C08E22903FB103386731823B3');
    INSERT INTO record VALUES (4, 1, 'd', 1795267716667, 1, 5,
      x'E547CA2B40DEFC6FBDF899BCA0E2EBA7CA841AA5F396230B493E434BF960B8AD');
    CREATE TABLE revision(
      arrival INTEGER PRIMARY KEY, record INTEGER NOT NULL REFERENCES record(number),
      revision INTEGER NOT NULL, received_at INTEGER NOT NULL, body BLOB NOT NULL,
      UNIQUE (record, revision)) STRICT;
    INSERT INTO revision VALUES (1, 1, 1, 1795267716612, CAST('\(reading("a"))' AS BLOB));
    INSERT INTO revision VALUES (2, 2, 1, 1795267716625, CAST('\(reading("b"))' AS BLOB));
    INSERT INTO revision VALUES (3, 1, 2, 1795267716634,
      CAST('\(reading("a", systolic: 125))' AS BLOB));
    INSERT INTO revision VALUES (4, 3, 1, 1795267716653,
      CAST('\(reading("c", systolic: 110))' AS BLOB));
    INSERT INTO revision VALUES (5, 4, 1, 1795267716667, CAST('\(detailed)' AS BLOB));
    CREATE TABLE rejection(
      number INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL REFERENCES user(number),
      received_at INTEGER NOT NULL, log_id TEXT, code TEXT NOT NULL, message TEXT NOT NULL,
      path TEXT, offset INTEGER, octets INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
    INSERT INTO rejection VALUES (1, 1, 1795267716681, 'e', 'missing',
      'this member is required', 'metrics', NULL, 14, CAST('{"log_id":"e"}' AS BLOB));
    """

  private static let detailed = reading(
    "d", systolic: 100,
    more: #","time":{"origin":"device","device_time":"2026-03-04T06:06:07"},"#
      + #""tags":[{"name":"irregular_pulse","value":"true"}],"#
      + #""user_notes":[{"type":"message","value":"after lunch"}]"#)

  private func schema() throws -> [String] {
    try SQLiteDatabase(path: folder.storage).prepare(
      "SELECT name || ' ' || ifnull(sql, '') FROM sqlite_schema ORDER BY name"
    ).all { $0.text(0) }
  }

  @Test func `opens and keeps all that it had`() throws {
    let store = try SQLiteRecordStore(path: folder.storage)

    #expect(try store.account(tokenDigest: [1, 2]) == alice)
    #expect(
      try store.totals()
        == Totals(arrival: 5, created: 4, duplicates: 1, revised: 1, rejected: 1, deleted: 0))
    let records = try store.records(of: alice, after: 0, limit: 10)
    #expect(records.map(\.arrival) == [2, 3, 4, 5])
    #expect(records.map(\.id) == [2, 1, 3, 4])
    #expect(records.map(\.revision) == [1, 2, 1, 1])
    #expect(
      records.map(\.createdMilliseconds)
        == [1_795_267_716_625, 1_795_267_716_612, 1_795_267_716_653, 1_795_267_716_667])
    #expect(
      records.map { String(decoding: $0.octets, as: UTF8.self) }
        == [reading("b"), reading("a", systolic: 125), reading("c", systolic: 110), Self.detailed])
    #expect(try store.arrivals(after: 0, limit: 10).map(\.number) == [1, 2, 3, 4, 5])
    let rejected = try SQLiteDatabase(path: folder.storage).prepare("SELECT body FROM rejection")
      .all { $0.text(0) }
    #expect(rejected == [#"{"log_id":"e"}"#])
  }

  @Test func `knows its records again when they come again`() throws {
    let store = try SQLiteRecordStore(path: folder.storage)
    let again = [
      reading("a", systolic: 125), reading("b"), reading("c", systolic: 110), Self.detailed,
      reading("a"), reading("new"),
    ]

    let items = again.map { BatchItem(Array($0.utf8), line: nil) }
    let outcome = try store.commit([.store(items, of: alice, at: Date())]).first

    #expect(
      outcome.flatMap { outcome -> [ItemResult]? in
        guard case .stored(let results) = outcome else { return nil }
        return results
      } == [
        .duplicate(logID: "a", id: 1, revision: 2), .duplicate(logID: "b", id: 2, revision: 1),
        .duplicate(logID: "c", id: 3, revision: 1), .duplicate(logID: "d", id: 4, revision: 1),
        .revised(logID: "a", id: 1, revision: 3), .created(logID: "new", id: 5, revision: 1),
      ])
  }

  @Test func `lets its records be deleted with nothing left`() throws {
    let store = try SQLiteRecordStore(path: folder.storage)

    _ = try store.commit([.delete(logID: "d", of: alice)])

    #expect(try !folder.holds("after lunch"))
    #expect(try store.record(of: alice, logID: "d") == nil)
    #expect(try store.record(of: alice, logID: "c") != nil)
  }

  @Test func `has the tables of a new file afterwards, and stays so`() throws {
    _ = try SQLiteRecordStore(path: folder.storage)
    let migrated = try schema()
    let new = try TemporaryFolder()
    _ = try SQLiteRecordStore(path: new.storage)
    let fresh = try SQLiteDatabase(path: new.storage).prepare(
      "SELECT name || ' ' || ifnull(sql, '') FROM sqlite_schema ORDER BY name"
    ).all { $0.text(0) }

    #expect(migrated == fresh)
    _ = try SQLiteRecordStore(path: folder.storage)
    #expect(try schema() == migrated)
    let database = try SQLiteDatabase(path: folder.storage)
    #expect(try database.integer("PRAGMA user_version") == 2)
    #expect(try database.prepare("PRAGMA foreign_key_check").all { $0.text(0) } == [])
    #expect(try database.prepare("PRAGMA integrity_check").all { $0.text(0) } == ["ok"])
  }

  @Test func `stays as it was when it cannot be brought forward`() throws {
    let database = try SQLiteDatabase(path: folder.storage)
    try database.execute("CREATE TABLE media(theirs)")

    let error = #expect(throws: IngestError.self) { try SQLiteRecordStore(path: folder.storage) }

    #expect(error?.code == .unavailable)
    #expect(try database.integer("PRAGMA user_version") == 1)
    #expect(try database.integer("SELECT count(*) FROM record WHERE digest IS NOT NULL") == 4)
  }
}
