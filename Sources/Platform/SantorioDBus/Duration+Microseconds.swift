// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// Whole microseconds, at least one (zero has a meaning of its own in sd-bus), at most a year's.
  var microseconds: UInt64 {
    let seconds = min(max(components.seconds, 0), 365 * 86_400)
    let rest = max(components.attoseconds, 0) / 1_000_000_000_000
    return max(1, UInt64(seconds) * 1_000_000 + UInt64(rest))
  }
}
