// SPDX-License-Identifier: Apache-2.0

/// The way of a session's events to its queue, which ends at once when the session does.
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

  /// Nothing follows, also not what is on its way.
  func close() {
    handler.withLock { $0 = nil }
  }
}
