// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency

/// Commits changes in groups: what arrives while a commit runs shares the next one.
final class CommitQueue: Sendable {
  typealias Completion = @Sendable (Result<Change.Outcome, IngestError>) -> Void

  /// The most changes of one transaction.
  static let groupSize = 512

  private struct State {
    var waiting: [(change: Change, completion: Completion)] = []
    var isDraining = false
    var isClosed = false
    var lastFailure: IngestError?
  }

  private let store: any RecordStore
  private let committed: @Sendable () -> Void
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "santorio.ingest.commits")
  private let state = Locked(State())

  /// Makes a queue; `committed` is called after each successful commit.
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
      return completion(.failure(IngestError(.unavailable, "the server is about to end")))
    }
    if mustStart { queue.async { self.drain() } }
  }

  /// Commits what was taken and refuses everything later; returns when all is answered.
  func close() {
    state.withLock { $0.isClosed = true }
    queue.sync {}
  }

  private func drain() {
    while true {
      let group = state.withLock { state in
        let group = Array(state.waiting.prefix(Self.groupSize))
        state.waiting.removeFirst(group.count)
        state.isDraining = !group.isEmpty
        return group
      }
      guard !group.isEmpty else { return }
      commit(group)
    }
  }

  private func commit(_ group: [(change: Change, completion: Completion)]) {
    do throws(IngestError) {
      let outcomes = try store.commit(group.map(\.change))
      state.withLock { $0.lastFailure = nil }
      for (member, outcome) in zip(group, outcomes) {
        member.completion(.success(outcome))
        if let line = outcome.summary { log(line) }
      }
      committed()
    } catch {
      // One change may be the cause: let the others not suffer for it.
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
  /// What became of a change, for the log; nil where it is of no interest.
  fileprivate var summary: String? {
    switch self {
    case .stored(let results): ItemResult.summary(of: results)
    case .deleted(let media): "deleted records=1 images=\(media.count)"
    case .attached(_, let isNew): "stored images=\(isNew ? 1 : 0)"
    case .provisioned, .absent, .probed: nil
    }
  }
}
