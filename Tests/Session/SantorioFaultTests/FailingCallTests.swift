// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestSupport
import Testing

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `Failing calls` {
    static let kinds = [
      "open", "read", "write", "full", "sync", "truncate", "size", "lock", "shared-memory",
      "memory",
    ]

    @Test func `are errors to the caller, and what was acknowledged arrives`() async throws {
      let (server, ledger) = (try await ServerProcess(), Ledger())
      let cases = Extent.of(200, short: 8)

      try await two(Self.kinds.count * 2, "failing calls") { index in
        try await fail(
          Self.kinds[index / 2], cases, isPersistent: index % 2 == 1, server, ledger)
      }

      let entries = ledger.all
      compare(entries, try server.store(), "\(cases) calls of each kind")
      let words = entries.others.map { $0.split(separator: " ") }
      #expect(entries.others.filter { $0.hasPrefix("STUCK") || $0.hasPrefix("CLOSED") } == [])
      #expect(entries.damaged == [])
      #expect(words.count { $0[0] == "DONE" } == Self.kinds.count * 2)
      // The faults did happen, and callers heard of some.
      let struck = words.count { $0[0] == "FAILURES" && $0[1] != "0" }
      #expect(struck > Extent.of(1000, short: 60), "\(struck) cases")
      #expect(words.contains { $0[0] == "REFUSED" })
    }

    /// A read that fell short looks to SQLite like a damaged file, and may become one.
    @Test func `and short reads alter no record and stop nothing`() async throws {
      let (server, ledger) = (try await ServerProcess(), Ledger())
      let cases = Extent.of(200, short: 8)

      try await two(2, "short reads") { index in
        try await fail("short-read", cases, isPersistent: index == 1, server, ledger)
      }

      let entries = ledger.all
      compare(entries, try server.store(), "\(cases) short reads", isDamaged: true)
      #expect(entries.others.filter { $0.hasPrefix("STUCK") || $0.hasPrefix("CLOSED") } == [])
      #expect(entries.others.count { $0.hasPrefix("DONE") } == 2)
    }

    private func fail(
      _ kind: String, _ cases: Int, isPersistent: Bool, _ server: ServerProcess, _ ledger: Ledger
    ) async throws {
      // SQLite asks for memory far more often than for anything else.
      let step = Extent.of(1, short: 9) * (kind == "memory" ? 20 : 1)
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        "OutboxCrashChild",
        [
          "calls", folder.url.path, server.url.absoluteString, kind, "\(cases)", "\(step)",
          isPersistent ? "persistent" : "once",
        ]
      ) { ledger.take($0) }
      child.write(server.userLine)
      let status = await child.status()
      let last = ledger.all.others.last { $0.hasPrefix("CASE \(kind)") } ?? "none"
      #expect(status == 0, "ended in \(last)")
    }
  }
}
