// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import SantorioConcurrency
import TestSupport
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Killed server` {
  /// What clients were told, and the batches they still have to send.
  private final class Ledger: Sendable {
    struct State {
      var answers: [String: [String]] = [:]
      var unanswered: [[String]] = []
      var next = 0
    }
    let state = Locked(State())
    let batchAnswered = DispatchSemaphore(value: 0)

    /// A batch without answer before a new one.
    func nextBatch() -> [String] {
      state.withLock { state in
        if let batch = state.unanswered.popLast() { return batch }
        defer { state.next += 5 }
        return (state.next..<state.next + 5).map { "log-\($0)" }
      }
    }

    func answered(_ batch: [String], _ statuses: [String]) {
      state.withLock { state in
        for (logID, status) in zip(batch, statuses) {
          state.answers[logID, default: []] += [status]
        }
      }
      batchAnswered.signal()
    }

    func lost(_ batch: [String]) { state.withLock { $0.unanswered.append(batch) } }
  }

  /// Sends batches over one connection until it breaks.
  private static func load(_ port: UInt16, _ user: IngestUser, _ ledger: Ledger) {
    guard let client = try? SocketClient(port) else { return }
    while true {
      let batch = ledger.nextBatch()
      do {
        let reply = try client.request(
          "POST", TestServer.path(user) + "/records:batch", token: user.token,
          type: "application/x-ndjson", body: batch.map { reading($0) }.joined(separator: "\n"))
        let results = try reply.json().member("results").elements()
        ledger.answered(batch, try results.map { try $0.member("status").string() })
      } catch {
        return ledger.lost(batch)
      }
    }
  }

  @Test func `has lost nothing acknowledged and stored nothing twice`() throws {
    let folder = try TemporaryFolder()
    let first = try IngestServer(configuration: .init(storagePath: folder.storage))
    let user = try first.createUser(organization: "acme", uid: "alice")
    first.stop()
    let ledger = Ledger()
    var random = SeededGenerator(seed: 20_260_101)

    for _ in 0..<10 {
      let child = try ServerChild(folder.storage)
      let load = DispatchGroup()
      let port = child.port
      for _ in 0..<4 {
        DispatchQueue.global().async(group: load) { Self.load(port, user, ledger) }
      }
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        #expect(ledger.batchAnswered.wait(timeout: .now() + 240) == .success)
      }
      child.kill()
      load.wait()
    }

    try compare(ledger, with: folder)
  }

  private func compare(_ ledger: Ledger, with folder: TemporaryFolder) throws {
    let database = try SQLiteDatabase(path: folder.storage)
    let stored = try database.prepare("SELECT body FROM revision").all { $0.blob(0) }
      .map { try JSONReader(parsing: $0).member("log_id").string() }
    let answers = ledger.state.withLock { $0.answers }
    #expect(answers.count >= 50)
    #expect(Set(answers.keys).subtracting(stored) == [])
    #expect(Set(stored).count == stored.count)
    #expect(answers.values.allSatisfy { $0 == ["created"] || $0 == ["duplicate"] })
    let facts = try database.prepare(
      """
      SELECT (SELECT count(*) FROM revision), (SELECT count(*) FROM record),
        (SELECT arrival FROM state), (SELECT created FROM state), (SELECT revised FROM state)
      """
    ).all { row in (0...4).map { row.integer($0) } }
    let count = Int64(stored.count)
    #expect(facts == [[count, count, count, count, 0]])
    let check = try database.prepare("PRAGMA integrity_check").all { $0.text(0) }
    #expect(check == ["ok"])
  }
}
