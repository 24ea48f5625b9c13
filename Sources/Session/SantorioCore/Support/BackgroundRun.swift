// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// The task in which a session runs for an app, and those who need it.
///
/// One task follows another: a new one begins when the one before it is over, so that those who
/// ask for it in the meantime get it.
final class BackgroundRun: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    /// The last task that was told to end.
    var ending: Task<Void, Never>?
    /// Distinguishes the task from earlier ones.
    var number = 0
    /// Whether the app wants it, and not only those who borrow it.
    var isWanted = false
    var borrowers = 0
    /// How many times the program runs the session itself.
    var runs = 0

    mutating func endTask() -> Task<Void, Never>? {
      guard let ended = task else { return ending }
      ended.cancel()
      number += 1
      (task, ending) = (nil, ended)
      return ended
    }
  }

  private let state = Locked(State())

  /// The program runs the session itself.
  func begins() { state.withLock { $0.runs += 1 } }

  /// The program does not run it any more.
  func ends() { state.withLock { $0.runs -= 1 } }

  /// The app wants the session to run from now on.
  func want(_ run: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      state.isWanted = true
      if state.task == nil { start(run, &state) }
    }
  }

  /// Has the session run for a while; false when the program runs it itself.
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
    let (number, ending) = (state.number, state.ending)
    state.task = Task {
      await ending?.value
      await run()
      self.state.withLock { if $0.number == number { $0.task = nil } }
    }
  }

  /// Ends the wish to run; the session stops unless somebody else needs it.
  ///
  /// - Returns: Whether nobody needs it.
  func giveBack() async -> Bool {
    let (isOver, task) = state.withLock { state -> (Bool, Task<Void, Never>?) in
      state.borrowers = max(0, state.borrowers - 1)
      guard state.borrowers == 0, !state.isWanted else { return (false, nil) }
      return (true, state.endTask())
    }
    await task?.value
    return isOver
  }

  /// Stops the session, although some may need it still.
  func stop() async {
    let task = state.withLock { state in
      state.isWanted = false
      return state.endTask()
    }
    await task?.value
  }
}
