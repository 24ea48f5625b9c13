// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// Lets others wait until the uploader has done all that it can do now.
final class RestSignal: Sendable {
  private let waiters = Locked<[UUID: CheckedContinuation<Void, Never>]>([:])

  /// The uploader rests, or does not run.
  func rested() {
    let waiting = waiters.withLock { waiters in
      defer { waiters = [:] }
      return waiters.values
    }
    for waiter in waiting { waiter.resume() }
  }

  /// Waits for the next rest, or until the task is cancelled.
  ///
  /// - Parameter ask: Called once the wait has begun; makes the uploader look for work.
  func next(_ ask: () -> Void) async {
    let id = UUID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = waiters.withLock { waiters in
          if !Task.isCancelled { waiters[id] = continuation }
          return Task.isCancelled
        }
        if isOver { continuation.resume() } else { ask() }
      }
    } onCancel: {
      waiters.withLock { $0.removeValue(forKey: id) }?.resume()
    }
  }
}
