// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import SantorioConcurrency
import SantorioCore
import SantorioSQLite
import TestSupport
import Testing

/// One way to damage a file of the outbox.
private struct DamageKind: CustomStringConvertible {
  enum Change: String, CaseIterable { case flip, zero, truncate }

  let change: Change
  let suffix: String
  /// Whether the file is damaged while a session has it open.
  let isRunning: Bool

  static let all = ["", "-wal"].flatMap { suffix in
    [false, true].flatMap { isRunning in
      Change.allCases.map { DamageKind(change: $0, suffix: suffix, isRunning: isRunning) }
    }
  }

  var description: String {
    "\(change.rawValue) \(suffix.isEmpty ? "database" : "log")\(isRunning ? ", running" : "")"
  }

  func carryOut(in folder: URL, _ random: inout SeededGenerator) throws {
    let file = folder.appendingPathComponent(OutboxFile.name + suffix)
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    let size = try handle.seekToEnd()
    guard size > 0 else { return }
    switch change {
    case .flip:
      for _ in 0..<20 {
        let place = UInt64.random(in: 0..<size, using: &random)
        try handle.seek(toOffset: place)
        let old = try handle.read(upToCount: 1)?.first ?? 0
        try handle.seek(toOffset: place)
        try handle.write(contentsOf: [old ^ UInt8.random(in: 1...255, using: &random)])
      }
    case .zero:
      try handle.seek(toOffset: UInt64.random(in: 0..<max(size / 4096, 1), using: &random) * 4096)
      try handle.write(contentsOf: [UInt8](repeating: 0, count: 4096))
    case .truncate: try handle.truncate(atOffset: UInt64.random(in: 0..<size, using: &random))
    }
  }
}

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `Damaged files` {
    /// The waiting records as they are stored, as far as SQLite can read them from either end of
    /// the table.
    private static func rows(in folder: URL) throws -> [String: [String]] {
      var found: [String: [String]] = [:]
      let seal = try OutboxFile(folder).seal()
      let path = folder.path + "/" + OutboxFile.name
      for order in ["ASC", "DESC"] {
        _ = try? SQLiteDatabase(path: path)
          .prepare(
            """
            SELECT log_id, seq, attempts, not_before, sum, held, hex(body) FROM q NOT INDEXED
            ORDER BY seq \(order)
            """
          ).query { row in
            guard let logID = seal.logID(of: row.blob(0)) else { return }
            found[logID] = (1...6).map { row.text($0) }
          }
      }
      return found
    }

    /// What became of the records of each kind of damage.
    private struct Tally {
      var acknowledged = 0
      var stored = 0
    }

    @Test func `lose only what was damaged`() async throws {
      let (server, ledger) = (try await ServerProcess(), Ledger())
      let cases = Extent.of(108, short: 12)
      let whole = Locked<Set<String>>([])
      try await two(2, "damage") { half in
        try await damage(half, cases / 2, server, ledger) { found in
          whole.withLock { $0.formUnion(found) }
        }
      }

      let (entries, store) = (ledger.all, try server.store())
      let missing = entries.acknowledged.subtracting(store.stored)
      compare(entries, store, "\(cases) cases of damage", isDamaged: true)
      report(entries, store)
      #expect(missing.intersection(whole.withLock { $0 }) == [], "readable and whole, yet lost")
      #expect(!whole.withLock { $0 }.isEmpty)
      let known = ["EMPTY", "NEW", "REFUSED storage_", "EVENT storage damaged"]
      let unknown = entries.others.filter { line in !known.contains { line.hasPrefix($0) } }
      #expect(unknown == [])
      // A record that was submitted afterwards always arrives.
      #expect(entries.acknowledged.filter { $0.hasSuffix("-last") }.count == cases)
      #expect(missing.filter { $0.hasSuffix("-last") } == [])
    }

    /// As zeroed cells make them, while a session has the file open and looks at no page as a
    /// whole.
    @Test func `leave no rows without columns in the queue`() async throws {
      let (server, folder, ledger) = (try await ServerProcess(), try TemporaryFolder(), Ledger())
      let stage = Stage(limit: 20)
      let session = SantorioSession(stage.configuration(folder: folder.url, server: server.url))
      try await session.start(server.alice)
      try await session.submit(["a", "b", "c"].map { reading($0) })
      try makeNull(row: 2, in: folder.url)

      let outcome = await stage.drain(session, folder: folder.url) { ledger.hear($0) }

      #expect(outcome == .empty)
      #expect(ledger.all.delivered == ["a", "c"])
      #expect(try server.store().stored == ["a", "c"])
    }

    private func makeNull(row: Int64, in folder: URL) throws {
      let path = folder.path + "/" + OutboxFile.name
      try SQLiteDatabase(path: path).execute(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'q';
        PRAGMA writable_schema = RESET
        """)
      try SQLiteDatabase(path: path).execute(
        "UPDATE q SET log_id = NULL, sum = NULL, body = NULL WHERE seq = \(row)"
      )
    }

    /// Lets one process fill folder after folder, damages each, and says which records were whole
    /// after it.
    private func damage(
      _ half: Int, _ cases: Int, _ server: ServerProcess, _ ledger: Ledger,
      _ whole: @escaping (Set<String>) -> Void
    ) async throws {
      let (folder, lines) = (try TemporaryFolder(), AsyncStream<String>.makeStream())
      let child = try ChildProcess(
        "OutboxCrashChild",
        ["damage", folder.url.path, server.url.absoluteString, "d\(half)", "\(cases)"]
      ) {
        lines.continuation.yield($0)
      }
      child.write(server.userLine)
      let progress = Progress("damage, half \(half + 1)", of: cases)
      var index = 0
      for await line in lines.stream {
        guard line.hasPrefix("FILLED ") else {
          if line.hasPrefix("DONE") { break }
          ledger.take(line)
          continue
        }
        var random = SeededGenerator(seed: Extent.seed &+ UInt64(half * 1000 + index))
        let kind = DamageKind.all[(index * 2 + half) % DamageKind.all.count]
        let filled = folder.url.appendingPathComponent(String(line.dropFirst("FILLED ".count)))
        let next = kind.isRunning ? filled : try copy(filled, to: folder.url, "case")
        if kind.isRunning { try makeForget(filled) }
        let before = try Self.rows(in: copy(filled, to: folder.url, "look"))
        try kind.carryOut(in: next, &random)
        if !kind.isRunning {
          let after = try Self.rows(in: copy(next, to: folder.url, "look"))
          whole(Set(after.filter { before[$0.key] == $0.value }.keys))
        }
        child.write(next.path)
        index += 1
        progress.report(index)
      }
      #expect(await child.status() == 0, "seed \(Extent.seed), ended in case \(index)")
    }

    /// Commits something, so that the session under test reads the file again and not its memory.
    private func makeForget(_ folder: URL) throws {
      try SQLiteDatabase(path: folder.path + "/" + OutboxFile.name).execute(
        "PRAGMA application_id = 1; PRAGMA application_id = 2")
    }

    /// The files as they are without their process, in a folder that replaces the one before.
    private func copy(_ folder: URL, to parent: URL, _ name: String) throws -> URL {
      let copy = parent.appendingPathComponent(name)
      try? FileManager.default.removeItem(at: copy)
      try FileManager.default.copyItem(at: folder, to: copy)
      try? FileManager.default.removeItem(at: copy.appendingPathComponent(OutboxFile.name + "-shm"))
      return copy
    }

    private func report(_ entries: Ledger.Entries, _ store: ServerStore) {
      var tallies = [Tally](repeating: Tally(), count: DamageKind.all.count)
      for id in entries.acknowledged {
        let parts = id.dropFirst().split(separator: "-").compactMap { Int($0) }
        guard parts.count >= 2 else { continue }
        let place = (parts[1] * 2 + parts[0]) % tallies.count
        tallies[place].acknowledged += 1
        if store.stored.contains(id) { tallies[place].stored += 1 }
      }
      for (kind, tally) in zip(DamageKind.all, tallies) {
        print("\(kind): \(tally.stored) of \(tally.acknowledged) arrived")
      }
      print("delivered as damaged: \(entries.damaged.count)")
    }
  }
}
