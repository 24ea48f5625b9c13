// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Calls a function at regular intervals until it is stopped or deallocated.
final class RepeatingTimer: @unchecked Sendable {
  // Unchecked because of `source`, which is set up in `init` and only cancelled afterwards;
  // Dispatch does its own locking.
  private let source: any DispatchSourceTimer
  private let queue: DispatchQueue

  /// Calls `body` on a queue of its own, for the first time after one interval.
  init(every interval: DispatchTimeInterval, _ body: @escaping @Sendable () -> Void) {
    queue = DispatchQueue(label: "santorio.ingest.timer")
    source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(deadline: .now() + interval, repeating: interval)
    source.setEventHandler(handler: body)
    source.activate()
  }

  /// Stops the calls and waits for a running one; must not be called by the function itself.
  func stop() {
    source.cancel()
    queue.sync {}
  }

  deinit { source.cancel() }
}
