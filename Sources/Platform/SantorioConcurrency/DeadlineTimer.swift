// SPDX-License-Identifier: Apache-2.0

package import Dispatch

/// A timer that follows the deadline of a state machine on a queue.
package final class DeadlineTimer: @unchecked Sendable {
  // `armed` is touched on `queue` only.
  private let queue: DispatchQueue
  private let monotonicClock: MonotonicClock
  private let reached: @Sendable () -> Void
  private var armed: (deadline: Duration, task: Task<Void, Never>)?

  /// Prepares a timer.
  ///
  /// - Parameters:
  ///   - monotonicClock: The clock that it uses.
  ///   - queue: The serial queue on which it is set, and on which it calls.
  ///   - reached: Called when the deadline is reached; not for one that was replaced before.
  package init(
    _ monotonicClock: MonotonicClock, on queue: DispatchQueue,
    reached: @escaping @Sendable () -> Void
  ) {
    self.monotonicClock = monotonicClock
    self.queue = queue
    self.reached = reached
  }

  // Otherwise a task that sleeps on a stopped clock would never end.
  deinit { armed?.task.cancel() }

  /// Sets the current deadline, on the queue; nil stops the timer.
  package func set(_ deadline: Duration?) {
    guard deadline != armed?.deadline else { return }
    armed?.task.cancel()
    armed = deadline.map { deadline in
      let task = Task { [weak self, monotonicClock] in
        guard (try? await monotonicClock.sleep(deadline)) != nil else { return }
        self?.slept(until: deadline)
      }
      return (deadline, task)
    }
  }

  private func slept(until deadline: Duration) {
    queue.async { [self] in
      guard armed?.deadline == deadline else { return }
      armed = nil
      reached()
    }
  }
}
