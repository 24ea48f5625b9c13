// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
package import HealthGATT

/// The clock of a virtual device, which keeps local time and may be wrong.
package struct VirtualClock: Hashable, Sendable {
  /// What it shows minus the true local time, in seconds.
  package var offsetSeconds: Double

  package init(offsetSeconds: Double = 0) { self.offsetSeconds = offsetSeconds }

  /// Seconds of its time since the beginning of 1970.
  package func secondsSince1970(at time: DriverTime) -> Int {
    Int((time.localSecondsSince1970 + offsetSeconds).rounded(.down))
  }

  /// What it shows.
  package func time(at time: DriverTime) -> DateTime? {
    DateTime(secondsSince1970: secondsSince1970(at: time))
  }

  /// Sets it; false for a date that there is not.
  package mutating func set(_ shown: DateTime, at time: DriverTime) -> Bool {
    guard let seconds = shown.secondsSince1970 else { return false }
    offsetSeconds = Double(seconds) - time.localSecondsSince1970.rounded(.down)
    return true
  }
}
