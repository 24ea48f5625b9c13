// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestSupport
import Testing

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `Full disk` {
    /// The sizes of the disk in KiB.
    static let sizes =
      Extent.isLong ? Array(stride(from: 1024, through: 3072, by: 227)) : [1024, 3072]

    private static func mount(_ size: Int) -> [String] {
      [
        "unshare", "-Urm", "sh", "-c", #"mount -t tmpfs -o size=\#(size)k none "$0" && exec "$@""#,
      ]
    }

    /// Whether this machine lets a process mount a file system of its own.
    private static let canMount: Bool = {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = mount(1024) + ["/mnt", "true"]
      process.standardError = FileHandle.nullDevice
      guard (try? process.start()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }()

    @Test(.enabled(if: canMount, "needs user namespaces"), arguments: sizes)
    func `refuses new records, and acknowledged ones reach the server`(size: Int)
      async throws
    {
      let (server, folder, ledger) = (try await ServerProcess(), try TemporaryFolder(), Ledger())
      let child = try ChildProcess(
        "OutboxCrashChild", ["fill", folder.url.path, server.url.absoluteString, "f\(size)"],
        prefix: Self.mount(size) + [folder.url.path]
      ) { ledger.take($0) }
      child.write(server.userLine)

      for await _ in ledger.changes.stream {
        let entries = ledger.all
        if entries.others.count == 2, entries.delivered == entries.acknowledged { break }
      }
      child.kill()

      let entries = ledger.all
      compare(entries, try server.store(), "disk of \(size) KiB")
      #expect(entries.others == ["REFUSED disk_full", "PENDING \(entries.acknowledged.count)"])
      #expect(entries.acknowledged.count > 100)
    }
  }
}
