// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore
import SantorioJSON

@Suite(.timeLimit(.minutes(15))) struct `Outbox file` {
  let folder: TemporaryFolder
  let clock = WallClock()

  init() throws { folder = try TemporaryFolder() }

  private func open(maximumBytes: Int = 1 << 20) async throws -> Outbox {
    let outbox = Outbox(
      folder: folder.url, maximumBytes: maximumBytes,
      credentials: CredentialFiles(folder: folder.url), now: clock.now)
    try await outbox.open()
    return outbox
  }

  private func begun(maximumBytes: Int = 1 << 20) async throws -> Outbox {
    let outbox = try await open(maximumBytes: maximumBytes)
    _ = try await outbox.begin(alice)
    return outbox
  }

  private func database() throws -> SQLiteDatabase {
    try SQLiteDatabase(path: folder.path("outbox.sqlite"))
  }

  private func claimed(_ outbox: Outbox, count: Int = 100, bytes: Int = 1 << 20) async throws
    -> [String]
  {
    try await outbox.claim(1, count: count, bytes: bytes).map(\.logID)
  }

  // MARK: - Keeping

  @Test func `keeps what was submitted for the next process`() async throws {
    var outbox: Outbox? = try await begun()
    try await outbox?.submit([item("a", #"{"x":1}"#), item("b")])
    outbox = nil

    let reopened = try await open()
    let rows = try await reopened.claim(1, count: 10, bytes: 1 << 20)

    #expect(rows.map(\.logID) == ["a", "b"])
    #expect(rows.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"x":1}"#, "{}"])
  }

  @Test func `has committed what another connection can see once submit returns`() async throws {
    let outbox = try await begun()
    try await outbox.submit([item("a")])

    #expect(try folder.logIDs(in: "q") == ["a"])
    #expect(try database().integer("PRAGMA synchronous") == 2)
  }

  @Test func `stores all items of a call or none`() async throws {
    let outbox = try await begun(maximumBytes: 200_000)
    let large = String(repeating: "x", count: 60_000)

    await #expect {
      try await outbox.submit([item("a", large), item("b", large), item("c", large)])
    } throws: { ($0 as? SessionError)?.code == .outboxFull }

    #expect(try await outbox.count() == 0)
    try await outbox.submit([item("a", large)])
    #expect(try await outbox.count() == 1)
  }

  @Test func `stores a call of many batches in its order`() async throws {
    let outbox = try await begun()
    let identifiers = (0..<1000).map { "r\($0)" }

    try await outbox.submit(identifiers.map { item($0, "\"\($0)\"") })

    let rows = try await outbox.claim(1, count: 2000, bytes: 1 << 20)
    #expect(rows.map(\.logID) == identifiers)
    #expect(
      rows.map { String(decoding: $0.body, as: UTF8.self) } == identifiers.map { "\"\($0)\"" })
  }

  @Test func `replaces a waiting record, wherever it is in a call of many batches`() async throws {
    let outbox = try await begun()
    try await outbox.submit([item("r7", "1"), item("r40", "1"), item("r41", "41")])

    try await outbox.submit((0..<50).map { item("r\($0)", "\($0)") } + [item("r3", "twice")])

    let rows = try await outbox.claim(1, count: 100, bytes: 1 << 20)
    #expect(rows.count == 50)
    let bodies = Dictionary(
      uniqueKeysWithValues: rows.map { ($0.logID, String(decoding: $0.body, as: UTF8.self)) })
    #expect(bodies["r7"] == "7" && bodies["r40"] == "40" && bodies["r41"] == "41")
    #expect(bodies["r3"] == "twice")
  }

  /// An item during whose encoding others arrive.
  private struct SlowItem: OutboxItem {
    let logID = "slow"
    let isBegun = Locked(false)
    let mayEnd = DispatchSemaphore(value: 0)

    func write(to json: inout JSONWriter) {
      isBegun.withLock { $0 = true }
      mayEnd.wait()
      json.value(Array("{}".utf8))
    }
  }

  /// The first batches of the call have room, the last have not.
  @Test func `stores nothing of a call that is too large, and all of those that share its commit`()
    async throws
  {
    let outbox = try await begun(maximumBytes: 400_000)
    // Nobody encodes ahead of the queue, so that it stops at the slow item until all have come.
    outbox.currentSeal.withLock { $0 = nil }
    let slow = SlowItem()
    async let first: Void = outbox.submit([slow])
    while !slow.isBegun.withLock({ $0 }) { await Task.yield() }
    let codes = await withTaskGroup(of: SessionError.Code?.self) { group in
      for caller in 0..<20 {
        let size = caller == 10 ? 200 : 1
        let items = (0..<size).map { item("\(caller)-\($0)", String(repeating: "x", count: 3000)) }
        group.addTask {
          do throws(SessionError) {
            try await outbox.submit(items)
            return nil
          } catch {
            return error.code
          }
        }
      }
      while outbox.arrivals.withLock({ $0.count }) < 20 { await Task.yield() }
      slow.mayEnd.signal()
      return await group.reduce(into: []) { $0.append($1) }
    }
    try await first

    #expect(codes.compactMap { $0 } == [.outboxFull])
    let small = (0..<20).filter { $0 != 10 }.map { "\($0)-0" }
    #expect(Set(try await claimed(outbox)) == Set(small + ["slow"]))
    // One for the slow item, one that was given up, one for the others.
    #expect(await outbox.commitCount == 3)
  }

  @Test func `is filled to its limit by small calls, but no further`() async throws {
    let maximum = 400_000
    let outbox = try await begun(maximumBytes: maximum)
    let body = String(repeating: "x", count: 500)
    var count = 0

    await #expect {
      while count < 1000 {
        try await outbox.submit([item("\(count)", body), item("\(count)b", body)])
        count += 1
      }
    } throws: { ($0 as? SessionError)?.code == .outboxFull }

    #expect(try await outbox.count() == 2 * count)
    let database = try database()
    let pages = try database.integer("PRAGMA page_count")
    let used = Int(pages - (try database.integer("PRAGMA freelist_count"))) * OutboxSchema.pageSize
    // Pages are taken whole.
    #expect((maximum * 9 / 10...maximum + 4 * OutboxSchema.pageSize).contains(used))
  }

  @Test func `has room again after an upload`() async throws {
    let outbox = try await begun(maximumBytes: 200_000)
    let large = String(repeating: "x", count: 90_000)
    try await outbox.submit([item("a", large)])
    await #expect { try await outbox.submit([item("b", large)]) } throws: {
      ($0 as? SessionError)?.code == .outboxFull
    }
    let rows = try await outbox.claim(1, count: 1, bytes: 100)
    try await outbox.settle([(rows[0], .stored(serverID: "1"))], session: 1)
    try await outbox.discardEvents(through: 9)

    try await outbox.submit([item("b", large)])

    #expect(try await claimed(outbox) == ["b"])
  }

  @Test func `refuses records without a session`() async throws {
    let outbox = try await open()

    await #expect { try await outbox.submit([item("a")]) } throws: {
      ($0 as? SessionError)?.code == .noSession
    }

    #expect(try await outbox.count() == 0)
  }

  @Test func `shares commits between calls that come together`() async throws {
    let outbox = try await begun()
    let before = try database().integer("PRAGMA data_version")
    #expect(before >= 1)

    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 { group.addTask { try await outbox.submit([item("r\(index)")]) } }
      try await group.waitForAll()
    }

    #expect(try await outbox.count() == 200)
    let commits = await outbox.commitCount
    #expect(commits < 200)
  }

  @Test(arguments: [2, 99])
  func `refuses a file of a newer version and leaves it as it is`(version: Int64) async throws {
    _ = try await begun()
    try database().execute("PRAGMA user_version = \(version)")

    await #expect { try await open() } throws: { ($0 as? SessionError)?.code == .storageIsNewer }

    #expect(try database().integer("PRAGMA user_version") == version)
  }

  // MARK: - Claiming

  @Test func `claims in the order of submission, in batches of a count and of bytes`() async throws
  {
    let outbox = try await begun()
    try await outbox.submit((0..<5).map { item("r\($0)", "0123456789") })

    #expect(try await claimed(outbox, count: 2) == ["r0", "r1"])
    #expect(try await claimed(outbox, bytes: 33) == ["r0", "r1", "r2"])
    #expect(try await claimed(outbox, bytes: 5) == ["r0"])
  }

  @Test func `claims without sorting`() async throws {
    _ = try await begun()

    let plan = try database().prepare("EXPLAIN QUERY PLAN " + Outbox.claimSQL).all { $0.text(3) }

    #expect(plan.filter { $0.contains(" q") } == ["SCAN q"])
    #expect(!plan.contains { $0.contains("TEMP B-TREE") })
  }

  @Test func `finds the time of the next row through its index`() async throws {
    _ = try await begun()

    let plan = try database().prepare(
      "EXPLAIN QUERY PLAN SELECT min(not_before) FROM q WHERE not_before > 0"
    ).all { $0.text(3) }

    #expect(plan == ["SEARCH q USING COVERING INDEX q_wait (not_before>?)"])
  }

  @Test func `claims nothing for a session that is not the current one`() async throws {
    let outbox = try await begun()
    _ = try await outbox.begin(bob)
    try await outbox.submit([item("of-bob")])

    #expect(try await outbox.claim(1, count: 9, bytes: 100).isEmpty)
    #expect(try await outbox.claim(2, count: 9, bytes: 100).map(\.logID) == ["of-bob"])
  }

  @Test func `ends no session for a token that was replaced meanwhile`() async throws {
    let outbox = try await begun()
    var renewed = alice
    renewed.accessToken = "newer"
    _ = try await outbox.begin(renewed)

    let server = localURL()
    #expect(try await outbox.endRefusedSession(1, token: "token-of-alice", by: server) == nil)
    #expect(try await outbox.endRefusedSession(7, token: "newer", by: server) == nil)
    #expect(try await outbox.session()?.userID == "alice")
    let ended = try await outbox.endRefusedSession(1, token: "newer", by: server)
    #expect(ended?.reason == .credentialsRefused)
  }

  @Test func `does not claim a postponed row before its time, and others meanwhile`() async throws {
    let outbox = try await begun()
    try await outbox.submit([item("a"), item("b")])
    let rows = try await outbox.claim(1, count: 1, bytes: 100)
    try await outbox.settle([(rows[0], .postponed(.seconds(10)))], session: 1)

    #expect(try await claimed(outbox) == ["b"])
    #expect(try await outbox.timeUntilNextRow() == .seconds(10))
    clock.advance(by: 10)
    #expect(try await claimed(outbox) == ["a", "b"])
    #expect(try await outbox.claim(1, count: 1, bytes: 100)[0].attempts == 1)
  }

  @Test func `is awaited by nobody once an upload carries a postponed row`() async throws {
    let outbox = try await begun()
    try await outbox.submit([item("a")])
    let rows = try await outbox.claim(1, count: 1, bytes: 100)
    try await outbox.settle([(rows[0], .postponed(.seconds(10)))], session: 1)
    clock.advance(by: 10)
    let row = try await outbox.claim(1, count: 1, bytes: 100)[0]

    try await outbox.begin(
      StoredTransfer(
        id: "upload", session: 1,
        content: .init(
          rows: [.init(sequence: row.sequence, sum: row.sum, logID: row.logID)], isPacked: false,
          tokenMark: [])))

    #expect(try await claimed(outbox) == [])
    #expect(try await outbox.timeUntilNextRow() == nil)
  }

  @Test(arguments: [-301, -86_400, -34_560_000, 2_592_000] as [Double])
  func `claims a postponed row at once after the clock has jumped`(jump: Double) async throws {
    let outbox = try await begun()
    try await outbox.submit([item("a")])
    let rows = try await outbox.claim(1, count: 1, bytes: 100)
    try await outbox.settle([(rows[0], .postponed(.seconds(299)))], session: 1)

    clock.advance(by: jump)

    #expect(try await claimed(outbox) == ["a"])
  }

  @Test func `never makes a row wait for so long that the wait would count as a clock jump`()
    async throws
  {
    let outbox = try await begun()
    try await outbox.submit([item("a")])
    let rows = try await outbox.claim(1, count: 1, bytes: 100)

    try await outbox.settle([(rows[0], .postponed(.seconds(5000)))], session: 1)

    #expect(try await claimed(outbox) == [])
  }

  @Test func `moves a damaged row to the quarantine and continues with the next`() async throws {
    let outbox = try await begun()
    try await outbox.submit([item("a", "{1}"), item("b"), item("c")])
    try database().execute(
      "UPDATE q SET body = x'7b327d' WHERE log_id = \(folder.sqlName("a"))")

    #expect(try await claimed(outbox) == ["b", "c"])

    #expect(try await outbox.count() == 2)
    let quarantine = try await outbox.quarantine()
    #expect(quarantine.map(\.logID) == ["a"])
    #expect(quarantine.map(\.userID) == ["alice"])
    #expect(quarantine[0].bytes == Array("{2}".utf8))
    #expect(
      try await outbox.events(after: 0, count: 10).map(\.event) == [.recordDamaged(logID: "a")])
  }

  // MARK: - Repeats

  @Test func `keeps one row when a record is submitted again`() async throws {
    let outbox = try await begun()
    try await outbox.submit([item("a")])

    try await outbox.submit([item("a"), item("b")])

    #expect(try await claimed(outbox) == ["a", "b"])
  }

  @Test func `replaces a waiting record by one with other content, in its position`() async throws {
    let outbox = try await begun()
    try await outbox.submit([item("a", "old"), item("b")])

    try await outbox.submit([item("a", "newer")])

    let rows = try await outbox.claim(1, count: 10, bytes: 1000)
    #expect(rows.map(\.logID) == ["a", "b"])
    #expect(rows[0].body == Array("newer".utf8))
    #expect(try await outbox.count() == 2)
  }

  @Test(arguments: [1, 2, 31, 32, 33, 64, 100])
  func `keeps a call of any length whole and in order`(count: Int) async throws {
    let outbox = try await begun()
    let items = (0..<count).map { item("r\($0)", String(repeating: "x", count: $0 * 7)) }

    try await outbox.submit(items)

    let rows = try await outbox.claim(1, count: 1000, bytes: 1 << 20)
    #expect(rows.map(\.logID) == items.map(\.logID))
    #expect(rows.map(\.body) == items.map(\.body))
  }

  @Test func `distinguishes new, repeated and changed records of one call`() async throws {
    let outbox = try await begun()
    try await outbox.submit((0..<100).map { item("r\($0)", "\($0)") })
    let before = try await outbox.claim(1, count: 1000, bytes: 1 << 20)

    // Of three that wait, one has changed; two of the new ones stand twice in the call.
    try await outbox.submit(
      (0..<100).map { item("r\($0)", $0 % 3 == 0 ? "changed" : "\($0)") }
        + [item("a", "1"), item("b", "2"), item("a", "3"), item("b", "2")])

    let after = try await outbox.claim(1, count: 1000, bytes: 1 << 20)
    #expect(after.map(\.logID) == before.map(\.logID) + ["a", "b"])
    #expect(after.suffix(2).map { String(decoding: $0.body, as: UTF8.self) } == ["3", "2"])
    for (old, new) in zip(before, after) {
      let hasChanged = old.sequence % 3 == 1
      #expect(new.sequence == old.sequence)
      #expect(new.body == (hasChanged ? Array("changed".utf8) : old.body))
      // What is on its way to the server is not sent again.
      #expect((new.sum == old.sum) == !hasChanged)
    }
  }

  @Test(arguments: [
    DeliveryResult.stored(serverID: "1"),
    .rejected(RecordFailure(status: 400, code: "x", message: "", path: nil)),
  ])
  func `keeps a body that replaced another while that was on its way`(answer: DeliveryResult)
    async throws
  {
    let outbox = try await begun()
    try await outbox.submit([item("a", "old")])
    let inFlight = try await outbox.claim(1, count: 1, bytes: 100)
    try await outbox.submit([item("a", "new")])

    try await outbox.settle([(inFlight[0], answer)], session: 1)

    let rows = try await outbox.claim(1, count: 1, bytes: 100)
    #expect(rows.map(\.body) == [Array("new".utf8)])
    #expect(try await outbox.events(after: 0, count: 10).isEmpty)
    #expect(try await outbox.quarantine().isEmpty)
  }

  @Test func `never reuses a number, so that a late answer cannot apply to another row`()
    async throws
  {
    let outbox = try await begun()
    try await outbox.submit([item("a")])
    let late = try await outbox.claim(1, count: 1, bytes: 100)
    try await outbox.settle([(late[0], .stored(serverID: nil))], session: 1)
    try await outbox.submit([item("a")])

    try await outbox.settle([(late[0], .stored(serverID: nil))], session: 1)

    #expect(try await claimed(outbox) == ["a"])
  }

  // MARK: - Room

  @Test
  func `releases a part of the reserved disk space each time that it cannot be opened otherwise`()
    throws
  {
    let reservedDiskSpace = ReservedDiskSpace(path: folder.path("reservedDiskSpace"))
    reservedDiskSpace.hold()
    var parts = 0
    while reservedDiskSpace.lighten() { parts += 1 }
    #expect(parts == 9)
    let size =
      try FileManager.default.attributesOfItem(atPath: reservedDiskSpace.path)[.size] as? Int
    #expect(size == 0)
    reservedDiskSpace.hold()
    #expect(reservedDiskSpace.lighten())
  }

  @Test func `releases the reserved disk space for draining only`() async throws {
    let outbox = try await begun()
    let reservedDiskSpace = folder.path("outbox.sqlite.reservedDiskSpace")
    let size = try FileManager.default.attributesOfItem(atPath: reservedDiskSpace)[.size] as? Int
    #expect(size == 589_824)
    try await outbox.submit((0..<50).map { item("r\($0)", String(repeating: "x", count: 1000)) })
    try await outbox.limitPages()

    await #expect {
      for index in 0..<50 {
        try await outbox.submit([item("s\(index)", String(repeating: "x", count: 9000))])
      }
    } throws: {
      ($0 as? SessionError)?.code == .diskFull
    }

    #expect(FileManager.default.fileExists(atPath: reservedDiskSpace))
    #expect(try await claimed(outbox, count: 50).count == 50)
  }

  private func size(_ name: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: folder.path(name))[.size] as? Int ?? 0
  }

  @Test func `moves a long log into the file after the call has returned`() async throws {
    let outbox = try await begun()
    let body = String(repeating: "x", count: 4000)
    try await outbox.submit((0..<100).map { item("r\($0)", body) })
    // Waits for what the outbox had begun before, and does nothing itself.
    _ = await outbox.commitCount

    #expect(try size("outbox.sqlite") > 400_000)
    let log = try size("outbox.sqlite-wal")
    try await outbox.submit([item("next")])
    #expect(try size("outbox.sqlite-wal") < log)
  }

  @Test func `bounds the log under load that never pauses`() async throws {
    let outbox = try await begun(maximumBytes: 1 << 24)
    let body = String(repeating: "x", count: 1000)
    let longest = try await withThrowingTaskGroup(of: Int.self) { group in
      for caller in 0..<4 {
        group.addTask {
          var longest = 0
          for index in 0..<200 {
            try await outbox.submit([item("\(caller)-\(index)", body)])
            longest = max(longest, try size("outbox.sqlite-wal"))
          }
          return longest
        }
      }
      return try await group.reduce(0, max)
    }

    // What calls for a checkpoint, and what four calls and the pages above them add to it.
    #expect(longest < (64 + 40) * 4120)
    #expect(try await outbox.count() == 800)
  }

  @Test func `reads and writes files of its owner only`() async throws {
    let outbox = try await begun()
    try await outbox.submit([item("a")])
    _ = try await outbox.endSession()

    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let mode =
        try FileManager.default.attributesOfItem(atPath: folder.path(name))[
          .posixPermissions] as? Int
      #expect((mode ?? 0) & 0o077 == 0, "\(name)")
    }
  }
}

extension Outbox {
  /// Lets the file grow no further.
  fileprivate func limitPages() throws {
    let pages = try database.integer("PRAGMA page_count")
    try database.execute("PRAGMA max_page_count = \(pages)")
  }
}
