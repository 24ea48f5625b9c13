// SPDX-License-Identifier: Apache-2.0

/// The units of one kind of quantity; the raw value is the unit's symbol.
public protocol ClinicalUnit: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// Converts a value of this unit to another unit; nothing is rounded.
  ///
  /// - Parameters:
  ///   - value: The value in this unit.
  ///   - unit: The unit wanted.
  /// - Returns: The value in the unit wanted; the same value when that is this unit.
  func convert(_ value: Double, to unit: Self) -> Double
}

extension ClinicalUnit {
  /// Converts between units that differ by a factor only.
  func scale(_ value: Double, to unit: Self, _ factor: (Self) -> Double) -> Double {
    // A factor and its inverse could change the last bit of a value that needs no conversion.
    self == unit ? value : value * factor(self) / factor(unit)
  }
}
