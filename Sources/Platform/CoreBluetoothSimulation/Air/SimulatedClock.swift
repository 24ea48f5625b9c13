// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// The clock of a ``SimulatedRadioEnvironment``.
public struct SimulatedClock: Clock {
  /// A moment on the environment's clock.
  public struct Instant: InstantProtocol {
    /// The time since the environment was created.
    public let elapsed: Swift.Duration

    init(_ moment: Moment) {
      elapsed = .nanoseconds(moment)
    }

    private init(elapsed: Swift.Duration) {
      self.elapsed = elapsed
    }

    /// The moment later by the duration.
    public func advanced(by duration: Swift.Duration) -> Self {
      Self(elapsed: elapsed + duration)
    }

    /// The time from here to the other moment.
    public func duration(to other: Self) -> Swift.Duration {
      other.elapsed - elapsed
    }

    /// Whether the left moment is the earlier one.
    public static func < (left: Self, right: Self) -> Bool {
      left.elapsed < right.elapsed
    }
  }

  let environment: EnvironmentCore

  /// Now.
  public var now: Instant { environment.locked { Instant(environment.now) } }

  /// One nanosecond.
  public var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// Waits until the environment's clock has reached the deadline.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        environment.locked {
          guard sleeper.begin(continuation) else { return }
          let delay = deadline.elapsed.nanoseconds - environment.now
          guard delay > 0 else { return sleeper.finish(.success(())) }
          environment.after(delay) {
            guard sleeper.isAsleep else { return }
            environment.noteWakeUp()
            sleeper.finish(.success(()))
          }
        }
      }
    } onCancel: {
      sleeper.finish(.failure(CancellationError()))
    }
  }
}

/// A task that sleeps.
///
/// It has a lock of its own, which is not held while the task is resumed: a cancellation comes with the
/// task's lock held, which resuming takes, so that it must not wait for the lock of the environment.
private final class Sleeper: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var isFinished = false
  }

  private let state = Locked(State())

  /// Whether the task was not resumed yet.
  var isAsleep: Bool { state.withLock { !$0.isFinished } }

  /// False when the task has already been cancelled; then the continuation has been resumed.
  func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
    let isAsleep = state.withLock { state in
      if !state.isFinished { state.continuation = continuation }
      return !state.isFinished
    }
    if !isAsleep { continuation.resume(throwing: CancellationError()) }
    return isAsleep
  }

  func finish(_ result: Result<Void, any Error>) {
    let continuation = state.withLock { state in
      defer { state = State(isFinished: true) }
      return state.continuation
    }
    continuation?.resume(with: result)
  }
}
