// SPDX-License-Identifier: Apache-2.0

import Glibc
import SantorioConcurrency

/// An owned file descriptor, closed when it is released.
package final class DBusFileDescriptor: Hashable, Sendable {
  private let owned: Locked<Int32>

  /// Takes over a descriptor; it is closed when the last reference is released.
  package init(_ descriptor: Int32) { owned = Locked(descriptor) }

  deinit {
    let descriptor = owned.withLock { $0 }
    if descriptor >= 0 { close(descriptor) }
  }

  /// The descriptor; -1 after it was given away.
  package var value: Int32 { owned.withLock { $0 } }

  /// Gives the descriptor to the caller, who closes it.
  package func take() -> Int32 {
    owned.withLock { owned in
      defer { owned = -1 }
      return owned
    }
  }

  package static func == (left: DBusFileDescriptor, right: DBusFileDescriptor) -> Bool {
    left === right
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
