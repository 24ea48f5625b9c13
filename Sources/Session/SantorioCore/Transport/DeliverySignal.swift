// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// Lets others wait until the system has delivered the events of background uploads.
package final class DeliverySignal: Sendable {
  private struct State {
    /// Whether events were delivered for which nobody has waited yet.
    var isDelivered = false
    var waiters: [UUID: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Locked(State())

  package init() {}

  /// The system has delivered all events.
  package func delivered() {
    let waiting = state.withLock { state in
      state.isDelivered = state.waiters.isEmpty
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiting { waiter.resume() }
  }

  /// Waits for the next delivery, which may have come already, or until the task is cancelled.
  package func next() async {
    let id = UUID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          defer { state.isDelivered = false }
          if state.isDelivered || Task.isCancelled { return true }
          state.waiters[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
  }
}
