// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// The task in which a session runs for an app, and those who need it.
final class BackgroundRun: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    /// Distinguishes the task from earlier ones.
    var number = 0
    /// Whether the app wants it, and not only those who borrow it.
    var isWanted = false
    var borrowers = 0
    /// How many calls of the session's `run` have the folder; more than none without a task means
    /// that the program runs the session itself.
    var runs = 0

    mutating func takeTask() -> Task<Void, Never>? {
      number += 1
      defer { task = nil }
      return task
    }
  }

  private let state = Locked(State())

  /// A call of the session's `run` has the folder.
  func begins() { state.withLock { $0.runs += 1 } }

  /// The call is over.
  func ends() { state.withLock { $0.runs -= 1 } }

  /// The app wants the session to run from now on.
  func want(_ run: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      state.isWanted = true
      if state.task == nil { start(run, &state) }
    }
  }

  /// Has the session run for a while; false when it runs in another way already.
  func borrow(_ run: @escaping @Sendable () async -> Void) -> Bool {
    state.withLock { state in
      guard state.task != nil || state.runs == 0 else { return false }
      state.borrowers += 1
      if state.task == nil { start(run, &state) }
      return true
    }
  }

  private func start(_ run: @escaping @Sendable () async -> Void, _ state: inout State) {
    state.number += 1
    let number = state.number
    state.task = Task {
      await run()
      self.state.withLock { if $0.number == number { $0.task = nil } }
    }
  }

  /// Ends the wish to run; the session stops unless somebody else needs it.
  ///
  /// - Returns: Whether it was stopped.
  func giveBack() async -> Bool {
    let task = state.withLock { state -> Task<Void, Never>? in
      state.borrowers = max(0, state.borrowers - 1)
      guard state.borrowers == 0, !state.isWanted else { return nil }
      return state.takeTask()
    }
    guard let task else { return false }
    task.cancel()
    await task.value
    return true
  }

  /// Stops the session, although some may need it still.
  func stop() async {
    let task = state.withLock { state in
      state.isWanted = false
      return state.takeTask()
    }
    task?.cancel()
    await task?.value
  }
}
