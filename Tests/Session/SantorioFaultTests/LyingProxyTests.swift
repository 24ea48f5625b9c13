// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import SantorioConcurrency
import SantorioCore
import TestSupport
import Testing

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `A proxy that lies` {
    /// What a proxy, a firewall or a captive portal says in the server's place.
    private static let bodies = [
      "", "<html><h1>Forbidden</h1></html>", #"{"message":"Forbidden"}"#, "{}",
      #"{"error":{"code":403,"message":"blocked"}}"#,
    ]
    private static let statuses = [200, 302, 400, 401, 403, 404, 407, 409, 410, 413, 415, 422]
    private static let lies: [LineFault] = statuses.flatMap { status in
      bodies.map { .answer(LineFault.http(status, $0, ["Content-Type: text/html"])) }
    }
    /// The server's own word about a token that it does not know.
    private static let unknownToken = LineFault.answer(
      LineFault.http(401, #"{"error":{"code":"unknown_token","message":"unknown"}}"#))

    private struct Way {
      let folder: TemporaryFolder
      let line: FaultProxy
      let stage: Stage
      let session: SantorioSession
      let ledger = Ledger()

      init(
        to server: ServerProcess, limit: Int, _ choice: @escaping FaultProxy.Choice
      ) throws {
        folder = try TemporaryFolder()
        line = try #require(FaultProxy(to: server.port, choice))
        stage = Stage(limit: limit)
        var configuration = stage.configuration(
          folder: folder.url, server: ServerProcess.url(port: line.port))
        configuration.random = { $0.lowerBound }
        session = SantorioSession(configuration)
      }

      func submit(_ name: String, _ count: Int) async throws {
        let ids = (0..<count).map { "\(name)-\($0)" }
        try await session.submit(ids.map { reading($0) })
        for id in ids { ledger.take("ACK \(id)") }
      }

      func drain() async -> Stage.Outcome {
        await stage.drain(session, folder: folder.url) { [ledger] in ledger.hear($0) }
      }

      /// Nothing was given up, and the session is the user's still.
      func check(_ user: SantorioUser, _ lie: String) async throws {
        #expect(ledger.all.failed == [], "\(lie)")
        #expect(ledger.all.others == [], "\(lie)")
        #expect(try await session.quarantinedCount() == 0, "\(lie)")
        #expect(try await session.archives() == [], "\(lie)")
        #expect(try await session.user() == user, "\(lie)")
      }
    }

    /// Lies to the question about the user, to the first batches, and to others between true
    /// answers.
    @Test func `loses nothing, whatever it answers`() async throws {
      let (server, all) = (try await ServerProcess(), Ledger())
      try await two(Self.lies.count, "lies") { index in
        let lie = Self.lies[index]
        let way = try Way(to: server, limit: 80) { _, number in
          number <= 6 || [8, 9, 11].contains(number) ? lie : .none
        }

        try await way.session.start(server.alice)
        try await way.submit("lie-\(index)", 30)
        #expect(await way.drain() == .empty, "\(lie)")

        try await way.check(server.alice, "\(lie)")
        for id in way.ledger.all.acknowledged { all.take("ACK \(id)") }
        for id in way.ledger.all.delivered { all.take("SUBMITTED \(id)") }
      }
      compare(all.all, try server.store(), "\(Self.lies.count) lies in turn")
      #expect(all.all.delivered.count == Self.lies.count * 30)
    }

    @Test func `loses nothing when half of all answers are its own`() async throws {
      let server = try await ServerProcess()
      let random = Locked(SeededGenerator(seed: Extent.seed))
      let count = Extent.of(2000, short: 200)
      let way = try Way(to: server, limit: count * 4) { _, _ in
        random.withLock { random in
          Bool.random(using: &random)
            ? Self.lies.randomElement(using: &random) ?? .none : .none
        }
      }

      try await way.session.start(server.alice)
      try await way.submit("half", count)
      #expect(await way.drain() == .empty)

      try await way.check(server.alice, "half of all answers")
      compare(way.ledger.all, try server.store(), "half of \(way.line.requestCount) answers lied")
    }

    @Test func `is no reason to end a session, nor is a server that forgets a token for minutes`()
      async throws
    {
      let server = try await ServerProcess()
      // Ten refusals take 511.5 s of the 900 that a session waits.
      let way = try Way(to: server, limit: 80) { _, number in
        (2...11).contains(number) ? Self.unknownToken : .none
      }

      try await way.session.start(server.alice)
      try await way.submit("forgotten", 10)
      #expect(await way.drain() == .empty)

      try await way.check(server.alice, "unknown token")
      compare(way.ledger.all, try server.store(), "a token forgotten for minutes")
    }

    @Test func `loses nothing when a restored server knows the user again after the session's end`()
      async throws
    {
      let server = try await ServerProcess()
      let way = try Way(to: server, limit: 200) { _, number in
        number > 1 ? Self.unknownToken : .none
      }
      try await way.session.start(server.alice)
      try await way.submit("restored", 25)
      // The end is reported, and the queue is empty since all records are in an archive.
      #expect(await way.drain() == .empty)
      #expect(try await way.session.user() == nil)
      #expect(try await way.session.archives().map(\.unsentRecords.count) == [25])

      way.line.heal()
      try await way.session.start(server.alice)
      #expect(try await way.session.archives() == [])
      try await way.submit("later", 5)
      #expect(await way.drain() == .empty)

      let entries = way.ledger.all
      compare(entries, try server.store(), "an archive that went back")
      #expect(entries.delivered.count == 30)
      #expect(entries.others.count == 1)
    }
  }
}
