// SPDX-License-Identifier: Apache-2.0

extension DateTime {
  private static let secondsFrom1970To2000 = 946_684_800

  /// What a clock shows that counts the seconds since midnight of the 1st of January 2000.
  ///
  /// Such clocks keep local time: no zone is known, and no summer time is taken into account.
  package init?(secondsSince2000 seconds: UInt32) {
    self.init(secondsSince1970: Self.secondsFrom1970To2000 + Int(seconds))
  }

  /// The seconds since midnight of the 1st of January 2000; nil when that cannot be told.
  package var secondsSince2000: UInt32? {
    secondsSince1970.flatMap { UInt32(exactly: $0 - Self.secondsFrom1970To2000) }
  }
}
