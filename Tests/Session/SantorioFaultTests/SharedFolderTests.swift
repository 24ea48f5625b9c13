// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import SantorioCore
import TestSupport
import Testing

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `One folder of several processes` {
    @Test func `accepts records from all, and one of them sends`() async throws {
      let (server, folder, ledger) = (try await ServerProcess(), try TemporaryFolder(), Ledger())
      let (line, refusals) = (server.url.absoluteString, AsyncStream<Void>.makeStream())
      try await SantorioSession(.init(directory: folder.url, endpoint: server.url)).start(
        server.alice)
      let uploaders = try (0..<2).map { _ in
        try ChildProcess("OutboxCrashChild", ["upload", folder.url.path, line, "-"]) {
          ledger.take($0)
          if $0.hasPrefix("ENDED") { refusals.continuation.yield() }
        }
      }

      let count = Extent.of(300, short: 60)
      let producers = try (0..<3).map { index in
        try ChildProcess(
          "OutboxCrashChild", ["deliver", folder.url.path, line, "p\(index)", "\(count)"]
        ) { ledger.take($0) }
      }
      for producer in producers { #expect(await producer.status() == 0) }
      for await _ in refusals.stream { break }
      for await _ in ledger.changes.stream where ledger.all.delivered.count == 3 * count { break }
      for uploader in uploaders { uploader.kill() }

      let entries = ledger.all
      compare(entries, try server.store(), "two uploaders, three producers")
      #expect(entries.acknowledged.count == 3 * count)
      #expect(entries.submitted.values.allSatisfy { $0 == 1 })
      #expect(entries.others == ["ENDED uploader_is_running"])
    }
  }
}
