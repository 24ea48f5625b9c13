// SPDX-License-Identifier: Apache-2.0

public import CivilCalendar

/// The time at which something happens, by the receiver's clocks.
public struct DriverTime: Hashable, Sendable {
  /// On a clock that never goes back, from any fixed instant: for everything that waits.
  public var elapsed: Duration
  /// Seconds since 1970-01-01T00:00:00Z: for what is recorded or set.
  public var secondsSince1970: Double
  /// Local time minus UTC, in seconds.
  public var utcOffsetSeconds: Int

  /// Makes a time.
  ///
  /// - Parameters:
  ///   - elapsed: Since any fixed instant, on a clock that never goes back.
  ///   - secondsSince1970: Seconds since 1970-01-01T00:00:00Z.
  ///   - utcOffsetSeconds: Local time minus UTC, in seconds.
  public init(elapsed: Duration, secondsSince1970: Double, utcOffsetSeconds: Int) {
    self.elapsed = elapsed
    self.secondsSince1970 = secondsSince1970
    self.utcOffsetSeconds = utcOffsetSeconds
  }

  /// Seconds of local time since the beginning of 1970.
  public var localSecondsSince1970: Double { secondsSince1970 + Double(utcOffsetSeconds) }

  /// The local time; nil outside the years 1582...9999.
  public var local: LocalDateTime? {
    guard abs(localSecondsSince1970) < 1e12 else { return nil }
    let local = LocalDateTime(secondsSince1970: Int(localSecondsSince1970.rounded(.down)))
    return (1582...9999).contains(local.year) ? local : nil
  }
}
