// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// Tells those of this process who depend on it that another session has begun, or the session has
/// ended.
///
/// Events tell it, too, but only where the session runs.
final class SessionChanges: Sendable {
  private let watches = Locked<[UUID: @Sendable () -> Void]>([:])

  /// Calls something after each change, on an unspecified thread, as long as the watch lives.
  func watch(_ body: @escaping @Sendable () -> Void) -> SessionWatch {
    let id = UUID()
    watches.withLock { $0[id] = body }
    return SessionWatch { [watches] in _ = watches.withLock { $0.removeValue(forKey: id) } }
  }

  func tell() {
    for body in watches.withLock({ Array($0.values) }) { body() }
  }
}

/// Ends with its release.
package final class SessionWatch: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}

extension SantorioSession {
  /// Calls something after this process has begun or ended a session in the folder.
  ///
  /// - Parameter body: Called on an unspecified thread.
  /// - Returns: What ends that when it is released.
  package func watchSessions(_ body: @escaping @Sendable () -> Void) -> SessionWatch {
    changed.watch(body)
  }
}
