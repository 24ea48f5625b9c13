// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// The process of an app, which the system suspends, wakes and ends.
///
/// The app's code is not stopped: what it waits for is.
package final class AppProcess: Sendable {
  package enum State: Sendable {
    case awake
    case suspended
    case ended
  }

  private struct Content {
    var state = State.awake
    var waiters: [UUID: CheckedContinuation<Void, any Error>] = [:]
  }

  private let content = Locked(Content())

  package init() {}

  /// Once it has ended, it stays so.
  package var state: State {
    get { content.withLock { $0.state } }
    set {
      let woken = content.withLock { content -> [CheckedContinuation<Void, any Error>] in
        guard content.state != .ended else { return [] }
        content.state = newValue
        guard newValue == .awake else { return [] }
        defer { content.waiters = [:] }
        return Array(content.waiters.values)
      }
      for waiter in woken { waiter.resume() }
    }
  }

  package var isAwake: Bool { state == .awake }

  /// Waits until the process runs, for ever once it has ended.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  package func untilAwake() async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = content.withLock { content in
          guard content.state != .awake, !Task.isCancelled else { return true }
          content.waiters[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      content.withLock { $0.waiters.removeValue(forKey: id) }?
        .resume(throwing: CancellationError())
    }
    try Task.checkCancellation()
  }

  /// The clock of the process: a sleep that is over while the process is suspended ends when it
  /// wakes.
  package func clock<Base: Clock>(on base: Base) -> AppClock<Base> {
    AppClock(process: self, base: base)
  }
}

/// The clock of a process that the system may suspend.
package struct AppClock<Base: Clock>: Clock {
  fileprivate let process: AppProcess
  fileprivate let base: Base

  package var now: Base.Instant { base.now }
  package var minimumResolution: Base.Instant.Duration { base.minimumResolution }

  package func sleep(
    until deadline: Base.Instant, tolerance: Base.Instant.Duration?
  ) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
    try await process.untilAwake()
  }
}
