// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HealthRecords
import SantorioCore
import TestSupport
import Testing

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `Corrections` {
    /// What a person makes of a reading.
    private static func correction(of logID: String, _ round: Int) -> HealthRecord {
      var record = reading(logID)
      record.metrics[0].value = (record.metrics[0].value ?? 0) + Double(100 + round)
      record.userNotes = [UserNote(type: "message", value: "corrected \(round)")]
      return record
    }

    /// A meter sends its whole memory at each reading, over a line that loses answers, so that all
    /// is sent again and again; meanwhile a client corrects some of it, and the server is killed.
    @Test func `stay, however often the device is read again`() async throws {
      let (server, folder, ledger) = (try await ServerProcess(), try TemporaryFolder(), Ledger())
      let faults = RandomFaults(seed: Extent.seed, share: 40)
      let line = try #require(FaultProxy(to: server.port) { faults.draw($0, $1) })
      let rounds = Extent.of(30, short: 5)
      let stage = Stage(limit: rounds * 200)
      var configuration = stage.configuration(
        folder: folder.url, server: ServerProcess.url(port: line.port))
      configuration.requestTimeout = .milliseconds(500)
      let session = SantorioSession(configuration)
      try await session.start(server.alice)
      var random = SeededGenerator(seed: Extent.seed)
      var corrections: [String: HealthRecord] = [:]
      var memory: [String] = []
      let progress = Progress("corrections", of: rounds)

      for round in 0..<rounds {
        memory += (0..<20).map { "memory-\(round)-\($0)" }
        try await session.submit(memory.map { reading($0) })
        for id in memory { ledger.take("ACK \(id)") }
        let known = Array(memory.dropLast(20).shuffled(using: &random).prefix(10))
        async let corrected = correct(known, round, at: server)
        _ = await stage.drain(session, folder: folder.url) { ledger.hear($0) }
        for record in try await corrected { corrections[record.logID] = record }
        if round % 3 == 2 {
          server.kill()
          try await server.start()
        }
        progress.report(round + 1)
      }

      let current = try server.store().current
      let undone = corrections.filter { current[$0.key] != $0.value }
      let altered = memory.filter { corrections[$0] == nil && current[$0] != reading($0) }
      print(
        """
        seed \(Extent.seed); \(line.requestCount) requests: \(corrections.count) corrected, undone \
        \(undone.count); \(memory.count) read, altered \(altered.count)
        """)
      #expect(undone.isEmpty, "undone: \(undone.keys.sorted())")
      #expect(altered.isEmpty)
      #expect(ledger.all.delivered == Set(memory))
      #expect(corrections.count > rounds)
    }

    /// Corrects records over a line of its own.
    private func correct(
      _ logIDs: [String], _ round: Int, at server: ServerProcess
    ) async throws -> [HealthRecord] {
      let client = try IngestClient(endpoint: server.url, user: server.alice)
      var corrected: [HealthRecord] = []
      for logID in logIDs {
        let record = Self.correction(of: logID, round)
        _ = try await client.update(record)
        corrected.append(record)
      }
      return corrected
    }
  }
}
