// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// How long something may be read: until a time, or until the system wants its time back.
///
/// It is asked between two pages: what was read is always stored.
package final class ReadingTime: Sendable {
  private let deadline: Date
  private let now: @Sendable () -> Date
  private let isTaken = Locked(false)

  init(until deadline: Date, now: @escaping @Sendable () -> Date) {
    self.deadline = deadline
    self.now = now
  }

  /// Whether no further page may be read.
  var isOver: Bool { isTaken.withLock { $0 } || now() >= deadline }

  /// Ends it before its time.
  package func end() { isTaken.withLock { $0 = true } }
}
