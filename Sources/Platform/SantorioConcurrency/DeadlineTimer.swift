// SPDX-License-Identifier: Apache-2.0

package import Dispatch

/// One timer, kept in step with the deadline of a state machine that lives on a queue.
package final class DeadlineTimer: @unchecked Sendable {
  // `armed` is touched on `queue` only.
  private let queue: DispatchQueue
  private let monotonicClock: MonotonicClock
  private let reached: @Sendable () -> Void
  private var armed: (deadline: Duration, task: Task<Void, Never>)?

  /// Prepares a timer.
  ///
  /// - Parameters:
  ///   - monotonicClock: What it waits by.
  ///   - queue: The serial queue on which it is set, and on which it calls.
  ///   - reached: Called when the deadline is reached; not for one that was set anew before.
  package init(
    _ monotonicClock: MonotonicClock, on queue: DispatchQueue,
    reached: @escaping @Sendable () -> Void
  ) {
    self.monotonicClock = monotonicClock
    self.queue = queue
    self.reached = reached
  }

  // A task that sleeps on a clock that stands still would else never end.
  deinit { armed?.task.cancel() }

  /// Takes the deadline of now, on the queue; nil waits for nothing.
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
