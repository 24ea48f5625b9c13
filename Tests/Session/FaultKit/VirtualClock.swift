// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// A clock whose sleeps are over at once, but for those of a session that has nothing to do.
package final class VirtualClock: Clock {
  package typealias Duration = Swift.Duration

  package struct Instant: InstantProtocol {
    package var offset: Swift.Duration
    package func advanced(by duration: Swift.Duration) -> Instant {
      Instant(offset: offset + duration)
    }
    package func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    package static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  package enum Signal: Sendable {
    /// A sleep began that stands for having nothing to do.
    case idle
    /// There were more sleeps than there may be: the session makes no progress.
    case exhausted
  }

  /// Longer than any wait that has a reason.
  package static let idleInterval = Swift.Duration.seconds(86_400)

  private struct State {
    var now = Instant(offset: .zero)
    var left: Int
    var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
    var next = 0
    var listener: AsyncStream<Signal>.Continuation?
  }

  private let state: Locked<State>

  /// Makes a clock that ends at most `sleeps` sleeps.
  package init(sleeps: Int) { state = Locked(State(left: sleeps)) }

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Swift.Duration { .zero }

  /// The signals from now on; one listener at a time.
  package func signals() -> AsyncStream<Signal> {
    let (stream, continuation) = AsyncStream<Signal>.makeStream()
    state.withLock { $0.listener = continuation }
    return stream
  }

  package func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let signal = state.withLock { state -> Signal? in
      if state.now.duration(to: deadline) >= Self.idleInterval { return .idle }
      if state.left == 0 { return .exhausted }
      state.left -= 1
      state.now = max(state.now, deadline)
      return nil
    }
    if let signal {
      await untilCancelled(signal)
    } else {
      await Task.yield()
    }
    try Task.checkCancellation()
  }

  private func untilCancelled(_ signal: Signal) async {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          let isOver = Task.isCancelled
          if !isOver { state.sleepers[id] = continuation }
          return isOver
        }
        if isOver { return continuation.resume() }
        state.withLock { $0.listener }?.yield(signal)
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.resume()
    }
  }
}
