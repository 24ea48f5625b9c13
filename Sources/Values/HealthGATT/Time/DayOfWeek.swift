// SPDX-License-Identifier: Apache-2.0

/// Day of Week: 1 is Monday, 7 is Sunday, 0 unknown; other values are reserved and kept.
///
/// Source: GATT Specification Supplement, Day of Week.
public struct DayOfWeek: RawRepresentable, Hashable, Sendable {
  /// The byte.
  public let rawValue: UInt8

  /// Takes any byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The device does not know the day.
  public static let unknown = DayOfWeek(rawValue: 0)
  /// Monday.
  public static let monday = DayOfWeek(rawValue: 1)
  /// Tuesday.
  public static let tuesday = DayOfWeek(rawValue: 2)
  /// Wednesday.
  public static let wednesday = DayOfWeek(rawValue: 3)
  /// Thursday.
  public static let thursday = DayOfWeek(rawValue: 4)
  /// Friday.
  public static let friday = DayOfWeek(rawValue: 5)
  /// Saturday.
  public static let saturday = DayOfWeek(rawValue: 6)
  /// Sunday.
  public static let sunday = DayOfWeek(rawValue: 7)
}
