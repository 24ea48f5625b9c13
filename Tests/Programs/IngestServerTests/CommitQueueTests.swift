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

  private func submit(_ action: Change.Action) {
    queue.submit(Change(action, at: .testing)) { [answers] in answers.append($0) }
  }

  @Test func `commits changes together that arrive during a commit`() {
    gate.shut()
    submit(.probe)
    #expect(gate.waitForCommit())
    for _ in 0..<600 { submit(.probe) }

    gate.open()
    queue.close()

    #expect(gate.commitSizes == [1, 512, 88])
    #expect(answers.successes == 601)
  }

  @Test func `gives each caller its turn`() throws {
    let finished = Locked<[String]>([])
    func submit(_ items: Int, by actor: String) throws {
      let account = try #require(try store.account(UserPath(organization: "o", id: "i")))
      let batch = (0..<items).map { BatchItem(Array(reading("\($0)").utf8), line: $0) }
      let change = Change(
        .store(batch, of: account), by: Caller(actor: actor, address: "local"), at: .testing)
      queue.submit(change) { _ in finished.withLock { $0.append(actor) } }
    }
    let user = NewUser(organization: "o", uid: "u", id: "i")
    _ = try store.commit([
      Change(.provision(user, NewToken(id: "t", digest: [1]), revokesOthers: false), at: .testing)
    ])
    gate.shut()
    self.submit(.probe)
    #expect(gate.waitForCommit())
    for _ in 0..<5 { try submit(300, by: "greedy") }
    for actor in ["modest", "patient"] { try submit(1, by: actor) }

    gate.open()
    queue.close()

    #expect(gate.commitSizes == [1, 4, 2, 1])
    #expect(Set(finished.withLock { $0 }.prefix(4)) == ["greedy", "modest", "patient"])
  }

  @Test func `commits the others when one change fails`() throws {
    let ghost = Account(
      number: 99, id: "ghost", organization: "acme", uid: "ghost", nameKey: [1],
      created: .testing)
    let item = BatchItem(Array(reading("a").utf8), line: 1)
    gate.shut()
    submit(.probe)
    #expect(gate.waitForCommit())
    submit(.store([item], of: ghost))
    let user = NewUser(organization: "o", uid: "u", id: "i")
    submit(.provision(user, NewToken(id: "t", digest: [1]), revokesOthers: false))

    gate.open()
    queue.close()

    #expect(gate.commitSizes == [1, 2, 1, 1])
    #expect(answers.successes == 2)
    #expect(answers.failures == [.refusedChange])
    #expect(try store.account(UserPath(organization: "o", id: "i"))?.uid == "u")
  }

  @Test func `refuses changes after it was closed`() {
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
