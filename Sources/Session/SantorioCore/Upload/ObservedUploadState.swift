// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// What the uploader of a session is doing, for those who ask and those who want to be told.
final class ObservedUploadState: Sendable {
  private struct State {
    var current = UploadState.stopped
    var observers: [Int: AsyncStream<UploadState>.Continuation] = [:]
    var observersSoFar = 0
  }

  private let state = Locked(State())

  deinit {
    for observer in state.withLock({ $0.observers.values }) { observer.finish() }
  }

  var current: UploadState { state.withLock { $0.current } }

  func set(_ new: UploadState) {
    state.withLock { state in
      guard new != state.current else { return }
      state.current = new
      for observer in state.observers.values { observer.yield(new) }
    }
  }

  /// The state now and each one that follows; who is slow gets the latest.
  func changes() -> AsyncStream<UploadState> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { observer in
      let number = state.withLock { state in
        state.observersSoFar += 1
        state.observers[state.observersSoFar] = observer
        observer.yield(state.current)
        return state.observersSoFar
      }
      observer.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
      }
    }
  }
}
