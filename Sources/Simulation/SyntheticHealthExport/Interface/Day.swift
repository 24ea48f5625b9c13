// SPDX-License-Identifier: Apache-2.0

import CivilCalendar

extension SyntheticHealthExport {
  /// A day of the Gregorian calendar, without a time zone.
  public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Days since 1 January 1970; negative before it.
    public let daysSince1970: Int

    /// Makes a day from its number.
    ///
    /// - Parameter daysSince1970: Days since 1 January 1970.
    public init(daysSince1970: Int) { self.daysSince1970 = daysSince1970 }

    /// Makes a day from its ISO 8601 form.
    ///
    /// - Parameter text: The form `2025-11-15`; anything else, and a date that no calendar has,
    ///   makes nil.
    public init?(_ text: String) {
      guard let seconds = LocalDateTime(text + "T00:00:00")?.secondsSince1970 else { return nil }
      daysSince1970 = seconds / 86_400
    }

    /// The ISO 8601 form, `2025-11-15`.
    public var description: String {
      String(LocalDateTime(secondsSince1970: daysSince1970 * 86_400).description.prefix(10))
    }

    /// Whether a day is before another.
    ///
    /// - Parameters:
    ///   - left: A day.
    ///   - right: Another day.
    /// - Returns: Whether `left` is the earlier one.
    public static func < (left: Self, right: Self) -> Bool {
      left.daysSince1970 < right.daysSince1970
    }
  }
}
