// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// A registration that lasts until it is cancelled or released.
package final class DBusRegistration: Sendable {
  private let end: Locked<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = Locked(end) }

  deinit { cancel() }

  /// Ends it, from any thread.
  ///
  /// Called on the connection's queue, it has ended when this returns: no handler follows.
  package func cancel() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}
