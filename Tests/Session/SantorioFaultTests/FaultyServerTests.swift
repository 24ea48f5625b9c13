// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import SantorioCore
import TestSupport
import Testing

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `A faulty server` {
    private struct Way {
      let server: ServerProcess
      let folder: TemporaryFolder
      let line: FaultProxy
      let stage: Stage
      let session: SantorioSession
      let ledger = Ledger()

      init(
        _ server: ServerProcess, limit: Int, timeout: Duration = .seconds(20),
        _ choice: @escaping FaultProxy.Choice
      ) async throws {
        self.server = server
        folder = try TemporaryFolder()
        line = try #require(FaultProxy(to: server.port, choice))
        stage = Stage(limit: limit)
        var configuration = stage.configuration(
          folder: folder.url, server: ServerProcess.url(port: line.port))
        configuration.requestTimeout = timeout
        configuration.random = { $0.lowerBound }
        session = SantorioSession(configuration)
        try await session.start(server.alice)
      }

      func bring(_ name: String, calls: Int) async throws {
        for call in 0..<calls {
          let ids = (0..<15).map { "\(name)-\(call)-\($0)" }
          try await session.submit(ids.map { reading($0) })
          for id in ids { ledger.take("ACK \(id)") }
        }
        let outcome = await stage.drain(session, folder: folder.url) { [ledger] in ledger.hear($0) }
        #expect(outcome == .empty)
      }
    }

    /// The names of the faults, a stall before and after among them.
    private static let faults: [String] =
      ["stall before", "stall after"] + RandomFaults.names

    /// Spoils the second, third and fifth request: a first batch, its repetition, and a later one.
    @Test func `loses nothing, whatever it does`() async throws {
      let (server, all) = (try await ServerProcess(), Ledger())
      try await two(Self.faults.count, "faulty server") { index in
        let name = Self.faults[index]
        let isStall = name.hasPrefix("stall")
        let way = try await Way(
          server, limit: 30, timeout: isStall ? .milliseconds(500) : .seconds(20)
        ) { request, number in
          [2, 3, 5].contains(number) ? RandomFaults.named(name, for: request) : .none
        }

        try await way.bring("s\(index)", calls: 4)

        let entries = way.ledger.all
        #expect(entries.submitted.values.allSatisfy { $0 == 1 }, "\(name)")
        #expect(entries.failed == [], "\(name)")
        for id in entries.acknowledged { all.take("ACK \(id)") }
        for id in entries.delivered { all.take("SUBMITTED \(id)") }
      }
      let entries = all.all
      compare(entries, try server.store(), "\(Self.faults.count) faults in turn")
      #expect(entries.delivered == entries.acknowledged)
      #expect(entries.acknowledged.count == Self.faults.count * 60)
    }

    @Test func `loses nothing when half of all requests fail`() async throws {
      let (server, all) = (try await ServerProcess(), Ledger())
      let rounds = Extent.of(30, short: 4)
      try await two(rounds, "random faults") { index in
        let faults = RandomFaults(seed: Extent.seed &+ UInt64(index), share: 50)
        let way = try await Way(server, limit: 300, timeout: .milliseconds(500)) {
          faults.draw($0, $1)
        }

        try await way.bring("r\(index)", calls: 10)

        let entries = way.ledger.all
        #expect(entries.submitted.values.allSatisfy { $0 == 1 })
        #expect(entries.failed == [])
        for id in entries.acknowledged { all.take("ACK \(id)") }
        for id in entries.delivered { all.take("SUBMITTED \(id)") }
      }
      let entries = all.all
      compare(entries, try server.store(), "\(rounds) rounds of random faults")
      #expect(entries.acknowledged.count == rounds * 150)
    }

    @Test(arguments: [("503 with seconds", 7), ("429 with a date", 7)])
    func `gets no requests for as long as it asks`(fault: String, seconds: Int) async throws {
      let way = try await Way(try await ServerProcess(), limit: 9) { request, number in
        number == 2 ? RandomFaults.named(fault, for: request) : .none
      }

      try await way.bring("w", calls: 1)

      #expect(way.stage.clock.now.offset == .seconds(seconds))
    }
  }
}
