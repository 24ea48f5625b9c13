// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HealthRecords
import SantorioCore
import TestSupport
import Testing

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `A change of the key` {
    @Test func `that is killed anywhere leaves a folder that opens`() async throws {
      var random = SeededGenerator(seed: Extent.seed)
      let (folder, server) = (try TemporaryFolder(), try await ServerProcess())
      let ledger = Ledger()
      let ids = (0..<200).map { "key-\($0)" }
      do {
        let session = SantorioSession(.init(directory: folder.url, endpoint: server.url))
        try await session.start(server.alice)
        try await session.submit(ids.map { reading($0) })
        for id in ids { ledger.take("ACK \(id)") }
      }
      let kills = Extent.of(200, short: 20)
      var changes = 0

      for _ in 0..<kills {
        let counted = Ledger()
        let child = try ChildProcess(
          "OutboxCrashChild", ["rekey", folder.url.path, server.url.absoluteString, "-"]
        ) { counted.take($0) }
        // The moment of the kill is what is drawn here; nothing is waited for.
        try await Task.sleep(for: .milliseconds(Int.random(in: 20...200, using: &random)))
        child.kill()
        _ = await child.status()
        changes += counted.all.others.count
        let session = SantorioSession(.init(directory: folder.url, endpoint: server.url))
        #expect(try await session.pendingRecords().map(\.logID) == ids)
        #expect(try await session.user() == server.alice)
      }
      let stage = Stage(limit: 200)
      let session = SantorioSession(
        stage.configuration(folder: folder.url, server: server.url))
      #expect(await stage.drain(session, folder: folder.url) { ledger.hear($0) } == .empty)

      compare(ledger.all, try server.store(), "\(kills) kills, the key changed \(changes) times")
      #expect(ledger.all.delivered.count == ids.count)
    }
  }
}
