// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

/// The putting of a new file in the place of a damaged one.
@Suite(.timeLimit(.minutes(15))) struct `Replacement of a damaged file` {
  let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("outbox.sqlite")
  }

  private func open() async throws -> Outbox {
    try await folder.openOutbox(maximumBytes: 64 << 20)
  }

  private func fill(_ identifiers: String...) async throws {
    let outbox = try await open()
    _ = try await outbox.begin(alice)
    try await outbox.submit(identifiers.map { item($0) })
    try await outbox.checkpoint()
  }

  private func waiting() async throws -> [String] {
    try await open().claim(1, count: 9999, bytes: 1 << 20).map(\.logID)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { $0.hasPrefix("outbox.sqlite.") && ($0.contains(".new") || $0.contains(".bad")) }
      .sorted()
  }

  /// Makes the file one whose records cannot be read by its tables' names.
  private func damage() throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let text = try #require(data.range(of: Data("held INTEGER".utf8)))
    data[text.lowerBound] = UInt8(ascii: "g")
    try data.write(to: URL(fileURLWithPath: path))
  }

  @Test func `that fails leaves the damaged file where it is, for the next time`() async throws {
    try await fill("a", "b")
    try damage()
    let damaged = try Data(contentsOf: URL(fileURLWithPath: path))
    // A folder in the place of the new file is what a disk without room would be.
    try FileManager.default.createDirectory(
      atPath: path + ".new", withIntermediateDirectories: false)

    await #expect { try await open() } throws: { ($0 as? SessionError)?.code == .storageFailed }

    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged)
    #expect(try names() == ["outbox.sqlite.new"])
    try FileManager.default.removeItem(atPath: path + ".new")
    #expect(try await waiting() == ["a", "b"])
    #expect(try names() == ["outbox.sqlite.bad.1772600000000"])
  }

  @Test(arguments: ["lost", "empty", "damaged"])
  func `keeps the archives of the one before, and their numbers`(how: String) async throws {
    try await fill("a")
    let archive: URL = try await {
      try #require(try await open().endSession()?.archive)
    }()
    let kept = try Data(contentsOf: archive)
    for suffix in ["-wal", "-shm", ".session"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    switch how {
    case "lost": try FileManager.default.removeItem(atPath: path)
    case "empty": try Data().write(to: URL(fileURLWithPath: path))
    default: try Data(repeating: 7, count: 3_000).write(to: URL(fileURLWithPath: path))
    }

    let outbox = try await open()
    let listed = try await outbox.archives()
    #expect(listed.map(\.archive) == [archive])
    #expect(listed.map(\.userID) == [""])
    #expect(try folder.logIDs(inArchive: archive) == ["a"])
    _ = try await outbox.begin(bob)
    try await outbox.submit([item("b")])
    let later = try await outbox.endSession()?.archive
    #expect(later != nil && later != archive)
    #expect(try Data(contentsOf: archive) == kept)
    #expect(try await outbox.archives().count == 2)
  }

  @Test func `that was killed while it wrote starts over`() async throws {
    try await fill("a", "b")
    try damage()
    for suffix in ["", "-wal", "-shm"] {
      try Data("half of a file".utf8).write(to: URL(fileURLWithPath: path + ".new" + suffix))
    }

    #expect(try await waiting() == ["a", "b"])
    #expect(try names() == ["outbox.sqlite.bad.1772600000000"])
  }

  // The damaged file has a log; a kill comes before any of the renames, or after some of them.
  @Test(arguments: 0...3)
  func `that was killed while it renamed is completed at the next opening`(done: Int) async throws {
    try await fill("new")
    try FileManager.default.moveItem(atPath: path, toPath: path + ".new.77")
    for (index, suffix) in ["-shm", "-wal", ""].enumerated() {
      try Data("damaged".utf8)
        .write(to: URL(fileURLWithPath: (index < done ? path + ".bad.77" : path) + suffix))
    }

    #expect(try await waiting() == ["new"])

    #expect(
      try names() == [
        "outbox.sqlite.bad.77", "outbox.sqlite.bad.77-shm", "outbox.sqlite.bad.77-wal",
      ])
    for suffix in ["", "-wal", "-shm"] {
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: path + ".bad.77" + suffix))
          == Data("damaged".utf8))
    }
  }

  @Test(arguments: [
    "UPDATE q SET log_id = log_id", "PRAGMA user_version = 0", "PRAGMA user_version = -1",
  ])
  func `happens for damaged tables and versions, and keeps all`(sql: String)
    async throws
  {
    try await fill("a", "b", "c")
    if sql.hasPrefix("PRAGMA") {
      let database = try SQLiteDatabase(path: path)
      try database.execute(sql)
      try database.checkpoint()
    } else {
      try damage()
    }

    #expect(try await waiting() == ["a", "b", "c"])

    #expect(try await open().session()?.userID == "alice")
    #expect(try names() == ["outbox.sqlite.bad.1772600000000"])
  }

  // MARK: - Resuming

  /// Copies rows as a repair does that is killed when it has noted its progress twice.
  private func beginRepair() throws {
    let file = try OutboxFile(
      path: path + ".new", credentials: CredentialFiles(folder: folder.url),
      use: try OutboxFile.use(of: path))
    let progress = RecoveryProgress(of: path)
    try file.database.execute("BEGIN IMMEDIATE")
    try progress.begin(in: file.database)
    var notes = 0
    for (name, columns) in OutboxSchema.columns {
      guard
        let copy = try? OutboxTableCopy(
          name, columns, from: try SQLiteDatabase(path: path), into: file)
      else { continue }
      do {
        try copy.run(from: .min) { last throws(SQLiteError) in
          try progress.note(last, of: name, in: file.database)
          notes += 1
          if notes == 2 { throw SQLiteError.damaged("killed") }
        }
      } catch {
        break
      }
    }
    // By this the test sees that the rows stay.
    try? file.database.execute("ROLLBACK")
    try file.database.execute("UPDATE q SET attempts = 7")
    try file.database.checkpoint()
  }

  private func attempts() throws -> [Int64: Int64] {
    let rows = try SQLiteDatabase(path: path).prepare("SELECT seq, attempts FROM q")
      .all { ($0.integer(0), $0.integer(1)) }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  private let many = (0..<2500).map { "r\($0)" }

  private func fillMany() async throws {
    let outbox = try await open()
    _ = try await outbox.begin(alice)
    try await outbox.submit(many.map { item($0) })
    try await outbox.checkpoint()
  }

  @Test func `goes on where a kill has interrupted it`() async throws {
    try await fillMany()
    try damage()
    try beginRepair()

    #expect(try await waiting() == many)

    let attempts = try attempts()
    #expect(attempts.count == 2500)
    #expect((1...2000).allSatisfy { attempts[$0] == 7 })
    #expect((2001...2500).allSatisfy { attempts[$0] == 0 })
    #expect(try names() == ["outbox.sqlite.bad.1772600000000"])
    #expect(
      try SQLiteDatabase(path: path)
        .integer("SELECT count(*) FROM sqlite_master WHERE name = 'recovery'") == 0)
    #expect(try await open().session()?.userID == "alice")
  }

  @Test func `begins again when the file has changed since the kill`() async throws {
    try await fillMany()
    try damage()
    try beginRepair()
    let database = try SQLiteDatabase(path: path)
    try database.execute("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'q'")
    try database.checkpoint()

    #expect(try await waiting() == many)
    #expect(try attempts().values.allSatisfy { $0 == 0 })
  }

  @Test func `begins again over a draft that is not a copy`() async throws {
    try await fill("a", "b")
    try damage()
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: path + ".new"))

    #expect(try await waiting() == ["a", "b"])
  }

  @Test func `keeps all files of images, which the damaged file may name`() async throws {
    try await fill("a")
    let outbox = try await open()
    let image = ImageItem(
      logID: "a", digest: String(repeating: "ab", count: 32), contentType: "image/png",
      bytes: [1, 2, 3])
    try await outbox.submit([item("a")], images: [image])
    try await outbox.checkpoint()
    try SQLiteDatabase(path: path).execute("DELETE FROM image")
    try await outbox.checkpoint()
    try Data().write(to: URL(fileURLWithPath: path + ".bad.1"))

    try await outbox.removeUnusedImages()
    #expect(try await outbox.imageBytes(image.digest) == [1, 2, 3])

    try FileManager.default.removeItem(atPath: path + ".bad.1")
    try await outbox.removeUnusedImages()
    #expect(try await outbox.imageBytes(image.digest) == nil)
  }
}

extension Outbox {
  fileprivate func checkpoint() throws { try database.checkpoint() }
}
