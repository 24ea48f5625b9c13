// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// Lets one task sleep until there is something to do; a call before the sleep is not lost.
final class WakeUp: Sendable {
  /// Which sleeps a call interrupts.
  enum Urgency: Comparable, Sendable {
    /// There is new work for a task that has none.
    case work
    /// The answer of an upload has come, or somebody waits for the rest.
    case answer
    /// Another try is wanted now, whatever the task waits for.
    case retry
  }

  /// How long a sleep lasts that only a call ends: a year.
  static let untilCalled = Duration.seconds(31_536_000)

  private struct State {
    var call: Urgency?
    var sleeper: (minimum: Urgency, continuation: CheckedContinuation<Void, Never>)?

    mutating func takeSleeper() -> CheckedContinuation<Void, Never>? {
      defer { sleeper = nil }
      return sleeper?.continuation
    }
  }

  private let state = Locked(State())

  /// Ends the current sleep, or else the next one at once, if its urgency allows that.
  func call(_ urgency: Urgency) {
    let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.call = max(state.call ?? urgency, urgency)
      guard let sleeper = state.sleeper, urgency >= sleeper.minimum else { return nil }
      return state.takeSleeper()
    }
    sleeper?.resume()
  }

  /// Sleeps until called, until the time has passed, or until the task is cancelled.
  ///
  /// - Returns: The call that ended the sleep, if there was one.
  func sleep(
    for duration: Duration, on clock: any Clock<Duration>, unless minimum: Urgency = .work
  ) async -> Urgency? {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.whenCalled(minimum) }
      group.addTask { try? await clock.wait(for: duration) }
      await group.next()
      group.cancelAll()
    }
    return take(minimum)
  }

  /// True if a call waits that ends a sleep of that minimum.
  func isCalled(_ minimum: Urgency) -> Bool {
    state.withLock { state in state.call.map { $0 >= minimum } ?? false }
  }

  /// Takes back a call that came before the task checks for work: the check will serve it.
  func take(_ minimum: Urgency = .work) -> Urgency? {
    state.withLock { state in
      guard let call = state.call, call >= minimum else { return nil }
      defer { state.call = nil }
      return call
    }
  }

  private func whenCalled(_ minimum: Urgency) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled { return true }
          if let call = state.call, call >= minimum { return true }
          state.sleeper = (minimum, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.takeSleeper() }?.resume()
    }
  }
}
