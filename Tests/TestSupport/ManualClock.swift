// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// A clock that a test advances, and that reports which sleeps begin.
package final class ManualClock: Clock {
  package typealias Duration = Swift.Duration

  package struct Instant: InstantProtocol {
    package var offset: Duration
    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] =
      [:]
    var next = 0
  }

  private let state = Locked(State())
  private let begun = AsyncStream<Swift.Duration>.makeStream()

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package let minimumResolution = Duration.zero

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          guard !Task.isCancelled, deadline > state.now else { return true }
          state.sleepers[id] = (deadline, continuation)
          return false
        }
        if isOver { continuation.resume() }
        begun.continuation.yield(now.duration(to: deadline))
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation
        .resume(throwing: CancellationError())
    }
  }

  /// Waits until a sleep begins whose length meets a condition, and returns the length.
  package func sleepBegins(where condition: (Duration) -> Bool) async -> Duration? {
    for await duration in begun.stream where condition(duration) { return duration }
    return nil
  }

  /// How long the sleeps still last that have not ended.
  package var sleeps: [Duration] {
    state.withLock { state in state.sleepers.values.map { state.now.duration(to: $0.deadline) } }
  }

  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      let now = state.now.advanced(by: duration)
      state.now = now
      let due = state.sleepers.filter { $0.value.deadline <= now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }
}
