// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency

/// Commits changes in groups: changes that arrive during a commit share the next one.
final class CommitQueue: Sendable {
  typealias Completion = @Sendable (Result<Change.Outcome, IngestError>) -> Void

  /// The most changes in one transaction.
  static let groupSize = 512
  /// The bytes after which no more changes join a transaction, to keep it short.
  static let groupBytes = 4 << 20
  /// The items after which no more changes join a transaction, to keep it short.
  static let groupItems = 512

  private typealias Member = (change: Change, completion: Completion)

  private struct State {
    var waiting: [Member] = []
    var isDraining = false
    var isClosed = false
    var lastFailure: IngestError?
  }

  private let store: any RecordStore
  private let committed: @Sendable () -> Void
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "santorio.ingest.commits")
  private let state = Locked(State())

  /// Creates a queue; `committed` is called after each successful commit.
  init(
    store: any RecordStore, log: @escaping @Sendable (String) -> Void,
    committed: @escaping @Sendable () -> Void
  ) {
    self.store = store
    self.log = log
    self.committed = committed
  }

  /// Whether the last commit succeeded.
  var isHealthy: Bool { state.withLock { $0.lastFailure == nil } }

  /// Takes a change; `completion` is called once, after the commit or its failure.
  func submit(_ change: Change, completion: @escaping Completion) {
    let (accepted, mustStart) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.waiting.append((change: change, completion: completion))
      defer { state.isDraining = true }
      return (true, !state.isDraining)
    }
    guard accepted else {
      return completion(
        .failure(IngestError(.unavailable, "the server is stopping; try again later")))
    }
    if mustStart { queue.async { self.drain() } }
  }

  /// Commits the waiting changes and refuses later ones; returns when all are answered.
  func close() {
    state.withLock { $0.isClosed = true }
    queue.sync {}
  }

  private func drain() {
    while true {
      let group = state.withLock { state in
        let group = Self.takeGroup(of: &state.waiting)
        state.isDraining = !group.isEmpty
        return group
      }
      guard !group.isEmpty else { return }
      commit(group)
    }
  }

  /// Takes the changes of the next transaction.
  ///
  /// The first change of each caller comes first, then the second ones, so that no caller waits for
  /// all changes of another.
  private static func takeGroup(of waiting: inout [Member]) -> [Member] {
    var counts: [Caller: Int] = [:]
    let turns = waiting.indices.map { place in
      let turn = counts[waiting[place].change.caller, default: 0]
      counts[waiting[place].change.caller] = turn + 1
      return (turn: turn, place: place)
    }
    var (bytes, items) = (0, 0)
    let taken = turns.sorted { $0 < $1 }.prefix(groupSize).prefix { turn in
      let action = waiting[turn.place].change.action
      defer { (bytes, items) = (bytes + action.size, items + action.items) }
      return bytes < groupBytes && items < groupItems
    }
    let group = taken.map { waiting[$0.place] }
    let places = Set(taken.map(\.place))
    waiting = waiting.indices.filter { !places.contains($0) }.map { waiting[$0] }
    return group
  }

  private func commit(_ group: [Member]) {
    do throws(IngestError) {
      let outcomes = try store.commit(group.map(\.change))
      state.withLock { $0.lastFailure = nil }
      for (member, outcome) in zip(group, outcomes) {
        member.completion(.success(outcome))
        if let line = outcome.summary { log(line) }
      }
      committed()
    } catch {
      // One change may be the cause: commit the others without it.
      if group.count > 1, error.code == .refusedChange {
        for member in group { commit([member]) }
      } else {
        state.withLock { $0.lastFailure = error }
        log("commit failed: \(error)")
        for member in group { member.completion(.failure(error)) }
      }
    }
  }
}

extension Change.Outcome {
  /// The outcome of a change for the log; nil if it is not logged.
  fileprivate var summary: String? {
    switch self {
    case .stored(let results): ItemResult.summary(of: results)
    case .deleted(let record, let media):
      "deleted records=\(record == nil ? 0 : 1) images=\(media.count)"
    case .attached(_, _, let isNew): "stored images=\(isNew ? 1 : 0)"
    case .erased(let media): "erased users=1 images=\(media.count)"
    case .revoked(let tokens): "revoked tokens=\(tokens.count)"
    case .wiped(let count): count > 0 ? "wiped rejected items=\(count)" : nil
    case .provisioned, .issued, .absent, .otherRevision, .refused, .noted, .probed: nil
    }
  }
}
