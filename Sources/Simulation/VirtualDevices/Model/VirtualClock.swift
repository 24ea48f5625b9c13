// SPDX-License-Identifier: Apache-2.0

public import HealthDevices
public import CivilCalendar
import HealthGATT

/// The clock of a virtual device, which keeps local time and may be wrong.
public struct VirtualClock: Hashable, Sendable {
  /// What it shows minus the true local time, in seconds.
  public var offsetSeconds: Double

  /// Makes a clock.
  ///
  /// - Parameter offsetSeconds: What it shows minus the true local time.
  public init(offsetSeconds: Double = 0) { self.offsetSeconds = offsetSeconds }

  /// Seconds of its time since the beginning of 1970.
  public func secondsSince1970(at time: DriverTime) -> Int {
    Int((time.localSecondsSince1970 + offsetSeconds).rounded(.down))
  }

  /// The date and time that it shows.
  public func time(at time: DriverTime) -> LocalDateTime {
    LocalDateTime(secondsSince1970: secondsSince1970(at: time))
  }

  /// What it shows as Current Time (2A2B).
  package func currentTime(at time: DriverTime) -> [UInt8] {
    (try? DateTime(self.time(at: time))).map { CurrentTime(dateTime: $0).payload } ?? []
  }

  /// Sets it; false for a date that there is not.
  public mutating func set(_ shown: LocalDateTime, at time: DriverTime) -> Bool {
    guard let seconds = shown.secondsSince1970 else { return false }
    offsetSeconds = Double(seconds) - time.localSecondsSince1970.rounded(.down)
    return true
  }
}
