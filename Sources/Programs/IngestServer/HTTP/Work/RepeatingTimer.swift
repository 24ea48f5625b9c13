// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Calls a function again and again, until it is stopped or nobody holds it.
final class RepeatingTimer: @unchecked Sendable {
  // Unchecked for `source`, which is set up at the beginning and cancelled at the end; Dispatch
  // locks by itself.
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

  /// Calls no more, and returns when that is so; not to be called by the function itself.
  func stop() {
    source.cancel()
    queue.sync {}
  }

  deinit { source.cancel() }
}
