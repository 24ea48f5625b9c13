// SPDX-License-Identifier: Apache-2.0

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
          sleeper.event = environment.after(delay) {
            environment.noteWakeUp()
            sleeper.finish(.success(()))
          }
        }
      }
    } onCancel: {
      environment.locked { sleeper.finish(.failure(CancellationError())) }
    }
  }
}

/// A task that sleeps; accessed with the lock of its environment held.
private final class Sleeper: @unchecked Sendable {
  var event: ScheduledEvent?
  private var continuation: CheckedContinuation<Void, any Error>?
  private var isFinished = false

  /// False when the task has already been cancelled; then the continuation has been resumed.
  func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
    guard !isFinished else {
      continuation.resume(throwing: CancellationError())
      return false
    }
    self.continuation = continuation
    return true
  }

  func finish(_ result: Result<Void, any Error>) {
    isFinished = true
    event?.cancel()
    continuation?.resume(with: result)
    continuation = nil
  }
}
