// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Calls the handler of a session until the session is closed, and drops later events.
final class Receiver<Event: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var handler: (@Sendable (Event) -> Void)?

  init(_ handler: @escaping @Sendable (Event) -> Void) {
    self.handler = handler
  }

  private var present: (@Sendable (Event) -> Void)? {
    lock.lock()
    defer { lock.unlock() }
    return handler
  }

  var isOpen: Bool { present != nil }

  func callAsFunction(_ event: Event) {
    present?(event)
  }

  func close() {
    // Objects retained by the handler must not be released under the lock.
    let last = present
    lock.lock()
    handler = nil
    lock.unlock()
    withExtendedLifetime(last) {}
  }
}
