// SPDX-License-Identifier: Apache-2.0

package import CivilCalendar

extension LocalDateTime {
  private static let secondsFrom1970To2000 = 946_684_800

  /// The time of a clock that counts the seconds of its local time since 2000 began.
  package init(secondsSince2000 seconds: UInt32) {
    self.init(secondsSince1970: Self.secondsFrom1970To2000 + Int(seconds))
  }

  /// The seconds since 2000 began; nil before that, after 2136, and for an impossible date.
  package var secondsSince2000: UInt32? {
    secondsSince1970.flatMap { UInt32(exactly: $0 - Self.secondsFrom1970To2000) }
  }
}
