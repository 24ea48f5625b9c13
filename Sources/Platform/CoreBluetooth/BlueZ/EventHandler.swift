// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// Delivers a session's events on its queue until the session ends.
final class EventHandler<Event: Sendable>: Sendable {
  private struct Handler {
    let call: @Sendable (Event) -> Void
  }

  private let queue: DispatchQueue
  private let handler: Locked<Handler?>

  init(queue: DispatchQueue, handler: @escaping @Sendable (Event) -> Void) {
    self.queue = queue
    self.handler = Locked(Handler(call: handler))
  }

  func send(_ event: Event) {
    queue.async { [self] in handler.withLock { $0 }?.call(event) }
  }

  /// Stops the delivery, including events that are already queued.
  func close() {
    handler.withLock { $0 = nil }
  }
}
