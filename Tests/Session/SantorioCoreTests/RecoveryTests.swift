// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

extension Outbox {
  fileprivate func checkpoint() throws { try database.checkpoint() }
}

/// Damaged files are set aside and replaced, with all that can still be read.
@Suite(.timeLimit(.minutes(15))) struct `Damaged outbox file` {
  let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("outbox.sqlite")
  }

  private func open() async throws -> Outbox {
    try await folder.openOutbox(maximumBytes: 64 << 20)
  }

  /// A file with records, all of whose pages are in the database and none in the log.
  private func fill(_ count: Int) async throws {
    let outbox = try await open()
    _ = try await outbox.begin(alice)
    try await outbox.submit((0..<count).map { item("r\($0)", try text($0)) })
    try await outbox.checkpoint()
  }

  private func text(_ index: Int) throws -> String {
    String(decoding: try reading("r\(index)").informJSON(), as: UTF8.self)
  }

  private func edit(_ change: (inout Data) -> Void) throws {
    let url = URL(fileURLWithPath: path)
    var data = try Data(contentsOf: url)
    change(&data)
    try data.write(to: url)
  }

  private func damages(_ outbox: Outbox) async throws -> [StorageDamage] {
    try await outbox.events(after: 0, count: 100).compactMap {
      guard case .storageRecovered(let damage) = $0.event else { return nil }
      return damage
    }
  }

  @Test func `that is no database is set aside, and the session continues`() async throws {
    try await fill(3)
    try edit { $0 = Data("not a database, but long enough to have a header of its own".utf8) }

    let outbox = try await open()

    #expect(try await outbox.session()?.userID == "alice")
    let damage = try #require(try await damages(outbox).first)
    #expect(damage.recoveredRecords == 0)
    #expect(damage.lostRecords == nil)
    #expect(
      try Data(contentsOf: damage.damagedFile).starts(with: Data("not a database".utf8)))
    try await outbox.submit([item("new")])
    #expect(try await outbox.claim(1, count: 9, bytes: 999).map(\.logID) == ["new"])
  }

  // The damage has turned a number into nothing, where the table wants a number.
  @Test func `gives all rows but one that the new file's table refuses`() async throws {
    try await fill(3)
    try SQLiteDatabase(path: path).execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'attempts INTEGER NOT NULL', 'attempts INTEGER')
        WHERE name = 'q';
      """)
    let database = try SQLiteDatabase(path: path)
    try database.execute("UPDATE q SET attempts = NULL WHERE seq = 2")
    try database.checkpoint()
    try edit { $0.replaceSubrange(36..<40, with: [0, 0, 0, 99]) }  // the number of free pages

    let outbox = try await open()

    let damage = try #require(try await damages(outbox).first)
    #expect(damage.recoveredRecords == 2 && damage.lostRecords == 1)
    #expect(
      try await outbox.claim(1, count: 9, bytes: 1 << 20).map(\.logID) == ["r0", "r2"])
  }

  @Test(arguments: [true, false])
  func `that is missing is reported, and the session continues`(isEmptied: Bool) async throws {
    try await fill(3)
    if isEmptied {
      try edit { $0 = Data() }
    } else {
      try FileManager.default.removeItem(atPath: path)
    }

    let outbox = try await open()

    #expect(try await outbox.session()?.userID == "alice")
    let damage = try #require(try await damages(outbox).first)
    #expect(damage.recoveredRecords == 0)
    #expect(damage.lostRecords == nil)
    #expect(FileManager.default.fileExists(atPath: damage.damagedFile.path))
    try await outbox.submit([item("new")])
    #expect(try await outbox.claim(1, count: 9, bytes: 999).map(\.logID) == ["new"])
  }

  @Test func `that is emptied leaves its log for inspection`() async throws {
    let first = try await open()
    _ = try await first.begin(alice)
    try await first.submit([item("r0")])
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    // As after a kill: nothing was closed.
    let killed = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: killed.path(name))
    }
    try Data().write(to: URL(fileURLWithPath: killed.path("outbox.sqlite")))

    let outbox = try await killed.openOutbox()

    let damage = try #require(try await damages(outbox).first)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: damage.damagedFile.path + "-wal")) == log)
    withExtendedLifetime(first) {}
  }

  @Test func `that is missing while another process has it open is not created again`() async throws
  {
    let first = try await open()
    _ = try await first.begin(alice)
    try await first.submit([item("r0")])
    try FileManager.default.removeItem(atPath: path)

    await #expect {
      _ = try await open()
    } throws: {
      ($0 as? SessionError)?.message.contains("another process") == true
    }

    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try await first.count() == 1)
  }

  @Test func `that is replaced by an empty database is reported`() async throws {
    try await fill(3)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    _ = try SQLiteDatabase(path: path)

    let outbox = try await open()

    #expect(try await outbox.session()?.userID == "alice")
    #expect(try await damages(outbox).count == 1)
  }

  private func remove() throws {
    for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
  }

  @Test func `that was removed while processes have it open is written again, whole`()
    async throws
  {
    let (first, second) = (try await open(), try await open())
    _ = try await first.begin(alice)
    try await first.submit([item("r0")])
    try await second.submit([item("r1")])
    try remove()

    try await second.submit([item("r2")])
    try await first.submit([item("r3")])

    let expected = ["r0", "r1", "r2", "r3"]
    #expect(try await first.claim(1, count: 9, bytes: 999).map(\.logID) == expected)
    #expect(try await second.claim(1, count: 9, bytes: 999).map(\.logID) == expected)
    #expect(try await open().count() == 4)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `that was replaced by another one accepts nothing more, and loses nothing`()
    async throws
  {
    let outbox = try await open()
    _ = try await outbox.begin(alice)
    try await outbox.checkpoint()
    let copy = folder.path("copy")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try await outbox.submit([item("r0")])
    try remove()
    try FileManager.default.moveItem(atPath: copy, toPath: path)

    for _ in 1...2 {
      await #expect { try await outbox.submit([item("r1")]) } throws: {
        ($0 as? SessionError)?.message.contains("set aside") == true
      }
    }

    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let allAside = names.filter { $0.hasPrefix("outbox.sqlite.bad.") && !$0.contains("-") }
    let aside = try #require(allAside.first)
    #expect(allAside.count == 1)
    #expect(
      try SQLiteDatabase(path: folder.path(aside)).integer("SELECT count(*) FROM q") == 1)
  }

  @Test func `that is missing does not get another key`() async throws {
    try await fill(1)
    let rekey = OutboxRekey(folder: folder.url, credentials: CredentialFiles(folder: folder.url))
    try FileManager.default.removeItem(atPath: path)

    #expect { try rekey.run() } throws: { ($0 as? SessionError)?.code == .storageDamaged }

    // As after a kill while the key was being changed.
    try CredentialFiles(folder: folder.url)
      .save(Data(RowSeal.newKey()).base64EncodedString(), for: OutboxRekey.credential)
    #expect(try await open().session()?.userID == "alice")
  }

  @Test func `gets a second copy of its session again when that is missing`() async throws {
    try await fill(1)
    try FileManager.default.removeItem(atPath: path + ".session")

    _ = try await open()

    #expect(FileManager.default.fileExists(atPath: path + ".session"))
  }

  @Test func `that is missing together with its key waits for the key`() async throws {
    try await fill(1)
    try FileManager.default.removeItem(atPath: path)
    let key = folder.path("outbox-key.token")
    try FileManager.default.moveItem(atPath: key, toPath: key + ".away")

    await #expect { _ = try await open() } throws: {
      ($0 as? SessionError)?.code == .credentialsMissing
    }

    try FileManager.default.moveItem(atPath: key + ".away", toPath: key)
    #expect(try await open().session()?.userID == "alice")
  }

  @Test func `keeps all rows but those of the damaged page, in order, with their numbers`()
    async throws
  {
    try await fill(2000)
    let pages = try leafPages()
    let middle = pages[pages.count / 2]
    try edit { $0.resetBytes(in: (middle - 1) * 4096..<middle * 4096) }

    let outbox = try await open()

    let damage = try #require(try await damages(outbox).first)
    let lost = try #require(damage.lostRecords)
    #expect((1...40).contains(lost))
    #expect(damage.recoveredRecords + lost == 2000)
    let rows = try await outbox.claim(1, count: 3000, bytes: 64 << 20)
    #expect(rows.count == damage.recoveredRecords)
    #expect(rows.allSatisfy { $0.logID == "r\($0.sequence - 1)" })
    #expect(rows.map(\.sequence) == rows.map(\.sequence).sorted())
    #expect(rows.first?.logID == "r0")
    #expect(rows.last?.logID == "r1999")
  }

  @Test(arguments: [(6, 10), (10, 6), (1, 30), (30, 29)])
  func `keeps both records when the damage gives one the number of the other`(
    number: Int, other: Int
  ) async throws {
    try await fill(30)
    let pages = try leafPages()
    try edit { data in
      for place in pages.flatMap({ placesOfNumbers(on: $0, of: data) })
      where data[place] == UInt8(number) { data[place] = UInt8(other) }
    }

    let outbox = try await open()

    #expect(try await damages(outbox).map(\.recoveredRecords) == [30])
    let rows = try await outbox.claim(1, count: 100, bytes: 64 << 20)
    #expect(Set(rows.map(\.logID)) == Set((0..<30).map { "r\($0)" }))
    #expect(Set(rows.map(\.sequence)).count == 30)
  }

  private func leafPages() throws -> [Int] {
    try SQLiteDatabase(path: path).prepare(
      "SELECT pageno FROM dbstat WHERE name = 'q' AND pagetype = 'leaf' ORDER BY path"
    ).all { Int($0.integer(0)) }
  }

  /// Where the rows of a page have their numbers (SQLite's file format, section 1.6), which take
  /// one byte here, after two for the length.
  private func placesOfNumbers(on page: Int, of data: Data) -> [Int] {
    let start = (page - 1) * 4096
    func pair(_ place: Int) -> Int { Int(data[place]) << 8 | Int(data[place + 1]) }
    return (0..<pair(start + 3)).map { start + pair(start + 8 + 2 * $0) + 2 }
  }

  @Test func `is replaced while it is in use, and the call that found it gets its answer`()
    async throws
  {
    try await fill(60)
    let outbox = try await open()
    let pages = try leafPages()
    try zero(pages.dropFirst(2))

    let rows = try await outbox.claim(1, count: 1000, bytes: 64 << 20)

    #expect((1..<60).contains(rows.count))
    #expect(rows.allSatisfy { $0.isSound })
    #expect(try await damages(outbox).count == 1)
    try await outbox.submit([item("after")])
    #expect(try await outbox.claim(1, count: 1000, bytes: 64 << 20).last?.logID == "after")
  }

  @Test(arguments: [[], ["sqlite_sequence"], ["sqlite_sequence", "ev"]])
  func `that is replaced while it is in use still delivers events`(lost: [String]) async throws {
    try await fill(60)
    let outbox = try await open()
    let sent = try await outbox.claim(1, count: 20, bytes: 64 << 20)
    try await outbox.settle(sent.map { ($0, .stored(serverID: nil)) }, session: 1)
    let delivered = try #require(try await outbox.events(after: 0, count: 100).last?.id)
    #expect(delivered == 20)
    try await outbox.discardEvents(through: delivered)
    try await outbox.checkpoint()
    let pages = try leafPages()
    let other = try lost.flatMap { try rootPages(of: $0) }
    try zero(pages.suffix(1) + other)

    let rest = try await outbox.claim(1, count: 1000, bytes: 64 << 20)
    try await outbox.settle(rest.map { ($0, .stored(serverID: nil)) }, session: 1)

    #expect((1..<40).contains(rest.count))
    let events = try await outbox.events(after: delivered, count: 100)
    #expect(events.count == 1 + rest.count)
    guard case .storageRecovered = events.first?.event else {
      Issue.record("\(events.map(\.id))")
      return
    }
  }

  private func rootPages(of table: String) throws -> [Int] {
    try SQLiteDatabase(path: path)
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?")
      .all(.text(table)) { Int($0.integer(0)) }
  }

  /// Zeroes pages while the file is open.
  private func zero(_ pages: some Sequence<Int>) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    for page in pages {
      try handle.seek(toOffset: UInt64(page - 1) * 4096)
      try handle.write(contentsOf: Data(count: 4096))
    }
    // The connection sees the file anew when another one has changed it.
    try SQLiteDatabase(path: path).execute("PRAGMA application_id = 7")
  }

  @Test func `keeps the session, the events and the quarantine where their pages are whole`()
    async throws
  {
    try await fill(400)
    var outbox: Outbox? = try await open()
    let first = try #require(try await outbox?.claim(1, count: 2, bytes: 64 << 20))
    try await outbox?.settle(
      [
        (first[0], .stored(serverID: "s")),
        (first[1], .rejected(RecordFailure(status: 422, code: "bad", message: "m", path: "p"))),
      ], session: 1)
    try await outbox?.markValidated(1)
    try await outbox?.checkpoint()
    outbox = nil
    let pages = try leafPages()
    try edit { $0.resetBytes(in: (pages[3] - 1) * 4096..<pages[3] * 4096) }

    let reopened = try await open()

    #expect(try await reopened.session()?.isValidated == true)
    #expect(try await reopened.quarantine().map(\.logID) == ["r1"])
    #expect(try await reopened.quarantine().first?.failure?.code == "bad")
    let events = try await reopened.events(after: 0, count: 9).map(\.event)
    #expect(
      events.prefix(2).map(\.description) == [
        "record submitted", "record failed: the server refused the record with status 422",
      ])
  }

  @Test(arguments: [
    "owner = x'00'", "name = x'00'", "name = NULL", "offline = 1", "digest = x'00'",
    "digest = NULL",
  ])
  func `never sends records as another user: a damaged session is restored from its second copy`(
    damage: String
  ) async throws {
    try await fill(3)
    let outbox = try await open()
    try SQLiteDatabase(path: path).execute("UPDATE session SET \(damage)")

    #expect(try await outbox.claim(1, count: 9, bytes: 1 << 20).count == 3)

    let session = try #require(try await outbox.session())
    #expect(session.userID == "alice" && session.organizationID == "acme" && !session.isOffline)
    #expect(try await damages(outbox).map(\.recoveredRecords) == [3])
    #expect(try await open().session()?.userID == "alice")
  }

  @Test func `takes no session from a second copy that is damaged as well`() async throws {
    try await fill(3)
    let image = ImageItem(
      logID: "r1", digest: RecordMedia(of: [1], contentType: "image/png").sha256,
      contentType: "image/png", bytes: [1])
    try await open().submit([item("r1", try text(1))], images: [image])
    try SQLiteDatabase(path: path).execute("UPDATE session SET name = x'00'")
    let copy = URL(fileURLWithPath: path + ".session")
    var bytes = try Data(contentsOf: copy)
    bytes[20] ^= 1
    try bytes.write(to: copy)

    let outbox = try await open()

    #expect(try await outbox.session() == nil)
    #expect(try await outbox.pending().count == 3)
    // Whose they are is not known: the next user's they are not.
    let session = try await outbox.begin(bob)
    #expect(try await outbox.claim(session.id, count: 9, bytes: 1 << 20) == [])
    let archive = try #require(try await outbox.archives().first)
    #expect(archive.reason == .storageDamaged)
    #expect(archive.userID == "")
    #expect(archive.unsentRecords.map(\.logID) == ["r0", "r1", "r2"])
    #expect(try await outbox.imageBytes(image.digest) == image.bytes)
    try FileManager.default.removeItem(
      at: try #require(try await damages(outbox).first).damagedFile)
    try await outbox.removeArchive(try #require(archive.archive))
    #expect(try await outbox.imageBytes(image.digest) == nil)
  }

  @Test func `keeps the rows between many damaged pages`() async throws {
    try await fill(2000)
    let pages = try leafPages()
    let damaged = stride(from: 7, to: pages.count, by: 12).map { pages[$0] }
    #expect(damaged.count > 9)
    let most = 2000 / pages.count + 2
    try edit { data in
      for page in damaged { data.resetBytes(in: (page - 1) * 4096..<page * 4096) }
    }

    let damage = try #require(try await damages(open()).first)

    #expect(damage.recoveredRecords >= 2000 - damaged.count * most)
    #expect(damage.recoveredRecords < 2000)
  }

  @Test func `keeps the rows beside a damaged inner page`() async throws {
    try await fill(6000)
    let inner = try SQLiteDatabase(path: path).prepare(
      "SELECT pageno FROM dbstat WHERE name = 'q' AND pagetype = 'internal' ORDER BY path"
    ).all { Int($0.integer(0)) }
    // The first is the root.
    try #require(inner.count > 2)
    try edit { $0.resetBytes(in: (inner[1] - 1) * 4096..<inner[1] * 4096) }

    let damage = try #require(try await damages(open()).first)

    #expect((500..<6000).contains(damage.recoveredRecords))
  }

  @Test func `quarantines a row that cannot be deleted as it is`() async throws {
    try await fill(3)
    // A bit of the page turns a whole number into a real one.
    try SQLiteDatabase(path: path).execute(
      "UPDATE q SET sum = 1.5 WHERE log_id = \(folder.sqlName("r1"))")
    let outbox = try await open()

    let rows = try await outbox.claim(1, count: 9, bytes: 1 << 20)

    #expect(rows.map(\.logID) == ["r0", "r2"])
    #expect(try await outbox.count() == 2)
    #expect(try await outbox.quarantine().map(\.logID) == ["r1"])
  }

  @Test func `is left alone while another process has it open`() async throws {
    try await fill(3)
    let other = try OutboxFile.use(of: path)
    try edit { $0.resetBytes(in: 0..<4096) }

    await #expect { try await open() } throws: { ($0 as? SessionError)?.code == .storageDamaged }

    withExtendedLifetime(other) {}
  }

  @Test func `is not set aside when it is whole after all`() async throws {
    try await fill(3)

    _ = try OutboxRecovery(
      path: path, credentials: CredentialFiles(folder: folder.url),
      use: try OutboxFile.use(of: path), now: Date()
    ).run()

    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.contains(".bad.") })
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Key of the records` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() async throws -> Outbox {
    try await folder.openOutbox()
  }

  private func fill() async throws {
    let outbox = try await open()
    _ = try await outbox.begin(alice)
    try await outbox.submit([item("log-1", "systolic-canary")])
  }

  @Test func `keeps the content of records secret from a reader of the files`() async throws {
    try await fill()

    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
      #expect(data.range(of: Data("systolic".utf8)) == nil, "\(name)")
    }
  }

  @Test func `that is missing is an error, and nothing counts as damaged`() async throws {
    try await fill()
    let key = URL(fileURLWithPath: folder.path("outbox-key.token"))
    let kept = try Data(contentsOf: key)
    try FileManager.default.removeItem(at: key)

    await #expect { try await open() } throws: {
      ($0 as? SessionError)?.code == .credentialsMissing
    }

    try kept.write(to: key)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
    #expect(try await open().claim(1, count: 9, bytes: 999).map(\.logID) == ["log-1"])
  }

  @Test(arguments: ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "too short", "c2hvcnQ="])
  func `that is another one is an error, and nothing counts as damaged`(key: String)
    async throws
  {
    try await fill()
    try CredentialFiles(folder: folder.url).save(key, for: "outbox-key")

    await #expect { try await open() } throws: { ($0 as? SessionError)?.code == .keyMismatch }
  }

  @Test(arguments: [
    "UPDATE seal SET sample = zeroblob(43)", "UPDATE seal SET digest = x'00'", "DELETE FROM seal",
  ])
  func `is not the cause of a damaged sample: the file is replaced, with all its records`(
    damage: String
  ) async throws {
    try await fill()
    try SQLiteDatabase(path: folder.path("outbox.sqlite")).execute(damage)

    let rows = try await open().claim(1, count: 9, bytes: 999)

    #expect(rows.map(\.logID) == ["log-1"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .contains { $0.contains(".bad.") })
  }

  @Test func `that others may read is refused`() async throws {
    try await fill()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder.path("outbox-key.token"))

    await #expect { try await open() } throws: {
      ($0 as? SessionError)?.code == .credentialsExposed
    }
  }
}
