// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// A clock that a test moves.
final class SimulatedTime: Sendable {
  private let time = Locked(Date())

  var now: Date {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}
