// SPDX-License-Identifier: Apache-2.0

/// Delivers a session's events on its queue until the session ends.
final class EventOutlet<Event: Sendable>: Sendable {
  private let queue: DispatchQueue
  private let handler: Guarded<(@Sendable (Event) -> Void)?>

  init(queue: DispatchQueue, handler: @escaping @Sendable (Event) -> Void) {
    self.queue = queue
    self.handler = Guarded(handler)
  }

  func send(_ event: Event) {
    queue.async { [self] in handler.withLock { $0 }?(event) }
  }

  /// Stops delivery, also of events already on their way.
  func close() {
    handler.withLock { $0 = nil }
  }
}
