// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// The memory that the bodies of all requests share, so that many large ones cannot use up the
/// machine's.
final class BodyMemory: Sendable {
  private let free: Locked<Int>

  init(octets: Int) { free = Locked(octets) }

  /// Takes a part; false when there is not so much.
  func take(_ octets: Int) -> Bool {
    free.withLock { free in
      guard free >= octets else { return false }
      free -= octets
      return true
    }
  }

  /// Gives back what was taken.
  func give(_ octets: Int) { free.withLock { $0 += octets } }
}
