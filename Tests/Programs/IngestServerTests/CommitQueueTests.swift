// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import SantorioConcurrency
import Testing

@testable import IngestServer

@Suite struct `Commit queue` {
  private let folder: TemporaryFolder
  private let gate: GatedStore
  private let store: SQLiteRecordStore
  private let queue: CommitQueue
  private let answers = Answers()

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteRecordStore(path: folder.storage)
    gate = GatedStore(store)
    queue = CommitQueue(store: gate, log: { _ in }, committed: {})
  }

  private func submit(_ change: Change) {
    queue.submit(change) { [answers] in answers.append($0) }
  }

  @Test func `commits together what came during a commit`() {
    gate.shut()
    submit(.probe)
    #expect(gate.waitForCommit())
    for _ in 0..<600 { submit(.probe) }

    gate.open()
    queue.close()

    #expect(gate.commitSizes == [1, 512, 88])
    #expect(answers.successes == 601)
  }

  @Test func `does not let one change fail the others`() throws {
    let ghost = Account(number: 99, id: "ghost", organization: "acme", uid: "ghost")
    let item = BatchItem(Array(reading("a").utf8), line: 1)
    gate.shut()
    submit(.probe)
    #expect(gate.waitForCommit())
    submit(.store([item], of: ghost, at: Date(timeIntervalSince1970: 0)))
    submit(.provision(organization: "o", uid: "u", id: "i", tokenDigest: [1], at: Date()))

    gate.open()
    queue.close()

    #expect(gate.commitSizes == [1, 2, 1, 1])
    #expect(answers.successes == 2)
    #expect(answers.failures == [.refusedChange])
    #expect(try store.account(tokenDigest: [1])?.uid == "u")
  }

  @Test func `refuses what comes after its end`() {
    queue.close()

    submit(.probe)

    #expect(answers.failures == [.unavailable])
  }
}

/// The answers of a queue, from any thread.
final class Answers: Sendable {
  private let results = Locked<[Result<Change.Outcome, IngestError>]>([])

  func append(_ result: Result<Change.Outcome, IngestError>) {
    results.withLock { $0.append(result) }
  }

  var successes: Int {
    results.withLock { $0.filter { (try? $0.get()) != nil }.count }
  }

  var failures: [IngestError.Code] {
    results.withLock { results in
      results.compactMap { result in
        guard case .failure(let error) = result else { return nil }
        return error.code
      }
    }
  }
}
