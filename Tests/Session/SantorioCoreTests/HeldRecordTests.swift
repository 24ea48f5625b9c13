// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Held records` {
  let folder: TemporaryFolder
  let outbox: Outbox

  init() throws {
    folder = try TemporaryFolder()
    outbox = try Self.open(folder)
  }

  private static func open(_ folder: TemporaryFolder) throws -> Outbox {
    try folder.openOutbox()
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
    let relaunched = try Self.open(folder)
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

  @Test func `do not hold back what waits for the server already`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.submit(items("a"))

    try await outbox.hold(items("a"))

    #expect(try await claimed() == ["a"])
    #expect(try await outbox.heldCount() == 0)
  }

  @Test func `are discarded on demand, and only they`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.submit(items("a"))
    try await outbox.hold(items("b"))

    try await outbox.discardHeld(["a", "b", "c"])

    #expect(try await outbox.held() == [])
    #expect(try await claimed() == ["a"])
    #expect(try await outbox.count() == 1)
  }

  @Test func `are handed out with the others when the session ends`() async throws {
    _ = try await outbox.begin(alice)
    try await outbox.submit(items("a"))
    try await outbox.hold(items("b"))

    let ended = try await outbox.endSession()

    #expect(ended?.unsentRecords == [reading("a"), reading("b")])
    #expect(try await outbox.heldCount() == 0)
  }

  @Test func `need room like others, and none to be let go`() async throws {
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
