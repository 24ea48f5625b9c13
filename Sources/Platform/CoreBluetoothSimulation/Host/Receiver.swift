// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// Calls the handler of a session until the session is closed, whatever is on its way then.
final class Receiver<Event: Sendable>: Sendable {
  private let handler: Guarded<(@Sendable (Event) -> Void)?>

  init(_ handler: @escaping @Sendable (Event) -> Void) {
    self.handler = Guarded(handler)
  }

  var isOpen: Bool { handler.withLock { $0 != nil } }

  func callAsFunction(_ event: Event) {
    handler.withLock { $0 }?(event)
  }

  func close() {
    // What the handler keeps must not be released under the lock.
    let last = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    withExtendedLifetime(last) {}
  }
}
