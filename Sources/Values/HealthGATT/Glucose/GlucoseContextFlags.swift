// SPDX-License-Identifier: Apache-2.0

/// Flags of Glucose Measurement Context.
///
/// Source: GATT Specification Supplement, Glucose Measurement Context, Flags.
public struct GlucoseContextFlags: OptionSet, Hashable, Sendable {
  /// The byte.
  public let rawValue: UInt8

  /// Takes any byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Bit 0: there is a carbohydrate.
  public static let carbohydratePresent = GlucoseContextFlags(rawValue: 1 << 0)
  /// Bit 1: there is a meal.
  public static let mealPresent = GlucoseContextFlags(rawValue: 1 << 1)
  /// Bit 2: there are tester and health.
  public static let testerHealthPresent = GlucoseContextFlags(rawValue: 1 << 2)
  /// Bit 3: there is an exercise.
  public static let exercisePresent = GlucoseContextFlags(rawValue: 1 << 3)
  /// Bit 4: there is a medication.
  public static let medicationPresent = GlucoseContextFlags(rawValue: 1 << 4)
  /// Bit 5: the medication is in litres, not in kilograms.
  public static let medicationInLiters = GlucoseContextFlags(rawValue: 1 << 5)
  /// Bit 6: there is an HbA1c.
  public static let hba1cPresent = GlucoseContextFlags(rawValue: 1 << 6)
  /// Bit 7: there are extended flags.
  public static let extendedFlagsPresent = GlucoseContextFlags(rawValue: 1 << 7)
}
