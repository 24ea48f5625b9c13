// SPDX-License-Identifier: Apache-2.0

import CFaultVFS
import FaultKit
import Foundation
import SantorioCore

/// Two producers and an uploader at work until the power fails.
struct PowerCut: Sendable {
  let folder: URL
  let server: URL
  let user: SantorioUser
  let name: String
  let change: UInt64
  let seed: UInt64
  let isLying: Bool

  /// Ends the process.
  func run() async {
    guard fault_vfs_install() == 0 else { exit(70) }
    fault_vfs_cut_power(change, seed, isLying)
    do throws(SessionError) {
      try await work()
    } catch {
      report(["UNEXPECTED \(error)"])
    }
    fault_vfs_cut_power_now()
  }

  private func work() async throws(SessionError) {
    let stage = Stage(limit: 1000)
    let session = SantorioSession(stage.configuration(folder: folder, server: server))
    try await session.start(user)
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<2 {
        group.addTask { await produce(lane, on: session) }
      }
      group.addTask {
        await stage.runAmongFaults(session) {
          report([Ledger.line(for: $0)])
        }
      }
    }
  }

  private func produce(_ lane: Int, on session: SantorioSession) async {
    var next = 0
    for size in [1, 7, 1, 20, 2, 1, 13] {
      await submit((next..<next + size).map { "\(name)-\(lane)-\($0)" }, to: session)
      if size > 5 { await delete((next..<next + 3).map { "\(name)-\(lane)-\($0)" }, from: session) }
      next += size
    }
  }
}
