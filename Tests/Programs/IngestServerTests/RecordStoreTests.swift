// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import Testing

@testable import IngestServer

@Suite struct `Record store` {
  private let folder: TemporaryFolder
  private let store: SQLiteRecordStore
  private let alice: Account

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteRecordStore(path: folder.storage)
    alice = try store.makeUser()
  }

  @discardableResult
  private func store(_ lines: [String], of account: Account? = nil) throws -> [ItemResult] {
    try store.store(lines, of: account ?? alice)
  }

  @Test func `stores equal content once`() throws {
    #expect(try store([reading("a")]) == [.created(logID: "a", id: 1, revision: 1)])
    #expect(try store([reading("a")]) == [.duplicate(logID: "a", id: 1, revision: 1)])

    #expect(try store.recordCount(of: alice) == 1)
    #expect(try store.totals() == Totals(arrival: 1, created: 1, duplicates: 1))
  }

  @Test func `keeps both revisions of a record`() throws {
    let results = try store([reading("a", systolic: 120), reading("a", systolic: 121)])

    #expect(
      results == [
        .created(logID: "a", id: 1, revision: 1), .revised(logID: "a", id: 1, revision: 2),
      ])
    let bodies = try store.arrivals(after: 0, limit: 10).elements.map { arrival in
      guard case .stored(let record) = arrival.event else { return [UInt8]() }
      return record.bytes
    }
    let expected = [reading("a", systolic: 120), reading("a", systolic: 121)]
    #expect(bodies == expected.map { Array($0.utf8) })
    let current = try #require(try store.record(of: alice, logID: "a"))
    #expect(current.bytes == Array(expected[1].utf8))
    #expect(current.revision == 2)
    #expect(try store.recordCount(of: alice) == 1)
  }

  @Test(
    arguments: [
      #","time":{"origin":"device","received":"2026-03-04T06:00:00Z"}"#,
      #","time":{"origin":"received","clock_drift":3}"#,
      #","unknown":[1,2,3]"#,
      #","tags":[],"user_notes":null"#,
    ])
  func `treats a record as a duplicate when only its circumstances differ`(more: String) throws {
    try store([reading("a")])

    #expect(try store([reading("a", more: more)]).first?.status == "duplicate")
  }

  @Test func `treats a record as a duplicate when only the battery level differs`() throws {
    let sources = [#""device":{"battery":90}"#, #""device":{"battery":85}"#].map {
      reading("a").replacing(#""bluetooth""#, with: #""bluetooth",\#($0)"#)
    }

    #expect(try store(sources).map(\.status) == ["created", "duplicate"])
  }

  @Test(
    arguments: [
      reading("a", systolic: 121),
      reading("a").replacing("measurement", with: "summary"),
      reading("a").replacing("05:06:07", with: "05:06:08"),
      reading("a").replacing("mmHg", with: "kPa"),
      reading("a", more: #","end_time":"2026-03-04T05:06:08Z""#),
      reading("a", more: #","utc_offset":0"#),
      reading("a", more: #","tags":[{"name":"irregular_pulse","value":"true"}]"#),
      reading("a", more: #","user_notes":[{"type":"message","value":"after lunch"}]"#),
    ])
  func `creates a revision when the measured content differs`(other: String) throws {
    try store([reading("a")])

    #expect(try store([other]).first?.status == "revised")
  }

  @Test func `separates records of two users with the same log_id`() throws {
    let bob = try store.makeUser("bob")

    try store([reading("a")])

    #expect(try store([reading("a")], of: bob) == [.created(logID: "a", id: 1, revision: 1)])
    #expect(try store.record(of: bob, logID: "a")?.bytes == Array(reading("a").utf8))
    #expect(try store.recordCount(of: alice) == 1)
  }

  @Test func `finds an existing user and adds a token`() throws {
    let user = NewUser(organization: "acme", uid: "alice", id: "other")
    let token = NewToken(id: "second", digest: [1, 2, 3])

    let outcome = try store.commit(.provision(user, token, revokesOthers: false))

    guard case .provisioned(let account, let issued) = outcome else {
      throw IngestError(.unavailable, "")
    }
    #expect(account == alice)
    #expect(issued.id == "second")
    #expect(try store.grant(tokenDigest: [1, 2, 3])?.holder == .user(alice))
    #expect(try store.grant(tokenDigest: Array("alice".utf8))?.holder == .user(alice))
    #expect(try store.grant(tokenDigest: [9]) == nil)
  }

  @Test func `pages in order of arrival and returns a revised record again`() throws {
    try store(["a", "b", "c"].map { reading($0) })
    let first = try store.records(of: alice, after: 0, limit: 2)
    try store([reading("a", systolic: 99)])
    let second = try store.records(of: alice, after: 2, limit: 3)

    #expect(first.elements.map(\.id) == [1, 2] && first.isCut)
    #expect(second.elements.map(\.id) == [3, 1] && !second.isCut)
    #expect(second.elements.map(\.position) == [3, 4])
    #expect(try store.records(of: alice, after: 4, limit: 2).elements.isEmpty)
  }

  @Test func `ends a page at its byte limit`() throws {
    try store(["a", "b", "c"].map { reading($0) })
    let size = reading("a").utf8.count

    func count(_ bytes: Int) throws -> Int {
      try store.records(of: alice, after: 0, limit: PageLimit(count: 9, bytes: bytes)).elements
        .count
    }

    #expect(try [1, size, size + 1, 2 * size, 9 * size].map(count) == [1, 1, 2, 2, 3])
    let limit = PageLimit(count: 9, bytes: size)
    #expect(try store.records(of: alice, after: 0, limit: limit).isCut)
    #expect(try !store.records(of: alice, after: 2, limit: limit).isCut)
    #expect(try store.arrivals(after: 0, limit: limit).elements.count == 1)
  }

  // What is numbered over all users would tell each of them how busy the others are.
  @Test func `numbers a user's items independently of other users`() throws {
    let bob = try store.makeUser("bob")
    for round in 0..<3 {
      try store([reading("r\(round)"), "{}"])
      try store([reading("r\(round)"), "{}"], of: bob)
    }

    for account in [alice, bob] {
      let records = try store.records(of: account, after: 0, limit: 9).elements
      #expect(records.map(\.id) == [1, 2, 3] && records.map(\.position) == [1, 2, 3])
      #expect(
        try store.rejections(of: account, after: 0, limit: 9).elements.map(\.number) == [1, 2, 3])
    }
  }

  @Test(arguments: [SQLiteRecordStore.page, SQLiteRecordStore.arrivals])
  func `pages by an index, without sorting or scanning`(sql: String) throws {
    let plan = try SQLiteDatabase(path: folder.storage).prepare("EXPLAIN QUERY PLAN " + sql)
      .all { $0.text(3) }

    #expect(!plan.isEmpty)
    let wanted = ["SEARCH ", "USING ROWID SEARCH", "MERGE (UNION ALL)", "LEFT", "RIGHT"]
    #expect(plan.allSatisfy { step in wanted.contains { step.hasPrefix($0) } })
  }

  @Test func `continues numbering after it was reopened`() throws {
    try store([reading("a"), "{}"])

    let again = try SQLiteRecordStore(path: folder.storage)

    #expect(try again.totals() == Totals(arrival: 1, created: 1, rejected: 1))
    #expect(try again.record(of: alice, logID: "a")?.bytes == Array(reading("a").utf8))
    #expect(try again.grant(tokenDigest: Array("alice".utf8))?.holder == .user(alice))
  }

  @Test func `keeps the last thousand rejected items, and counts all`() throws {
    for _ in 0..<4 { try store(Array(repeating: #"{"log_id":"y"}"#, count: 500)) }
    try store([#"{"log_id":"x"}"#])

    let database = try SQLiteDatabase(path: folder.storage)
    let rows = try database.prepare(
      "SELECT (SELECT count(*) FROM rejection), code, path, body FROM rejection"
        + " WHERE number = (SELECT max(number) FROM rejection)"
    ).all { row in [String(row.integer(0))] + (1...3).map { row.text($0) } }
    #expect(rows == [["1000", "missing", "metrics", #"{"log_id":"x"}"#]])
    #expect(try store.totals().rejected == 2_001)
  }

  @Test func `stores nothing of a failed transaction`() throws {
    let ghost = Account(
      number: 99, id: "ghost", organization: "acme", uid: "ghost", nameKey: [1],
      created: .testing)
    let items = [BatchItem(Array(reading("a").utf8), line: 1)]

    #expect(throws: IngestError.self) {
      try store.commit([
        Change(.store(items, of: alice), at: .testing),
        Change(.store(items, of: ghost), at: .testing),
      ])
    }
    #expect(try store.totals() == Totals())
    #expect(try store.recordCount(of: alice) == 0)
  }

  @Test func `is readable by its owner only`() throws {
    for name in [folder.storage, folder.storage + "-wal"] {
      let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions]
      #expect(mode as? NSNumber == 0o600)
    }
  }

  @Test func `rejects a file of a newer version`() throws {
    try SQLiteDatabase(path: folder.storage).execute("PRAGMA user_version = 2")

    let error = #expect(throws: IngestError.self) { try SQLiteRecordStore(path: folder.storage) }
    #expect(error?.code == .newerStorage)
  }

  @Test func `rejects another program's database and does not change it`() throws {
    let path = folder.path + "/other.sqlite"
    try SQLiteDatabase(path: path).execute("CREATE TABLE theirs(x)")

    let error = #expect(throws: IngestError.self) { try SQLiteRecordStore(path: path) }
    #expect(error?.code == .foreignStorage)
    let tables = try SQLiteDatabase(path: path).prepare("SELECT name FROM sqlite_schema")
      .all { $0.text(0) }
    #expect(tables == ["theirs"])
  }

  @Test func `rejects a file that is not a database`() throws {
    let path = folder.path + "/notes.txt"
    let text = String(repeating: "These are notes. ", count: 100)
    try text.write(toFile: path, atomically: false, encoding: .utf8)

    let error = #expect(throws: IngestError.self) { try SQLiteRecordStore(path: path) }
    #expect(error?.code == .foreignStorage)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func `names a missing folder in the error`() throws {
    let error = #expect(throws: IngestError.self) {
      try SQLiteRecordStore(path: "/nowhere/store.sqlite")
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("/nowhere/store.sqlite") == true)
  }
}
