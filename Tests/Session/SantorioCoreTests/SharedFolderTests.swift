// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

/// A session runs while another process uses its folder, of which the test has the file.
///
/// No time passes.
@Suite(.timeLimit(.minutes(15))) struct `A running session that shares its folder` {
  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private let running: SantorioSession
  private let other: Outbox

  init() async throws {
    folder = try TemporaryFolder()
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    running = SantorioSession(configuration(folder, transport, clock: clock))
    other = Outbox(
      folder: folder.url, maximumBytes: 1 << 20,
      credentials: CredentialFiles(folder: folder.url), now: { Date() })
    try await running.start(alice)
  }

  /// Waits until the running session has found nothing to do.
  private func untilRest() async { await running.rests.next { running.uploading.call(.answer) } }

  private func runs<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await SantorioCoreTests.running(running) {
      await untilRest()
      return try await body()
    }
  }

  /// Lets time pass until no sleep has an end; one who looks again and again never comes to that.
  private func untilNothingIsLookedAt() async {
    while let sleep = clock.sleeps.min(), sleep < .seconds(86_400) {
      clock.advance(by: sleep)
      await Task.yield()
    }
  }

  private func next(_ events: SessionEvents) async -> SessionEvent? {
    for await event in events { return event }
    return nil
  }

  @Test func `sends what the other stores`() async throws {
    let events = running.events
    try await runs {
      try await other.submit([reading("a")])
      #expect(await next(events) == .recordSubmitted(reading("a"), serverID: "s-a"))
    }
  }

  @Test func `reports what the other does`() async throws {
    let events = running.events
    let ended = try await runs {
      let ended = try #require(try await other.endSession())
      #expect(await next(events) == .sessionEnded(ended))
      return ended
    }
    #expect(ended.userID == alice.userID)
  }

  @Test func `goes on with the file that takes the place of a removed one`() async throws {
    let events = running.events
    try await runs {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      where name.hasPrefix("outbox.sqlite") && !name.hasSuffix(".lock") {
        try FileManager.default.removeItem(atPath: folder.path(name))
      }
      try await running.submit(reading("b"))
      #expect(await next(events) == .recordSubmitted(reading("b"), serverID: "s-b"))
    }
  }

  @Test func `reports a damaged record although nothing else happens`() async throws {
    try await running.submit(reading("a"))
    try SQLiteDatabase(path: folder.path("outbox.sqlite")).execute("UPDATE q SET body = x'7b327d'")
    let events = running.events
    try await runs { #expect(await next(events) == .recordDamaged(logID: "a")) }
  }

  @Test func `looks at nothing while nothing happens`() async throws {
    try await runs {
      await untilNothingIsLookedAt()
      try await running.submit(reading("a"))
      #expect(try await running.drain() == .empty)
      await untilNothingIsLookedAt()
    }
  }

  @Test func `is not told of its own changes`() async throws {
    #expect(try await other.hasNews())
    try await other.submit([reading("a")])
    #expect(try await !other.hasNews())
    try await running.submit(reading("b"))
    #expect(try await other.hasNews())
    #expect(try await !other.hasNews())
  }
}
