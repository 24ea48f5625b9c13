// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

/// Changes that break off in the middle: a trigger refuses a later statement of the transaction, as
/// a kill would keep it from being reached.
@Suite(.timeLimit(.minutes(15))) struct `Interrupted changes` {
  let folder: TemporaryFolder
  let outbox: Outbox
  let database: SQLiteDatabase

  init() async throws {
    folder = try TemporaryFolder()
    outbox = try await folder.openOutbox()
    _ = try await outbox.begin(alice)
    try await outbox.submit([item("a", "first"), item("b", "second")])
    database = try SQLiteDatabase(path: folder.path("outbox.sqlite"))
  }

  private func refuse(_ change: String) throws {
    try database.execute(
      "CREATE TRIGGER refusal BEFORE \(change) BEGIN SELECT raise(ABORT, 'interrupted'); END")
  }

  private func allow() throws { try database.execute("DROP TRIGGER refusal") }

  private func isRefused(_ error: any Error) -> Bool {
    (error as? SessionError)?.code == .storageFailed
  }

  @Test(arguments: ["INSERT ON ev", "DELETE ON q", "INSERT ON quarantine"])
  func `leave answered records in the queue, to be sent again`(change: String) async throws {
    let rows = try await outbox.claim(1, count: 2, bytes: 100)
    let failure = RecordFailure(status: 400, code: "x", message: "", path: nil)
    try refuse(change)

    await #expect {
      try await outbox.settle(
        [(rows[0], .stored(serverID: "1")), (rows[1], .rejected(failure))], session: 1)
    } throws: {
      isRefused($0)
    }

    #expect(try await outbox.claim(1, count: 2, bytes: 100) == rows)
    #expect(try await outbox.events(after: 0, count: 9).isEmpty)
    #expect(try await outbox.quarantine().isEmpty)
    #expect(try await outbox.count() == 2)
  }

  @Test(arguments: ["INSERT ON q"])
  func `acknowledge nothing that was not stored`(change: String) async throws {
    try refuse(change)

    await #expect { try await outbox.submit([item("c"), item("d")]) } throws: { isRefused($0) }

    try allow()
    #expect(try await outbox.claim(1, count: 9, bytes: 100).map(\.logID) == ["a", "b"])
  }

  @Test(arguments: ["DELETE ON q", "UPDATE ON session", "INSERT ON ev"])
  func `leave the session and its records unchanged when ending it fails`(change: String)
    async throws
  {
    try refuse(change)

    await #expect { try await outbox.endSession() } throws: { isRefused($0) }

    #expect(try await outbox.session()?.userID == "alice")
    #expect(try await outbox.count() == 2)
    let session = try #require(try await outbox.session())
    #expect(try await outbox.token(of: session) == "token-of-alice")
    try allow()
    try await outbox.submit([item("c", "third")])
    let ended = try #require(try await outbox.endSession())
    #expect(try folder.logIDs(inArchive: #require(ended.archive)) == ["a", "b", "c"])
  }

  @Test(arguments: ["INSERT ON session", "UPDATE ON session", "INSERT ON ev"])
  func `leave the old user's session when starting another one fails`(change: String) async throws {
    try refuse(change)

    await #expect { try await outbox.begin(bob) } throws: { isRefused($0) }

    let session = try #require(try await outbox.session())
    #expect(session.userID == "alice")
    #expect(try await outbox.token(of: session) == "token-of-alice")
    #expect(try await outbox.count() == 2)
    try allow()
    let next = try await outbox.begin(bob)
    #expect(try await outbox.token(of: next) == "token-of-bob")
    #expect(try await outbox.count() == 0)
  }

  @Test func `remove the token of a session that ended with a kill, at the next start`()
    async throws
  {
    try database.execute("UPDATE session SET ended = 1, reason = 'ended'; DELETE FROM q")
    #expect(FileManager.default.fileExists(atPath: folder.path("session-1.token")))

    _ = try await outbox.begin(bob)

    #expect(!FileManager.default.fileExists(atPath: folder.path("session-1.token")))
  }
}

@Suite struct `Durable file` {
  let folder: TemporaryFolder
  var path: String { folder.path("f") }

  init() async throws { folder = try TemporaryFolder() }

  @Test func `appears whole, readable by its owner only`() throws {
    let file = try DurableFile(path: path)
    try file.write(Array("one ".utf8))
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.write(Array("two".utf8))

    try file.commit()

    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one two")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["f"])
  }

  @Test func `leaves the old file when it is not committed`() throws {
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))

    do {
      let file = try DurableFile(path: path)
      try file.write(Array("new".utf8))
    }

    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["f"])
  }

  @Test func `reports that its folder does not exist`() throws {
    #expect {
      try DurableFile(path: folder.path("none/f")).commit()
    } throws: {
      ($0 as? SessionError)?.systemCode == Int(ENOENT)
    }
  }
}
