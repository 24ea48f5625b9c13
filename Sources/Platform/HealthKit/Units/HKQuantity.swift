// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value and its unit.
open class HKQuantity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The unit with which the quantity was made.
  package let unit: HKUnit
  /// The value in that unit.
  package let value: Double

  /// A quantity of the value.
  public convenience init(unit: HKUnit, doubleValue value: Double) {
    self.init(value, unit)
  }

  init(_ value: Double, _ unit: HKUnit) {
    self.unit = unit
    self.value = value
  }

  /// Whether the value can be had in the unit.
  @discardableResult
  open func `is`(compatibleWith unit: HKUnit) -> Bool {
    self.unit.isCompatible(with: unit)
  }

  /// The value in the unit.
  ///
  /// - Precondition: The quantity is compatible with the unit.
  @discardableResult
  open func doubleValue(for unit: HKUnit) -> Double {
    guard let value = self.unit.convert(value, to: unit) else {
      preconditionFailure(
        "Attempt to convert incompatible units: \(self.unit.unitString), \(unit.unitString)")
    }
    return value
  }

  /// Whether this quantity is less than, equal to or greater than the other.
  ///
  /// - Precondition: The units of the quantities are compatible.
  @discardableResult
  open func compare(_ quantity: HKQuantity) -> ComparisonResult {
    let other = quantity.doubleValue(for: unit)
    return value < other ? .orderedAscending : value > other ? .orderedDescending : .orderedSame
  }

  /// Whether the other is a quantity of a compatible unit and is worth the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKQuantity else { return false }
    return self === other || other.unit.convert(other.value, to: unit) == value
  }

  /// The same for equal quantities, whatever their units.
  open override var hash: Int {
    // Values of different units are equal after rounding only: the dimension alone is exact.
    unit.dimension.reduced.hashValue
  }

  /// The value and the unit string, `5 mmol<180.1558800000541>/L`.
  open override var description: String {
    "\(String(format: "%g", value)) \(unit.unitString)"
  }

  /// Returns itself, being immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: - Archiving

  /// Quantities are archived securely.
  open class var supportsSecureCoding: Bool { true }

  /// Reads the value and its unit; nil if one of them is missing.
  public required convenience init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "ValueKey"),
      let unit = coder.decodeObject(of: HKUnit.self, forKey: "UnitKey")
    else { return nil }
    self.init(coder.decodeDouble(forKey: "ValueKey"), unit)
  }

  /// Writes the value and its unit.
  open func encode(with coder: NSCoder) {
    coder.encode(value, forKey: "ValueKey")
    coder.encode(unit, forKey: "UnitKey")
  }
}
