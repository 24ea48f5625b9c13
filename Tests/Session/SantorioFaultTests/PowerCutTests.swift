// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import SantorioCore
import TestSupport
import Testing

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `Power cut` {
    @Test func `loses nothing that was acknowledged`() async throws {
      let (server, ledger) = (try await ServerProcess(), Ledger())

      try await two(Extent.of(500, short: 40), "power cut") { index in
        let folder = try TemporaryFolder()
        try await cut("c\(index)", in: folder, server, ledger)
        try await recover(folder, server, ledger)
      }

      let entries = ledger.all
      compare(entries, try server.store(), "\(Extent.of(500, short: 40)) power cuts")
      #expect(entries.others == [])
      #expect(entries.acknowledged.count > Extent.of(500, short: 40) * 10)
    }

    /// The suite's own test: a disk that forgets what it has confirmed must be noticed.
    @Test func `loses acknowledged records on a disk that lies about its syncs`() async throws {
      let (server, ledger) = (try await ServerProcess(), Ledger())

      try await two(12, "lying disk") { index in
        let folder = try TemporaryFolder()
        try await cut("l\(index)", in: folder, server, ledger, isLying: true)
        try? await recover(folder, server, ledger)
      }

      let entries = ledger.all
      let lost = entries.acknowledged.subtracting(entries.perhapsDeleted)
        .subtracting(try server.store().stored)
      #expect(!lost.isEmpty)
    }

    /// Works in a process until its power fails at a moment drawn by the seed.
    private func cut(
      _ name: String, in folder: TemporaryFolder, _ server: ServerProcess, _ ledger: Ledger,
      isLying: Bool = false
    ) async throws {
      var random = SeededGenerator(seed: Extent.seed &+ (UInt64(name.dropFirst()) ?? 0))
      let change = Int.random(in: 1...420, using: &random)
      let seed = UInt64.random(in: 0...UInt64.max, using: &random)
      let child = try ChildProcess(
        "OutboxCrashChild",
        [
          "power", folder.url.path, server.url.absoluteString, name, "\(change)", "\(seed)",
          isLying ? "lying" : "honest",
        ]
      ) { ledger.take($0) }
      child.write(server.userLine)
      let status = await child.status()
      #expect(status == 77, "\(name) with seed \(Extent.seed)")
    }

    /// Opens the folder as a program does after the machine has started again, and sends all.
    private func recover(
      _ folder: TemporaryFolder, _ server: ServerProcess, _ ledger: Ledger
    ) async throws {
      let stage = Stage(limit: 200)
      let session = SantorioSession(stage.configuration(folder: folder.url, server: server.url))
      let outcome = await stage.drain(session, folder: folder.url) { ledger.hear($0) }
      #expect(outcome == .empty, "seed \(Extent.seed)")
    }
  }
}
