// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// A sample of a live measurement that can be compared with one taken moments before.
package protocol SteadyComparable: Sendable {
  /// Whether nothing has changed between the two but what the measurement itself wavers by.
  func isSteady(with other: Self) -> Bool
}

/// Picks the one reading of a live measurement: the sample after which nothing changed for a while.
///
/// A device that sends a sample each second sends no result; a person would read the display once
/// it has settled. The rule is the one that patients are taught: "Record the result once the
/// reading has not changed for five seconds" (NHS England, COVID Oximetry @home, how to use a pulse
/// oximeter). So a sample is the reading when
///
/// - all samples of the last `holdTime` are steady with it and with one another,
/// - none of them was missing: a sample without a value (no finger, still searching) starts the
///   wait again, and so does a silence longer than `longestGap`,
/// - and no reading was taken before: there is one a session.
///
/// ```
/// second   0   1   2   3   4   5   6   7   8
/// sample  97   -  95  95  96  96  95  96  96
///                 '------ five seconds -> 96: the reading
/// ```
///
/// How long the whole may take is the driver's to say. The times are those of a clock that never
/// goes back, counted from any fixed instant.
package struct StableValue<Sample: SteadyComparable>: Sendable {
  /// How long a value must hold to be the reading.
  package struct Rule: Hashable, Sendable {
    /// How long all samples must have been steady.
    package var holdTime: Duration
    /// The longest silence between two samples.
    package var longestGap: Duration

    package init(holdTime: Duration = .seconds(5), longestGap: Duration = .seconds(3)) {
      self.holdTime = holdTime
      self.longestGap = longestGap
    }
  }

  private let rule: Rule
  private var window: [(sample: Sample, time: Duration)] = []
  /// Whether the reading was taken.
  package private(set) var isFinished = false

  package init(rule: Rule = Rule()) {
    self.rule = rule
  }

  /// A sample came, or nil when the device had no value.
  ///
  /// - Returns: The sample, when it is the reading; at most once.
  package mutating func received(_ sample: Sample?, at time: Duration) -> Sample? {
    guard !isFinished else { return nil }
    guard let sample else {
      window = []
      return nil
    }
    if let last = window.last, time - last.time > rule.longestGap { window = [] }
    if let changed = window.lastIndex(where: { !sample.isSteady(with: $0.sample) }) {
      window.removeFirst(changed + 1)
    }
    window.append((sample, time))
    guard let first = window.first, time - first.time >= rule.holdTime else { return nil }
    isFinished = true
    return sample
  }
}
