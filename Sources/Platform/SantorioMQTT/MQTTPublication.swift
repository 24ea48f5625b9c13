// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// A message that is being published, and the task that waits for its acknowledgement.
final class MQTTPublication: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Result<Void, MQTTError>, Never>)
    case finished(Result<Void, MQTTError>)
  }

  let message: MQTTMessage
  private let state = Locked(State.new)

  init(_ message: MQTTMessage) { self.message = message }

  /// Whether the result is known.
  var isFinished: Bool {
    state.withLock { state in
      if case .finished = state { true } else { false }
    }
  }

  /// Resumes the task once the result is known.
  func wait(_ continuation: CheckedContinuation<Result<Void, MQTTError>, Never>) {
    let result: Result<Void, MQTTError>? = state.withLock { state in
      if case .finished(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    if let result { continuation.resume(returning: result) }
  }

  /// Sets the result; the first call counts.
  func finish(_ result: Result<Void, MQTTError>) {
    let waiting: CheckedContinuation<Result<Void, MQTTError>, Never>? = state.withLock { state in
      switch state {
      case .finished: return nil
      case .new:
        state = .finished(result)
        return nil
      case .waiting(let continuation):
        state = .finished(result)
        return continuation
      }
    }
    waiting?.resume(returning: result)
  }
}
