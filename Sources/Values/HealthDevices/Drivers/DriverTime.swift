// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The time at which something happens, as the receiver's clocks tell it.
package struct DriverTime: Hashable, Sendable {
  /// On a clock that never goes back, from any fixed instant: for everything that waits.
  package var elapsed: Duration
  /// Seconds since 1970-01-01T00:00:00Z: for everything that is told or set.
  package var secondsSince1970: Double
  /// Local time minus UTC, in seconds.
  package var utcOffsetSeconds: Int

  package init(elapsed: Duration, secondsSince1970: Double, utcOffsetSeconds: Int) {
    self.elapsed = elapsed
    self.secondsSince1970 = secondsSince1970
    self.utcOffsetSeconds = utcOffsetSeconds
  }

  /// Seconds of local time since the beginning of 1970.
  package var localSecondsSince1970: Double { secondsSince1970 + Double(utcOffsetSeconds) }

  /// What a clock on the wall shows; nil before 1582 and after 9999.
  package var local: DateTime? {
    guard abs(localSecondsSince1970) < 1e12 else { return nil }
    return DateTime(secondsSince1970: Int(localSecondsSince1970.rounded(.down)))
  }
}
