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
    sleep = { until in try await clock.sleep(until: start.advanced(by: until), tolerance: nil) }
  }
}
