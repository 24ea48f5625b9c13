// SPDX-License-Identifier: Apache-2.0

import CFaultVFS
import FaultKit
import Foundation
import SantorioCore

/// A session from its first opening to its last record, again and again, while one call after the
/// other fails.
struct FailingCalls: Sendable {
  static let kinds: [(name: String, kind: FaultKind)] = [
    ("open", .open), ("read", .read), ("short-read", .shortRead), ("write", .write),
    ("full", .full), ("sync", .sync), ("truncate", .truncate), ("size", .size), ("lock", .lock),
    ("shared-memory", .sharedMemory), ("memory", .memory),
  ]

  let folder: URL
  let server: URL
  let user: SantorioUser
  /// The kind's name, which the records' identifiers begin with.
  let name: String
  private let line = CurlTransport()

  init(folder: URL, server: URL, user: SantorioUser, name: String) {
    (self.folder, self.server, self.user, self.name) = (folder, server, user, name)
  }

  /// Lets the first call of the kind fail, then the one `step` later, and so on, until there are no
  /// so many calls.
  func run(cases: UInt64, step: UInt64, isPersistent: Bool) async {
    guard fault_vfs_install() == 0,
      let kind = Self.kinds.first(where: { $0.name == name })?.kind
    else { exit(64) }
    var missed = 0
    for call in stride(from: 1, through: cases * step, by: Int(step)) where missed < 3 {
      let place = "\(name)-\(call)\(isPersistent ? "p" : "")"
      let folder = folder.appendingPathComponent(place)
      report(["CASE \(place)"])
      fault_vfs_fail(kind, call, isPersistent)
      do throws(SessionError) {
        try await work(folder, place)
      } catch {
        report(["REFUSED \(error.code)"])
      }
      let failures = fault_vfs_heal()
      missed = failures == 0 ? missed + 1 : 0
      report(["FAILURES \(failures)"])
      await recover(folder, place)
      try? FileManager.default.removeItem(at: folder)
    }
    report(["DONE \(name)"])
  }

  private func work(_ folder: URL, _ place: String) async throws(SessionError) {
    let stage = Stage(limit: 40, line: line)
    let session = SantorioSession(stage.configuration(folder: folder, server: server))
    try await session.start(user)
    for (index, size) in [1, 5, 30, 1, 12].enumerated() {
      await submit((0..<size).map { "\(place)-\(index)-\($0)" }, to: session)
    }
    _ = try await session.pendingRecords()
    _ = try await session.quarantinedRecords()
    await stage.runAmongFaults(session) {
      report([Ledger.line(for: $0)])
    }
    await submit(["\(place)-after"], to: session)
  }

  /// What any program would do at its next launch.
  private func recover(_ folder: URL, _ place: String) async {
    let stage = Stage(limit: 100, line: line)
    do throws(SessionError) {
      let session = SantorioSession(stage.configuration(folder: folder, server: server))
      if try await session.user() == nil { try await session.start(user) }
      guard await submit(["\(place)-last"], to: session) else { return report(["CLOSED \(place)"]) }
      let outcome = await stage.drain(session, folder: folder) { report([Ledger.line(for: $0)]) }
      if outcome != .empty { report(["STUCK \(place) \(outcome)"]) }
    } catch {
      report(["CLOSED \(place) \(error)"])
    }
  }
}
