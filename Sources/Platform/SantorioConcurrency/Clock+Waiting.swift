// SPDX-License-Identifier: Apache-2.0

extension Clock where Duration == Swift.Duration {
  /// Waits for a time; throws if the task is cancelled.
  ///
  /// Use it in place of `sleep(for:)`, which iOS 16 offers for concrete clocks only, and wherever a
  /// wait is often cancelled long before its end.
  package func wait(for duration: Duration) async throws {
    try await wait(until: now.advanced(by: duration))
  }

  /// Waits until an instant; throws if the task is cancelled.
  package func wait(until deadline: Instant) async throws {
    guard self is ContinuousClock else { return try await sleep(until: deadline, tolerance: nil) }
    try await waitInSteps(until: deadline)
  }

  /// Waits in sleeps, each as long as all sleeps before it and at least a second.
  ///
  /// A cancelled sleep of the standard library keeps its timer, some 300 bytes, until its deadline
  /// (Swift 6.3). A process that waits for hours and is woken a thousand times a minute would grow
  /// without limit. In steps, a cancelled wait keeps a timer no longer than it has lasted, or a second.
  package func waitInSteps(until deadline: Instant) async throws {
    let start = now
    while case let time = now, time < deadline {
      let step = max(.seconds(1), start.duration(to: time))
      try await sleep(until: min(deadline, time.advanced(by: step)), tolerance: nil)
    }
  }
}
