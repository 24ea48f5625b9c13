// SPDX-License-Identifier: Apache-2.0

/// Which samples at the edges of a time span a predicate takes; without any, all that overlap it.
public struct HKQueryOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// The options with the bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The start date is in the time span.
  public static let strictStartDate = HKQueryOptions(rawValue: 1 << 0)
  /// The end date is in the time span.
  public static let strictEndDate = HKQueryOptions(rawValue: 1 << 1)
}

/// What a statistics query computes.
public struct HKStatisticsOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// The options with the bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Also for each source on its own.
  public static let separateBySource = HKStatisticsOptions(rawValue: 1 << 0)
  /// The average of a discrete type.
  public static let discreteAverage = HKStatisticsOptions(rawValue: 1 << 1)
  /// The least value of a discrete type.
  public static let discreteMin = HKStatisticsOptions(rawValue: 1 << 2)
  /// The greatest value of a discrete type.
  public static let discreteMax = HKStatisticsOptions(rawValue: 1 << 3)
  /// The sum of a cumulative type.
  public static let cumulativeSum = HKStatisticsOptions(rawValue: 1 << 4)
  /// The last value.
  public static let mostRecent = HKStatisticsOptions(rawValue: 1 << 5)
  /// The time that the samples cover.
  public static let duration = HKStatisticsOptions(rawValue: 1 << 6)

  /// The older name of ``mostRecent``.
  @available(
    iOS, introduced: 12.0, deprecated: 13.0, renamed: "HKStatisticsOptions.mostRecent"
  )
  public static var discreteMostRecent: HKStatisticsOptions { .mostRecent }
}
