// SPDX-License-Identifier: Apache-2.0

/// A number with its unit, as it was measured.
///
/// Two quantities are equal when value and unit are. To compare across units, convert both to one.
public struct Quantity<Unit: ClinicalUnit>: Hashable, Sendable {
  /// The number, in `unit`.
  public let value: Double
  /// The unit of `value`.
  public let unit: Unit

  /// Creates a quantity.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - unit: The unit of the number.
  public init(_ value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  /// The number in another unit, not rounded.
  ///
  /// - Parameter unit: The unit wanted.
  /// - Returns: The number in that unit.
  public func value(in unit: Unit) -> Double { self.unit.convert(value, to: unit) }
}
