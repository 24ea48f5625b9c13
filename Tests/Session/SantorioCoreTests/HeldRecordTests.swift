// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Held records` {
  let folder: TemporaryFolder
  let outbox: Outbox

  init() async throws {
    folder = try TemporaryFolder()
    outbox = try await Self.open(folder)
  }

  private static func open(_ folder: TemporaryFolder) async throws -> Outbox {
    try await folder.openOutbox()
  }

  private func items(_ identifiers: String...) -> [HealthRecord] {
    identifiers.map { reading($0) }
  }

  private func claimed() async throws -> [String] {
    let session = try #require(try await outbox.session())
    return try await outbox.claim(session.id, count: 10, bytes: 1 << 20).map(\.logID)
  }

  @Test func `are on the disk after a relaunch and are not sent`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a", "b"))

    #expect(try await claimed() == [])
    #expect(try await outbox.pending() == [])
    let relaunched = try await Self.open(folder)
    #expect(try await relaunched.held() == [reading("a"), reading("b")])
    #expect(try await relaunched.heldCount() == 2)
  }

  @Test func `are sent once they are submitted`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a", "b"))

    try await outbox.submit(items("b"))

    #expect(try await claimed() == ["b"])
    #expect(try await outbox.held() == [reading("a")])
  }

  @Test func `are not held again once it was decided whose they are`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a", "b"))
    let decision = UserDecision(by: "the nurse", at: Date(timeIntervalSince1970: 1_800_000_000.5))
    try await outbox.release(["a", "b", "c"], deciding: ["a", "c"], by: decision)
    #expect(try await outbox.pending() == [reading("a").decided(decision), reading("b")])
    let session = try #require(try await outbox.session())
    let rows = try await outbox.claim(session.id, count: 10, bytes: 1 << 20)
    try await outbox.settle(rows.map { ($0, .stored(serverID: nil)) }, session: session.id)

    try await outbox.hold(items("a", "b", "c"))

    // With the same decision: the server has this record.
    #expect(try await outbox.pending() == [reading("a").decided(decision)])
    #expect(try await claimed() == ["a"])
    #expect(try await outbox.held().map(\.logID) == ["b", "c"])
    _ = try await outbox.begin(bob)
    try await outbox.hold(items("a"))
    #expect(try await claimed() == [])
  }

  @Test func `are asked about no more where they are older than the pairing of their device`()
    async throws
  {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a", "b"), older: ["b"])

    #expect(try await outbox.undecided() == [reading("a")])
    #expect(try await outbox.older() == [reading("b")])
    #expect(try await outbox.olderCount() == 1)
    #expect(try await outbox.held() == [reading("a"), reading("b")])
    // Sent again, it is not sent on, and not asked about.
    #expect(try await outbox.declined(among: ["a", "b"]) == ["b"])
    try await outbox.hold(items("b"))
    try await outbox.submit(items("b"), leavingHeld: true)
    #expect(try await outbox.older() == [reading("b")])
    // Its device's memory is asked for.
    try await outbox.askAboutOlder(["a", "b"])
    #expect(try await outbox.undecided() == [reading("a"), reading("b")])
    try await outbox.setOlderAside(["a"], keeping: 10)
    try await outbox.release(["a"])
    #expect(try await claimed() == ["a"])
  }

  // An upload that asked for the time of the next attempt would ask again and again.
  @Test func `are due at no time, also when they were postponed before`() async throws {
    let session = try await outbox.begin(alice)
    try await outbox.submit(items("a"))
    let rows = try await outbox.claim(session.id, count: 1, bytes: 1 << 20)
    try await outbox.settle(rows.map { ($0, .postponed(.seconds(10))) }, session: session.id)
    #expect(try await outbox.timeUntilNextRow() != nil)
    #expect(try await outbox.holdAgain(["a"]) == ["a"])
    #expect(try await outbox.timeUntilNextRow() == nil)
  }

  @Test func `leave with an event where too many are older`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a", "b", "c"), older: ["a", "b", "c"], keeping: 2)
    #expect(try await outbox.older() == [reading("b"), reading("c")])
    let events = try await outbox.events(after: 0, count: 10).map(\.event)
    #expect(events == [.declinedRecordRemoved(reading("a"))])
  }

  @Test(arguments: [HeldState.pending, .declined, .older])
  func `keep their state in an archive`(state: HeldState) async throws {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a"), older: state == .older ? ["a"] : [])
    if state == .declined { try await outbox.decline(["a"], keeping: 10) }
    _ = try await outbox.begin(bob)
    let archive = try #require(try await outbox.archives().first?.archive)
    #expect(try await outbox.archives().first?.heldRecords == [reading("a")])
    _ = try await outbox.begin(alice)
    _ = try await outbox.retryArchive(
      archive.lastPathComponent, inSession: nil, ofAnyUser: false)
    #expect(try await outbox.undecided() == (state == .pending ? [reading("a")] : []))
    #expect(try await outbox.older() == (state == .older ? [reading("a")] : []))
  }

  @Test func `do not replace a record that already waits for the server`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.submit(items("a"))

    try await outbox.hold(items("a"))

    #expect(try await claimed() == ["a"])
    #expect(try await outbox.heldCount() == 0)
  }

  @Test func `are discarded on request, and no others`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.submit(items("a"))
    try await outbox.hold(items("b"))

    try await outbox.discardHeld(["a", "b", "c"])

    #expect(try await outbox.held() == [])
    #expect(try await claimed() == ["a"])
    #expect(try await outbox.count() == 1)
  }

  @Test func `are kept when the user declines them, and can still be sent`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a", "b"))

    try await outbox.decline(["a", "other"], keeping: 10)
    #expect(try await outbox.declined(among: ["a", "b", "other"]) == ["a"])

    #expect(try await outbox.held() == [reading("a"), reading("b")])
    #expect(try await claimed() == [])
    try await outbox.hold(items("a"))
    try await outbox.submit(items("b"), leavingHeld: true)
    try await outbox.submit(items("a"), leavingHeld: true)
    #expect(try await outbox.heldCount() == 2)
    #expect(try await outbox.release(["a"]) == [])
    #expect(try await claimed() == ["a"])
  }

  @Test func `leave with an event when more have been declined since, and no others do`()
    async throws
  {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("undecided", "a", "b", "c"))
    try await outbox.submit(items("waiting"))

    try await outbox.decline(["a"], keeping: 2)
    try await outbox.decline(["b"], keeping: 2)
    #expect(try await outbox.events(after: 0, count: 10).isEmpty)
    try await outbox.decline(["c"], keeping: 2)

    let events = try await outbox.events(after: 0, count: 10).map(\.event)
    #expect(events == [.declinedRecordRemoved(reading("a"))])
    #expect(
      try await outbox.held() == [reading("undecided"), reading("b"), reading("c")])
    #expect(try await outbox.pending() == [reading("waiting")])
    let relaunched = try await Self.open(folder)
    try await relaunched.decline([], keeping: 0)
    #expect(try await relaunched.held() == [reading("undecided")])
    #expect(try await relaunched.events(after: 0, count: 10).count == 3)
  }

  @Test func `of another session are not declined`() async throws {
    let first = try await outbox.begin(alice)
    _ = try await outbox.endSession()
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a"))
    await #expect(throws: SessionError.otherSession) {
      try await outbox.decline(["a"], keeping: 0, inSession: first.id)
    }
    #expect(try await outbox.heldCount() == 1)
  }

  @Test func `are returned apart from the others when the session ends`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.submit(items("a"))
    try await outbox.hold(items("b"))

    let ended = try await outbox.endSession()

    #expect(ended?.unsentRecords == [reading("a")])
    #expect(ended?.heldRecords == [reading("b")])
    #expect(try await outbox.heldCount() == 0)
  }

  @Test func `are held again when their archive goes back into the queue`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.submit(items("a"))
    try await outbox.hold(items("b"))
    let archive = try #require(try await outbox.endSession()?.archive)
    _ = try await outbox.begin(alice)

    let returned = try await outbox.retryArchive(
      archive.lastPathComponent, inSession: nil, ofAnyUser: false)

    #expect(returned.waiting == 1)
    #expect(returned.held == 1)
    #expect(try await outbox.held() == [reading("b")])
    #expect(try await claimed() == ["a"])
    #expect(try await outbox.archives() == [])
    #expect(!FileManager.default.fileExists(atPath: archive.path))
  }

  @Test func `stay declined when their archive goes back into the queue`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("declined", "undecided"))
    try await outbox.decline(["declined"], keeping: 10)
    let archive = try #require(try await outbox.endSession()?.archive)
    _ = try await outbox.begin(alice)

    let returned = try await outbox.retryArchive(
      archive.lastPathComponent, inSession: nil, ofAnyUser: false)

    #expect(returned.held == 2)
    #expect(try await outbox.held() == [reading("declined"), reading("undecided")])
    try await outbox.decline([], keeping: 0)
    #expect(try await outbox.held() == [reading("undecided")])
    #expect(
      try await outbox.events(after: 0, count: 10).map(\.event).last
        == .declinedRecordRemoved(reading("declined")))
  }

  @Test func `whose line in an archive is damaged go to the quarantine`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.submit(items("a", "b", "c"))
    let archive = try #require(try await outbox.endSession()?.archive)
    var lines = try String(contentsOf: archive, encoding: .utf8).split(separator: "\n")
    for index in 0..<2 { lines[index] = lines[index].dropLast(8) + "AAAAAAA=" }
    try lines.joined(separator: "\n").write(to: archive, atomically: true, encoding: .utf8)
    _ = try await outbox.begin(alice)

    let returned = try await outbox.retryArchive(
      archive.lastPathComponent, inSession: nil, ofAnyUser: false)

    #expect(returned.damaged == 2)
    #expect(returned.waiting == 1)
    #expect(try await outbox.quarantine().count == 2)
    #expect(try await claimed() == ["c"])
  }

  @Test func `count as damaged, and are not sent, when their mark was removed without a release`()
    async throws
  {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a"))
    try SQLiteDatabase(path: folder.path("outbox.sqlite")).execute("UPDATE q SET held = 0")

    #expect(try await claimed() == [])

    #expect(try await outbox.quarantine().map(\.logID) == ["a"])
  }

  @Test func `stay held in an archive whose mark is damaged`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a"))
    let archive = try #require(try await outbox.endSession()?.archive)
    let text = try String(contentsOf: archive, encoding: .utf8)
    try text.replacing("\theld", with: "\thel").write(
      to: archive, atomically: true, encoding: .utf8)
    _ = try await outbox.begin(alice)

    let returned = try await outbox.retryArchive(
      archive.lastPathComponent, inSession: nil, ofAnyUser: false)

    #expect(returned.held == 1)
    #expect(try await claimed() == [])
  }

  @Test func `stay unchanged when the device is read again`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a"))

    try await outbox.submit(items("a", "b"), leavingHeld: true)

    #expect(try await outbox.held() == [reading("a")])
    #expect(try await claimed() == ["b"])
  }

  @Test func `are not released by an archive that was emptied`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a"))
    let archive = try #require(try await outbox.endSession()?.archive)
    try Data().write(to: archive)
    _ = try await outbox.begin(alice)

    await #expect {
      try await outbox.retryArchive(
        archive.lastPathComponent, inSession: nil, ofAnyUser: false)
    } throws: {
      ($0 as? SessionError)?.code == .storageDamaged
    }
    #expect(try await outbox.archives().count == 1)
  }

  @Test func `are removed with their archive though a kill came before`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.hold(items("a"))
    let archive = try #require(try await outbox.endSession()?.archive)
    let content = try Data(contentsOf: archive)
    _ = try await outbox.begin(alice)
    try await outbox.retryArchive(archive.lastPathComponent, inSession: nil, ofAnyUser: false)
    try content.write(to: archive)

    #expect(try await Self.open(folder).archives() == [])

    #expect(!FileManager.default.fileExists(atPath: archive.path))
  }

  @Test func `need space like others, but none to be released`() async throws {
    _ = try await outbox.begin(alice)
    var held: [HealthRecord] = []
    await #expect {
      for number in 0..<10_000 {
        let record = reading("r\(number)")
        try await outbox.hold([record])
        held.append(record)
      }
    } throws: {
      ($0 as? SessionError)?.code == .outboxFull
    }
    #expect(held.count > 100)

    try await outbox.submit(held)

    #expect(try await outbox.heldCount() == 0)
    #expect(try await outbox.pending() == held)
  }

  @Test func `need a session`() async throws {
    await #expect { try await outbox.hold(items("a")) } throws: {
      ($0 as? SessionError)?.code == .noSession
    }
  }
}
