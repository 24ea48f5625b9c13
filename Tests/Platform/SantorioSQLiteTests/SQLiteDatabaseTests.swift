// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite
import Testing

@Suite final class `SQLite database` {
  let folder = FileManager.default.temporaryDirectory.path + "/sqlite-\(UUID().uuidString)"
  var path: String { folder + "/a.sqlite" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func filled() throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: path)
    try database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x UNIQUE, y)")
    return database
  }

  @Test func `works in WAL mode with full synchronisation`() throws {
    let database = try SQLiteDatabase(path: path)

    #expect(try database.prepare("PRAGMA journal_mode").first { $0.text(0) } == "wal")
    #expect(try database.integer("PRAGMA synchronous") == 2)
    #expect(try database.integer("PRAGMA foreign_keys") == 1)
  }

  @Test(arguments: [
    SQLiteValue.null, .integer(-9_223_372_036_854_775_808), .real(0.1), .text("Ä\u{0}b"),
    .text(""), .blob([0, 255]), .blob([]),
  ])
  func `returns bound values`(value: SQLiteValue) throws {
    let database = try filled()

    try database.prepare("INSERT INTO t(y) VALUES(?)").run(value)

    let read = try database.prepare("SELECT y, typeof(y) FROM t").first {
      (row: SQLiteRow) -> SQLiteValue in
      switch row.text(1) {
      case "integer": SQLiteValue.integer(row.integer(0))
      case "real": .real(row.real(0))
      case "text": .text(row.text(0))
      case "blob": .blob(row.blob(0))
      default: .null
      }
    }
    #expect(read == value)
  }

  @Test func `inserts many rows with one statement`() throws {
    let database = try filled()
    let insertion = try database.prepare(
      "INSERT INTO t(x, id, y) VALUES(?, ?, ?), (?, ?, ?), (?, ?, ?) ON CONFLICT DO NOTHING")
    var rows = SQLiteRows()
    let values: [(String, Int64, [UInt8])] = [
      ("a", 5, [1, 2]), ("Ä\u{0}b", -1, []), ("a", 6, [3]),
    ]
    for (text, number, bytes) in values {
      rows.append(Array(text.utf8)) { memory in
        memory += bytes
        return number
      }
    }

    #expect(try insertion.run(rows) == 2)
    #expect(try insertion.run(rows) == 0)

    let read = try database.prepare("SELECT x, id, y FROM t ORDER BY id").all {
      "\($0.text(0)) \($0.integer(1)) \($0.blob(2)) \($0.isNull(2))"
    }
    #expect(read == ["Ä\u{0}b -1 [] false", "a 5 [1, 2] false"])
  }

  @Test func `rejects all rows when one breaks a constraint`() throws {
    let database = try SQLiteDatabase(path: path)
    try database.execute("CREATE TABLE t(x, y CHECK(y < 10), z)")
    var rows = SQLiteRows()
    rows.append([1]) { _ in 1 }
    rows.append([2]) { _ in 10 }

    let insertion = try database.prepare("INSERT INTO t VALUES(?, ?, ?), (?, ?, ?)")

    #expect(throws: SQLiteError.self) { try insertion.run(rows) }
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
    var others = SQLiteRows()
    others.append([3]) { _ in 2 }
    others.append([4]) { _ in 3 }
    #expect(try insertion.run(others) == 2)
  }

  @Test func `reads one row of many`() throws {
    let database = try filled()
    let insertion = try database.prepare("INSERT INTO t(x, id, y) VALUES(?, ?, ?)")
    var rows = SQLiteRows(capacity: 2, bytes: 100)
    for (text, bytes) in [("first", [1]), ("second", [2, 3])] as [(String, [UInt8])] {
      rows.append(Array(text.utf8)) { memory in
        memory += bytes
        return Int64(bytes.count)
      }
    }

    #expect(try insertion.run(rows, row: 1) == 1)

    let read = try database.prepare("SELECT x, id, y FROM t").all {
      "\($0.text(0)) \($0.integer(1)) \($0.blob(2))"
    }
    #expect(read == ["second 2 [2, 3]"])
    #expect(rows.count == 2)
    #expect(rows.byteCount == 14)
    #expect(rows.name(0) == Array("first".utf8))
    #expect(rows.bytes(0) == [1])
  }

  @Test func `counts changed rows and returns the last row ID`() throws {
    let database = try filled()
    let insertion = try database.prepare("INSERT INTO t(x) VALUES(?) ON CONFLICT DO NOTHING")

    #expect(try insertion.run(7) == 1)
    #expect(try insertion.run(7) == 0)
    #expect(try insertion.run(8) == 1)
    #expect(try database.prepare("DELETE FROM t WHERE x > ?").run(0) == 2)
    #expect(database.lastInsertedID == 2)
  }

  @Test func `stops a scan when requested, and can restart it`() throws {
    let database = try filled()
    for x in 1...5 { try database.prepare("INSERT INTO t(x) VALUES(?)").run(.integer(Int64(x))) }
    let statement = try database.prepare("SELECT x FROM t ORDER BY x")
    var seen: [Int64] = []

    try statement.scan {
      seen.append($0.integer(0))
      return seen.count < 2
    }

    #expect(seen == [1, 2])
    #expect(try statement.all { $0.integer(0) } == [1, 2, 3, 4, 5])
  }

  @Test func `rolls a transaction back when its body throws`() throws {
    let database = try filled()

    #expect(throws: SQLiteError.self) {
      try database.transaction { () throws(SQLiteError) in
        try database.execute("INSERT INTO t(x) VALUES(1)")
        try database.execute("INSERT INTO t(x) VALUES(1)")
      }
    }

    #expect(try database.integer("SELECT count(*) FROM t") == 0)
    try database.transaction { () throws(SQLiteError) in
      try database.execute("INSERT INTO t(x) VALUES(1)")
    }
    #expect(try database.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `names the statement and the code of an error, never a value`() throws {
    let database = try filled()
    let insertion = try database.prepare("INSERT INTO t(x) VALUES(?)")
    try insertion.run("canary-4711")

    #expect {
      try insertion.run("canary-4711")
    } throws: { error in
      guard let error = error as? SQLiteError else { return false }
      return error.code == 19 && error.extendedCode == 2067
        && error.description.contains("INSERT INTO t(x) VALUES(?)")
        && !error.description.contains("canary")
    }
  }

  @Test func `distinguishes a full disk from other errors`() throws {
    let database = try filled()
    let pages = try database.integer("PRAGMA page_count")
    try database.execute("PRAGMA max_page_count = \(pages)")

    #expect {
      try database.prepare("INSERT INTO t(y) VALUES(?)")
        .run(.blob([UInt8](repeating: 1, count: 100_000)))
    } throws: { error in
      (error as? SQLiteError)?.isFull == true
    }
  }

  @Test func `reads on after it has given its memory back`() throws {
    let database = try SQLiteDatabase(path: path)
    try database.execute("CREATE TABLE t(x); INSERT INTO t VALUES (1), (2), (3)")
    let statement = try database.prepare("SELECT sum(x) FROM t")
    #expect(try statement.first { $0.integer(0) } == 6)
    let before = database.cacheBytes
    database.releaseMemory()
    #expect(database.cacheBytes < before)
    #expect(try statement.first { $0.integer(0) } == 6)
  }

  @Test func `reports another connection's lock`() throws {
    let holder = try filled()
    let other = try SQLiteDatabase(path: path, busyTimeoutMilliseconds: 1)
    try holder.execute("BEGIN IMMEDIATE")

    #expect {
      try other.execute("BEGIN IMMEDIATE")
    } throws: { error in
      (error as? SQLiteError)?.isBusy == true
    }
  }

  @Test func `rejects a file that is not a database`() throws {
    try Data(repeating: 0x41, count: 4096).write(to: URL(fileURLWithPath: path))

    #expect {
      try SQLiteDatabase(path: path)
    } throws: { error in
      (error as? SQLiteError)?.isCorrupt == true
    }
  }

  @Test func `refuses a link in the file's place and follows one on the way to it`() throws {
    _ = try filled()
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder + "/link.sqlite", withDestinationPath: path)
    try files.createSymbolicLink(atPath: folder + "/here", withDestinationPath: folder)

    #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: self.folder + "/link.sqlite") }

    let database = try SQLiteDatabase(path: folder + "/here/a.sqlite")
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `empties the log at a checkpoint`() throws {
    let database = try filled()
    try database.execute("INSERT INTO t(x) VALUES(1)")
    let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
    #expect((log ?? 0) > 0)

    try database.checkpoint()

    let after = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
    #expect(after == 0)
  }

  @Test func `reports the log's length for manual checkpoints`() throws {
    let database = try filled()
    let before = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    database.checkpointByHand()
    try database.execute("CREATE TABLE wide(x)")
    for _ in 0..<1200 { try database.execute("INSERT INTO wide VALUES(zeroblob(5000))") }
    let logged = database.logPages
    let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
    #expect(logged > 2400)
    #expect(log == 32 + logged * 4120)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == before)

    try database.checkpoint(.passive)
    #expect(database.logPages == 0)
    let after = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect((after ?? 0) > 1200 * 5000)

    try database.execute("INSERT INTO wide VALUES(1)")
    #expect(database.logPages < 5)
  }
}
