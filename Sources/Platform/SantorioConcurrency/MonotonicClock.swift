// SPDX-License-Identifier: Apache-2.0

/// A clock that never goes back, read as the time since its start.
package struct MonotonicClock: Sendable {
  /// The time since the start.
  package let now: @Sendable () -> Duration
  /// Waits until a time since the start; throws when the task is cancelled.
  package let sleep: @Sendable (_ until: Duration) async throws -> Void

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { until in try await clock.wait(until: start.advanced(by: until)) }
  }
}

extension MonotonicClock {
  /// How long a process that waits goes without reading its clock.
  private static let step = Duration.seconds(5)
  /// How late it may be at that, on a busy machine, and count as awake.
  private static let tolerance = Duration.seconds(1)

  /// The same time without that in which the process was suspended, or did not get to run.
  ///
  /// Systems do not say how long they have suspended a process. While something waits for this
  /// clock, it is read every few seconds; a longer pause counts as that much.
  package init(awakeTimeOf clock: some Clock<Duration>) {
    let clock = MonotonicClock(clock)
    let read = Locked((at: Duration.zero, awake: Duration.zero))
    let now: @Sendable () -> Duration = {
      read.withLock { last in
        // In the lock: two readings must not be noted in another order than they were made.
        let time = clock.now()
        let pause = time - last.at
        last = (time, last.awake + (pause > Self.step + Self.tolerance ? Self.step : pause))
        return last.awake
      }
    }
    self.now = now
    sleep = { until in
      var left = until - now()
      while left > .zero {
        try await clock.sleep(clock.now() + min(left, Self.step))
        left = until - now()
      }
    }
  }
}
