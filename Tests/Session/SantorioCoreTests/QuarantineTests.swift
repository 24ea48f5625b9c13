// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Quarantine` {
  let folder: TemporaryFolder
  let outbox: Outbox

  init() async throws {
    folder = try TemporaryFolder()
    outbox = try await folder.openOutbox()
    _ = try await outbox.begin(alice)
    try await refuse("a", "b", "c")
  }

  private func refuse(_ identifiers: String...) async throws {
    let session = try #require(try await outbox.session()).id
    try await outbox.submit(identifiers.map { reading($0) })
    let rows = try await outbox.claim(session, count: 9, bytes: 1 << 20)
    let failure = RecordFailure(status: 422, code: "bad", message: "no", path: "metrics")
    try await outbox.settle(rows.map { ($0, .rejected(failure)) }, session: session)
  }

  private func waiting() async throws -> [String] {
    let session = try #require(try await outbox.session()).id
    return try await outbox.claim(session, count: 9, bytes: 1 << 20).map(\.logID)
  }

  @Test func `has a record's user, reason and whole content`() async throws {
    let kept = try await outbox.quarantine()

    #expect(kept.map(\.logID) == ["a", "b", "c"])
    #expect(kept.map(\.userID) == ["alice", "alice", "alice"])
    #expect(
      kept.map(\.failure)
        == Array(
          repeating: RecordFailure(status: 422, code: "bad", message: "no", path: "metrics"),
          count: 3))
    #expect(
      try kept.map { try HealthRecord(informJSON: $0.bytes) } == [
        reading("a"), reading("b"), reading("c"),
      ])
  }

  @Test func `puts back what is named, or all`() async throws {
    let ids = try await outbox.quarantine().map(\.id)

    #expect(try await outbox.retryQuarantined([ids[1], 999]) == 1)
    #expect(try await waiting() == ["b"])
    #expect(try await outbox.quarantine().map(\.logID) == ["a", "c"])

    #expect(try await outbox.retryQuarantined(nil) == 2)
    #expect(try await waiting() == ["b", "a", "c"])
    #expect(try await outbox.quarantineCount() == 0)
  }

  @Test func `keeps records of another user and damaged ones when the others are put back`()
    async throws
  {
    _ = try await outbox.begin(bob)
    try await refuse("d", "e")
    try SQLiteDatabase(path: folder.path("outbox.sqlite"))
      .execute("UPDATE quarantine SET body = x'01ff' WHERE log_id = \(folder.sqlName("e"))")

    #expect(try await outbox.retryQuarantined(nil) == 1)

    #expect(try await waiting() == ["d"])
    #expect(try await outbox.quarantine().map(\.logID) == ["a", "b", "c", "e"])
  }

  @Test func `puts back the last of several contents of one record`() async throws {
    try await outbox.submit([reading("a", systolic: 99)])
    let session = try #require(try await outbox.session()).id
    let row = try #require(try await outbox.claim(session, count: 1, bytes: 1 << 20).first)
    let failure = RecordFailure(status: 422, code: "bad", message: "no", path: "metrics")
    try await outbox.settle([(row, .rejected(failure))], session: session)

    #expect(try await outbox.retryQuarantined(nil) == 3)

    #expect(
      Set(try await outbox.pending()) == [reading("a", systolic: 99), reading("b"), reading("c")])
    #expect(try await outbox.quarantineCount() == 0)
  }

  @Test func `puts nothing back over what was submitted since`() async throws {
    try await outbox.submit([reading("a", systolic: 99)])

    #expect(try await outbox.retryQuarantined(nil) == 3)

    let rows = try await outbox.claim(1, count: 9, bytes: 1 << 20)
    #expect(rows.map(\.logID) == ["a", "b", "c"])
    #expect(try HealthRecord(informJSON: rows[0].body).value(.systolic) == 99)
  }

  @Test func `removes discarded records, and no others`() async throws {
    let ids = try await outbox.quarantine().map(\.id)

    #expect(try await outbox.discardQuarantined([ids[0], ids[2], 77]) == 2)

    #expect(try await outbox.quarantine().map(\.logID) == ["b"])
  }

  @Test func `needs a session to put records back`() async throws {
    _ = try await outbox.endSession()

    await #expect { try await outbox.retryQuarantined(nil) } throws: {
      ($0 as? SessionError)?.code == .noSession
    }
    #expect(try await outbox.quarantineCount() == 3)
  }
}
