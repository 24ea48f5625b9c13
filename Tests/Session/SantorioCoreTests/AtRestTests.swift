// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore
import SantorioCryptography

/// What an attacker learns, or can do, with the folder but without the key.
@Suite(.timeLimit(.minutes(15))) struct `Folder at rest` {
  private let folder: TemporaryFolder
  private let outbox: Outbox
  private let user = SantorioUser(
    userID: "canary-user", organizationID: "canary-clinic", accessToken: "token")

  init() async throws {
    folder = try TemporaryFolder()
    outbox = try await folder.openOutbox()
  }

  private var database: SQLiteDatabase {
    get throws { try SQLiteDatabase(path: folder.path("outbox.sqlite")) }
  }

  private static func logID(_ name: String) -> String { "canary-" + name }

  /// The condition for a record's rows.
  private func isRow(_ name: String) throws -> String {
    "log_id = \(try folder.sqlName(Self.logID(name)))"
  }

  /// Records that wait, were refused, are in events and in an archive; an image; a state file.
  private func fill() async throws {
    let server = localURL()
    let session = try await outbox.begin(user, at: server)
    let bytes: [UInt8] = Array("canary-image".utf8)
    let media = RecordMedia(of: bytes, contentType: "image/png")
    try await outbox.submit(
      ["sent", "bad", "left"].map { reading(Self.logID($0)) },
      images: [
        ImageItem(
          logID: Self.logID("left"), digest: media.sha256, contentType: media.contentType,
          bytes: bytes)
      ])
    let rows = try await outbox.claim(session.id, count: 2, bytes: 1 << 20)
    let refusal = RecordFailure(
      status: 422, code: "canary", message: "118.625 is canary", path: nil)
    try await outbox.settle(
      [(rows[0], .stored(serverID: "1")), (rows[1], .rejected(refusal))], session: session.id)
    _ = try await outbox.endSession()
    _ = try await outbox.begin(user, at: server)
    try await outbox.submit([reading(Self.logID("waiting"))])
    try await outbox.hold([reading(Self.logID("held"))])
  }

  @Test func `shows no value, no log_id, no user and no reason`() async throws {
    try await fill()
    let guesses =
      ["1\ncanary-user\ncanary-clinic\nfalse"]
      + ["sent", "bad", "left", "waiting", "held"].map(Self.logID)

    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
      guard let data = FileManager.default.contents(atPath: folder.path(name)) else { continue }
      for text in ["canary", "systolic", "118.625"] {
        #expect(data.range(of: Data(text.utf8)) == nil, "\(text) in \(name)")
      }
      // An unkeyed digest would give away by trying who the user is and what was read.
      for guess in guesses.map({ SHA256Digest.bytes(Array($0.utf8)) }) {
        #expect(data.range(of: Data(guess.prefix(8))) == nil, "\(name)")
        #expect(data.range(of: Data(Data(guess).base64EncodedString().prefix(8).utf8)) == nil)
      }
    }
  }

  @Test func `names a record by its log_id and the key, the same each time`() throws {
    let (seal, other) = (RowSeal(key: Array(0..<32)), RowSeal(key: Array(1..<33)))

    for logID in ["", "a", "b", "ä/\n", String(repeating: "0f", count: 16)] {
      let name = try seal.name(of: logID)
      #expect(try name == RowSeal(key: Array(0..<32)).name(of: logID))
      #expect(try name != other.name(of: logID))
      #expect(seal.logID(of: name) == logID)
      #expect(other.logID(of: name) == nil)
      #expect(seal.logID(of: name.dropLast() + [name[name.count - 1] ^ 1]) == nil)
    }
    #expect(try seal.name(of: "a").prefix(13) != seal.name(of: "b").prefix(13))
    #expect(seal.messageCount == 0)
  }

  @Test func `quarantines a record whose name is damaged, and fails its image`() async throws {
    let session = try await outbox.begin(user).id
    let media = RecordMedia(of: [1], contentType: "image/png")
    let image = ImageItem(
      logID: "a", digest: media.sha256, contentType: media.contentType, bytes: [1])
    try await outbox.submit([reading("a"), reading("b")], images: [image])
    try database.execute(
      """
      UPDATE q SET log_id = x'0102' WHERE seq = 1;
      UPDATE image SET log_id = x'0102', released = 1;
      """)

    #expect(try await outbox.claim(session, count: 9, bytes: 1 << 20).map(\.logID) == ["b"])
    #expect(try await outbox.claimImage(session) == nil)

    #expect(try await outbox.quarantine().map(\.logID) == [""])
    let failed = try await outbox.refusedImages()
    #expect(failed.map(\.failure) == [.damagedImage])
    #expect(try await outbox.discardImages(failed) == 1)
    #expect(try await outbox.discardQuarantined([1]) == 1)
  }

  @Test func `has only files that its owner alone can read`() async throws {
    try await fill()

    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
      var status = stat()
      try #require(unsafe stat(folder.path(name), &status) == 0)
      #expect(status.st_mode & 0o077 == 0, "\(name)")
    }
  }

  @Test func `is closed to others when it existed before, unless it is not a session's`()
    async throws
  {
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    func open(_ name: String, with other: String?) async throws -> String {
      let path = folder.path(name)
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
      if let other { try Data().write(to: URL(fileURLWithPath: path + "/" + other)) }
      try await SantorioSession(
        .init(directory: URL(fileURLWithPath: path), endpoint: localURL())
      ).open()
      return path
    }

    #expect(try await mode(open("empty", with: nil)) == 0o700)
    #expect(try await mode(open("queue", with: "outbox.sqlite")) == 0o700)
    #expect(try await mode(open("home", with: "letters.txt")) == 0o755)
  }

  @Test func `leaves no file readable by others after a leftover that was`() throws {
    let path = folder.path("state")
    try Data("old".utf8).write(to: URL(fileURLWithPath: path + ".tmp"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: path + ".tmp")

    let file = try DurableFile(path: path)
    try file.write([1])
    try file.commit()

    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `opens nothing that was put into another column, table or row`() async throws {
    try await fill()
    let seal = try #require(outbox.currentSeal.withLock { $0 })
    func blob(_ sql: String) throws -> [UInt8] {
      try #require(try database.prepare(sql).first { $0.blob(0) })
    }
    let blobs = [
      try blob("SELECT body FROM q WHERE \(isRow("waiting"))"),
      try blob("SELECT body FROM quarantine WHERE \(isRow("bad"))"),
      try blob("SELECT err FROM quarantine WHERE \(isRow("bad"))"),
      try blob("SELECT body FROM ev WHERE \(isRow("bad"))"),
      try blob("SELECT err FROM ev WHERE \(isRow("bad"))"),
      try blob("SELECT name FROM session WHERE ended IS NULL"),
    ]
    let places = [
      SealedPlace.queued("canary-waiting"), SealedPlace.quarantined("canary-bad"),
      SealedPlace.refusal("canary-bad"), SealedPlace.event("canary-bad"),
      SealedPlace.eventReason("canary-bad"), SealedPlace.user(ofSession: 2),
    ]

    for (index, blob) in blobs.enumerated() {
      for (other, place) in places.enumerated() {
        #expect((seal.open(blob, as: place) != nil) == (index == other))
      }
    }
  }

  @Test func `opens no reason as a record, and no record of another state`() async throws {
    try await fill()

    try database.execute(
      """
      UPDATE quarantine SET body = err WHERE \(isRow("bad"));
      UPDATE q SET body = (SELECT body FROM ev WHERE \(isRow("sent"))) WHERE \(isRow("held"));
      """)

    #expect(try await outbox.retryQuarantined(nil) == 0)
    #expect(try await outbox.held() == [])
  }

  @Test func `counts what the key has encrypted, across launches`() async throws {
    try await fill()
    func counted() throws -> Int64 { try database.integer("SELECT messages FROM seal") }
    let before = try counted()

    _ = try await folder.openOutbox()

    #expect(try counted() == before + Int64(OutboxKey.messagesAhead))
  }
}
