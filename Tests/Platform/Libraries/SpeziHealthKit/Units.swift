// SPDX-License-Identifier: Apache-2.0

import HealthKit
@_spi(APISupport) import SpeziHealthKit

// The library's units for Linux and the package's, of the same texts, have to convert alike.

private let texts = [
  "kg", "lb", "oz", "st", "m", "in", "ft", "yd", "mi", "mL", "dL", "J", "kcal", "cal", "Pa", "mmHg",
  "cmAq", "atm", "s", "min", "hr", "d", "K", "degC", "degF", "count", "%", "mg/dL", "m/s", "km/hr",
  "kcal/hr", "mL/min", "count/min", "count/s", "mol<180.15588000005408>/L",
]

/// What differs, and the number of pairs.
func compareUnits() -> (pairs: Int, differing: [String]) {
  var (pairs, differing): (Int, [String]) = (0, [])
  for first in texts {
    for second in texts {
      let (ours, theirs) = (
        HKQuantity(unit: HKUnit(from: first), doubleValue: 37),
        _HKQuantity(unit: _HKUnit(from: first), doubleValue: 37)
      )
      let fits = ours.is(compatibleWith: HKUnit(from: second))
      guard fits == theirs.is(compatibleWith: _HKUnit(from: second)) else {
        differing.append("\(first) and \(second) are compatible for one only")
        continue
      }
      guard fits else { continue }
      let (value, other) = (
        ours.doubleValue(for: HKUnit(from: second)), theirs.doubleValue(for: _HKUnit(from: second))
      )
      pairs += 1
      if abs(value - other) > 1e-12 * abs(value) {
        differing.append("\(first) to \(second): \(value), \(other)")
      }
    }
  }
  return (pairs, differing)
}
