// SPDX-License-Identifier: Apache-2.0

/// How quantities of a time span are put together.
@nonexhaustive
public enum HKQuantityAggregationStyle: Int, @unchecked Sendable {
  case cumulative = 0
  case discreteArithmetic = 1
  case discreteTemporallyWeighted = 2
  case discreteEquivalentContinuousLevel = 3

  /// The older name of ``discreteArithmetic``.
  @available(
    iOS, introduced: 8.0, deprecated: 13.0,
    renamed: "HKQuantityAggregationStyle.discreteArithmetic"
  )
  public static var discrete: HKQuantityAggregationStyle { .discreteArithmetic }
}
