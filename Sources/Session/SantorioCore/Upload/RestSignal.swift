// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// Lets others wait until the uploader has done all that it can do now.
final class RestSignal: Sendable {
  private let waiters = Locked<[UUID: CheckedContinuation<Void, Never>]>([:])

  /// The uploader rests, or does not run.
  ///
  /// - Parameter isCalled: True if the uploader was asked to look for work and has not done so yet: it does
  ///   not rest then.
  func rested(unless isCalled: () -> Bool = { false }) {
    let waiting = waiters.withLock { waiters -> [CheckedContinuation<Void, Never>] in
      guard !isCalled() else { return [] }
      defer { waiters = [:] }
      return Array(waiters.values)
    }
    for waiter in waiting { waiter.resume() }
  }

  /// Waits for the rest after the work that is there now, or until the task is cancelled.
  ///
  /// - Parameter ask: Calls the uploader to look for work.
  func next(_ ask: () -> Void) async {
    let id = UUID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = waiters.withLock { waiters in
          guard !Task.isCancelled else { return true }
          waiters[id] = continuation
          // A rest in between would be one before the work was looked for.
          ask()
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      waiters.withLock { $0.removeValue(forKey: id) }?.resume()
    }
  }
}
