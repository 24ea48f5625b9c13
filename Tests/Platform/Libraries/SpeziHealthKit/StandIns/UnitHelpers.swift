// SPDX-License-Identifier: Apache-2.0

// In place of what the tests call in the Objective-C runtime, and of operators from a file that needs SwiftUI.
import HealthKit
@_spi(APISupport) @testable import SpeziHealthKit

extension HKUnit {
  static var _nullUnit: HKUnit { .meter().unitDivided(by: .meter()) }

  static func * (lhs: HKUnit, rhs: HKUnit) -> HKUnit { lhs.unitMultiplied(by: rhs) }
  static func / (lhs: HKUnit, rhs: HKUnit) -> HKUnit { lhs.unitDivided(by: rhs) }

  /// The module ends the process for a wrong text, as an exception would: those that the library refuses are left out.
  static func parse(_ input: String) throws -> HKUnit {
    _ = try _HKUnit.parse(input)
    return HKUnit(from: input)
  }

  func convert(_ value: Double, to other: HKUnit) -> Double {
    HKQuantity(unit: self, doubleValue: value).doubleValue(for: other)
  }

  func isCompatible(with other: HKUnit) -> Bool {
    HKQuantity(unit: self, doubleValue: 12.9).is(compatibleWith: other)
  }

  func convertToBaseUnit(_ value: Double) -> Double { value }
  func convertFromBaseUnit(_ value: Double) -> Double { value }
}
