// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// A registration that lasts until it is cancelled or released.
package final class DBusRegistration: Sendable {
  private let end: @Sendable () -> Void
  private let isCancelled = Locked(false)

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { cancel() }

  /// Ends it, from any thread.
  ///
  /// Called on the connection's queue, it has ended when this returns: no handler follows.
  package func cancel() {
    let isFirst = isCancelled.withLock { isCancelled in
      defer { isCancelled = true }
      return !isCancelled
    }
    if isFirst { end() }
  }
}
