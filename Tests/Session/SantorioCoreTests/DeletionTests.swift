// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

/// When deletions are noticed in tests: at the time of the outbox's clock.
let noticed = Date(timeIntervalSince1970: 1_772_600_000)

func deletion(_ logID: String, after seconds: Double = 0) -> RecordDeletion {
  RecordDeletion(of: logID, noticed: noticed.addingTimeInterval(seconds))
}

/// A reading that says that it was changed, so long after the time of deletions.
func changed(_ logID: String, after seconds: Double, systolic: Double = 118.625) -> HealthRecord {
  var record = reading(logID, systolic: systolic)
  record.lastUpdated = noticed.addingTimeInterval(seconds)
  return record
}

@Suite(.timeLimit(.minutes(15))) struct `Deletions in the outbox` {
  let folder: TemporaryFolder
  let outbox: Outbox

  init() async throws {
    folder = try TemporaryFolder()
    outbox = try await folder.openOutbox()
    _ = try await outbox.begin(alice)
  }

  private static let none: [HealthRecord] = []

  private func submit(_ deletions: RecordDeletion...) async throws {
    try await outbox.submit(Self.none, deletions: deletions)
  }

  private func session() async throws -> Int64 { try #require(try await outbox.session()).id }

  private func claim() async throws -> [OutboxRow] {
    try await outbox.claim(session(), count: 99, bytes: 1 << 20)
  }

  /// What waits, in order: `+` for a record, `-` for a deletion.
  private func waiting() async throws -> [String] {
    try await claim().map { ($0.isDeletion ? "-" : "+") + $0.logID }
  }

  private func settle(_ result: DeliveryResult) async throws {
    try await outbox.settle(claim().map { ($0, result) }, session: session())
  }

  private func events() async throws -> [SessionEvent] {
    try await outbox.events(after: 0, count: 99).map(\.event)
  }

  private static let refused = DeliveryResult.rejected(
    RecordFailure(status: 422, code: "bad", message: "no", path: nil))

  // MARK: - Records and deletions

  @Test func `of unknown records are stored and sent`() async throws {
    try await submit(deletion("a"))
    #expect(try await waiting() == ["-a"])
    #expect(try await outbox.deletions() == [deletion("a")])
    #expect(try await outbox.pending() == [])
    #expect(try await outbox.pendingCount() == 1)
  }

  @Test func `take the place of records that wait, in their order`() async throws {
    try await outbox.submit([reading("a"), reading("b")])
    try await submit(deletion("a"))
    #expect(try await waiting() == ["-a", "+b"])
    let known = try #require(try await outbox.deletions().first)
    #expect(known == RecordDeletion(of: reading("a"), noticed: noticed))
  }

  @Test func `take the place of records that are held back`() async throws {
    try await outbox.hold([reading("a")])
    try await outbox.hold([reading("b")])
    try await outbox.decline(["b"], keeping: 9)
    try await submit(deletion("a"), deletion("b"))
    #expect(try await waiting() == ["-a", "-b"])
    #expect(try await outbox.heldCount() == 0)
    #expect(try await outbox.holdAgain(["a"]) == [])
  }

  @Test func `are later than the records of the same call`() async throws {
    try await outbox.submit([reading("a"), reading("b")], deletions: [deletion("b")])
    #expect(try await waiting() == ["+a", "-b"])
  }

  @Test func `are stored with state or not at all`() async throws {
    let name = StateName(source: "health", device: "", key: "anchor")
    try await outbox.submit(
      [reading("a")], deletions: [deletion("b")], changing: [.position(name, [7])])
    #expect(try await outbox.states(of: "health").map(\.value) == [[7]])

    let session = try await session()
    await #expect {
      try await outbox.submit(
        [reading("c")], deletions: [deletion("d")], changing: [.position(name, [8])],
        inSession: session + 1)
    } throws: {
      ($0 as? SessionError)?.code == .sessionEnded
    }
    #expect(try await waiting() == ["+a", "-b"])
    #expect(try await outbox.states(of: "health").map(\.value) == [[7]])
  }

  @Test func `repeated are one, with the later time and all that is known`() async throws {
    var first = deletion("a")
    first.metrics = [.bodyWeight]
    try await submit(first, deletion("a", after: 5), deletion("a", after: 1))
    #expect(try await waiting() == ["-a"])
    first.noticed = noticed.addingTimeInterval(5)
    #expect(try await outbox.deletions() == [first])
  }

  @Test(arguments: [nil, -1.0, 0.0])
  func `stay when their record comes again`(seconds: Double?) async throws {
    try await submit(deletion("a"))
    let record = seconds.map { changed("a", after: $0) } ?? reading("a")
    try await outbox.submit([record, reading("b")])
    try await outbox.hold([record])
    #expect(try await waiting() == ["-a", "+b"])
    #expect(try await outbox.heldCount() == 0)
  }

  @Test func `give way to their record when that was changed later`() async throws {
    try await submit(deletion("a"))
    try await outbox.submit([changed("a", after: 1)])
    #expect(try await waiting() == ["+a"])
    #expect(try await outbox.pending() == [changed("a", after: 1)])

    // What is submitted last counts, although the clock was set back.
    try await submit(deletion("a"))
    #expect(try await waiting() == ["-a"])
    #expect(try await outbox.deletions().first?.supersedes(changed("a", after: 1)) == true)
  }

  // MARK: - Answers

  @Test func `are delivered with an event, and leave the queue`() async throws {
    try await submit(deletion("a"))
    try await settle(.stored(serverID: "1"))
    #expect(try await waiting() == [])
    #expect(try await events() == [.deletionDelivered(deletion("a"))])
    #expect(try await outbox.quarantineCount() == 0)
  }

  @Test func `are sent after the record that is on its way`() async throws {
    try await outbox.submit([reading("a")])
    let rows = try await claim()
    try await submit(deletion("a"))

    try await outbox.settle(rows.map { ($0, .stored(serverID: "1")) }, session: session())

    #expect(try await waiting() == ["-a"])
    #expect(try await events() == [])
  }

  @Test func `that were refused are in the quarantine, from where they can be retried`()
    async throws
  {
    try await submit(deletion("a"))
    try await settle(Self.refused)
    guard case .deletionFailed(deletion("a"), let failure)? = try await events().first else {
      Issue.record("no event")
      return
    }
    #expect(failure.code == "bad")
    let kept = try await outbox.quarantine()
    #expect(kept.map(\.deletion) == [deletion("a")])

    #expect(try await outbox.retryQuarantined(nil) == 1)
    #expect(try await waiting() == ["-a"])
    #expect(try await outbox.quarantineCount() == 0)
  }

  @Test(arguments: [true, false])
  func `in the quarantine count more than their records`(isRecordFirst: Bool) async throws {
    for isRecord in [isRecordFirst, !isRecordFirst] {
      if isRecord {
        try await outbox.submit([reading("a")])
      } else {
        try await submit(deletion("a"))
      }
      try await settle(Self.refused)
    }
    #expect(try await outbox.retryQuarantined(nil) == 1)
    #expect(try await waiting() == ["-a"])

    try await settle(Self.refused)
    try await outbox.submit([reading("a")])
    _ = try await outbox.retryQuarantined(nil)
    #expect(try await waiting() == ["-a"])
  }

  // MARK: - Images

  private func image(_ logID: String, _ bytes: [UInt8]) -> ImageItem {
    let media = RecordMedia(of: bytes, contentType: "image/png")
    return ImageItem(
      logID: logID, digest: media.sha256, contentType: media.contentType, bytes: bytes)
  }

  @Test func `remove the images that wait, of the record alone`() async throws {
    try await outbox.submit(
      [reading("a"), reading("b")], images: [image("a", [1]), image("b", [2])])
    try await submit(deletion("a"))
    #expect(try await outbox.imageCount() == 1)
    #expect(await outbox.images.digests() == [image("b", [2]).digest])
  }

  @Test func `remove the images that were left after their record was sent`() async throws {
    try await outbox.submit([reading("a")], images: [image("a", [1])])
    try await settle(.stored(serverID: nil))
    try await submit(deletion("a"))
    #expect(try await outbox.claimImage(session()) == nil)
    #expect(await outbox.images.digests() == [])
  }

  @Test func `remove the images that came with a deleted record, once they are delivered`()
    async throws
  {
    try await submit(deletion("a"))
    try await outbox.submit([reading("a")], images: [image("a", [1])])
    try await settle(.stored(serverID: nil))
    #expect(try await outbox.imageCount() == 0)
    #expect(await outbox.images.digests() == [])
  }

  // MARK: - Sessions, exports, damage

  @Test func `are in the archive of their session, and go back like records`() async throws {
    try await outbox.submit([reading("a"), reading("b")])
    try await submit(deletion("b"))
    let ended = try #require(try await outbox.endSession())
    #expect(ended.unsentRecords == [reading("a")])
    #expect(ended.unsentDeletions.map(\.logID) == ["b"])
    #expect("\(ended)".hasSuffix("1 unsent records and 0 held ones, and 1 unsent deletions"))

    _ = try await outbox.begin(alice)
    try await outbox.submit([reading("b")])
    let archive = try #require(ended.archive).lastPathComponent
    let returned = try await outbox.retryArchive(archive, inSession: nil, ofAnyUser: false)
    #expect(returned.waiting == 2)
    #expect(Set(try await waiting()) == ["+a", "-b"])
  }

  @Test func `keep records of an archive from going back`() async throws {
    try await outbox.submit([reading("a"), changed("b", after: 1)])
    let ended = try #require(try await outbox.endSession())
    _ = try await outbox.begin(alice)
    try await submit(deletion("a"), deletion("b"))

    let archive = try #require(ended.archive).lastPathComponent
    let returned = try await outbox.retryArchive(archive, inSession: nil, ofAnyUser: false)

    #expect((returned.waiting, returned.newer) == (1, 1))
    #expect(Set(try await waiting()) == ["-a", "+b"])
  }

  @Test func `are taken along by an export`() async throws {
    try await outbox.submit([reading("a")])
    try await submit(deletion("b"), deletion("c"))
    let rows = try await claim().filter { $0.logID == "c" }
    try await outbox.settle(rows.map { ($0, Self.refused) }, session: session())
    let place = try TemporaryFolder()
    let file = place.url.appendingPathComponent("queue.export")
    let passphrase = "a long passphrase of words"
    let key = try ExportKey(passphrase: passphrase, iterations: 1)
    _ = try await outbox.export(to: file.path, key)

    let other = try TemporaryFolder()
    let new = try await other.openOutbox()
    _ = try await new.begin(alice)
    // The device was read on the new phone.
    try await new.submit([reading("b")])
    let source = try ExportSource(file)
    let taken = try await QueueImport(
      source: source, key: source.key(of: passphrase), allowsIncomplete: false, outbox: new
    ).run()

    #expect((taken.waiting, taken.refused, taken.leftOut) == (2, 1, 0))
    #expect(try await new.pending() == [reading("a")])
    #expect(try await new.deletions().map(\.logID) == ["b"])
    #expect(try await new.quarantine().map { $0.deletion?.logID } == ["c"])
  }

  @Test func `of the default user are kept`() async throws {
    _ = try await outbox.begin(.default)
    try await outbox.submit([reading("a")])
    try await submit(deletion("a"))
    let ended = try #require(try await outbox.endSession())
    #expect(ended.unsentRecords == [])
    #expect(ended.unsentDeletions.map(\.logID) == ["a"])
  }

  @Test func `that are damaged on disk are never sent`() async throws {
    try await submit(deletion("a"), deletion("b"))
    try SQLiteDatabase(path: folder.path("outbox.sqlite"))
      .execute("UPDATE q SET body = x'01ff' WHERE log_id = \(folder.sqlName("a"))")
    #expect(try await waiting() == ["-b"])
    #expect(try await events() == [.recordDamaged(logID: "a")])
  }

  @Test func `take the place of a damaged record, which is kept apart`() async throws {
    try await outbox.submit([reading("a")])
    try SQLiteDatabase(path: folder.path("outbox.sqlite"))
      .execute("UPDATE q SET body = x'01ff' WHERE log_id = \(folder.sqlName("a"))")
    try await submit(deletion("a"))
    #expect(try await waiting() == ["-a"])
    #expect(try await outbox.quarantine().map(\.bytes) == [[1, 0xff]])
  }

  @Test func `are encrypted in the file`() async throws {
    try await submit(deletion("the-deleted-one"))
    await outbox.close()
    for name in ["outbox.sqlite", "outbox.sqlite-wal"] {
      let bytes = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
      #expect(bytes.range(of: Data("the-deleted-one".utf8)) == nil)
      #expect(bytes.range(of: Data("deleted_at".utf8)) == nil)
    }
  }

  @Test func `are copied from a damaged file`() async throws {
    try await submit(deletion("a"))
    try await outbox.submit([reading("b")])
    await outbox.close()
    try SQLiteDatabase(path: folder.path("outbox.sqlite")).execute("DROP TABLE ev")

    let recovered = try await folder.openOutbox()
    #expect(try await recovered.deletions() == [deletion("a")])
    #expect(try await recovered.pending() == [reading("b")])
  }

  @Test func `are refused where the disk space of the queue is used up`() async throws {
    let small = try TemporaryFolder()
    let outbox = try await small.openOutbox(maximumBytes: 4096)
    _ = try await outbox.begin(alice)
    await #expect {
      try await outbox.submit(Self.none, deletions: (0..<40).map { deletion("d\($0)") })
    } throws: {
      ($0 as? SessionError)?.code == .outboxFull
    }
    #expect(try await outbox.count() == 0)
  }
}
