// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The offsets of a time zone in a period.
///
/// Instants are seconds since 1970.
struct ZoneClock: Sendable {
  let name: String
  /// From when on which offset holds, ascending; the first holds before it, too.
  private let rules: [(start: Int, offset: Int)]

  /// Nil for a name that the system does not know.
  init?(_ name: String, _ period: Range<Int>) {
    guard let zone = TimeZone(identifier: name) else { return nil }
    func offset(_ instant: Int) -> Int {
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    }
    var rules = [(start: period.lowerBound, offset: offset(period.lowerBound))]
    for instant in stride(from: period.lowerBound, to: period.upperBound, by: 21_600) {
      let after = offset(instant + 21_600)
      guard let last = rules.last, last.offset != after else { continue }
      var (low, high) = (instant, instant + 21_600)
      while high - low > 1 {
        let middle = (low + high) / 2
        if offset(middle) == last.offset { low = middle } else { high = middle }
      }
      rules.append((high, after))
    }
    self.name = name
    self.rules = rules
  }

  /// Local time minus UTC, in seconds.
  func offset(at instant: Int) -> Int {
    for rule in rules.reversed() where rule.start <= instant { return rule.offset }
    return rules[0].offset
  }

  /// The instant at which the clock shows a time, given in seconds since 1970 began on that clock;
  /// the first of two, and the end of a gap.
  func instant(ofLocal seconds: Int) -> Int {
    for (index, rule) in rules.enumerated() {
      let instant = seconds - rule.offset
      guard index + 1 < rules.count else { return instant }
      let next = rules[index + 1].start
      if instant < next { return instant }
      if seconds - rules[index + 1].offset < next { return next }
    }
    return seconds
  }
}
