// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthDevices

/// How far the clock of a device was off when it was read last.
public struct MeasuredClock: Hashable, Sendable, Codable {
  /// The device's clock minus the receiver's, in seconds, before it was set right.
  public let driftSeconds: Double
  /// When it was read, by the receiver's clock.
  public let date: Date
  /// Whether it was set right then.
  public private(set) var isSetRight = false
  /// Since when it has been off as it was left, by the receiver's clock; ``date``, or an earlier
  /// reading that found it as far off.
  public let since: Date

  /// The clock as it was found, which may be as another reading left it.
  init(driftSeconds: Double, date: Date, after earlier: MeasuredClock?, policy: ClockPolicy) {
    self.driftSeconds = driftSeconds
    self.date = date
    let left = earlier?.asLeft
    let isSame = left.map {
      abs($0.driftSeconds - driftSeconds) <= policy.toleratedDrift / .seconds(1)
    }
    since = isSame == true ? left?.since ?? date : date
  }

  /// The same after it was set right.
  func setRight() -> MeasuredClock {
    var clock = self
    clock.isSetRight = true
    return clock
  }

  /// What a later reading may conclude from it.
  var asLeft: EarlierClock {
    isSetRight
      ? EarlierClock(driftSeconds: 0, since: date)
      : EarlierClock(driftSeconds: driftSeconds, since: since)
  }
}
