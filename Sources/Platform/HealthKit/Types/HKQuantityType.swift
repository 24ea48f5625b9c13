// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A type of samples with a value and a unit.
open class HKQuantityType: HKSampleType, @unchecked Sendable {
  /// How quantities of a time span are put together.
  public let aggregationStyle: HKQuantityAggregationStyle
  /// The unit in which the store keeps the values.
  package let canonicalUnit: HKUnit

  /// The type with the identifier.
  ///
  /// - Precondition: There is such a type.
  public convenience init(_ identifier: HKQuantityTypeIdentifier) {
    guard let facts = QuantityTypes.facts[identifier.rawValue] else {
      unknownType(identifier.rawValue)
    }
    self.init(
      identifier: identifier.rawValue, canonicalUnit: facts.unit, aggregationStyle: facts.style)
  }

  /// A type that the table may not have, as a later version's export does.
  package init(
    identifier: String, canonicalUnit: HKUnit,
    aggregationStyle: HKQuantityAggregationStyle = .discreteArithmetic
  ) {
    self.aggregationStyle = aggregationStyle
    self.canonicalUnit = canonicalUnit
    super.init(identifier: identifier)
  }

  /// The type of that identifier, if the table has it.
  package class func known(_ identifier: String) -> HKQuantityType? {
    guard let facts = QuantityTypes.facts[identifier] else { return nil }
    return HKQuantityType(
      identifier: identifier, canonicalUnit: facts.unit, aggregationStyle: facts.style)
  }

  /// Whether samples of the type can have quantities of the unit.
  @discardableResult
  open func `is`(compatibleWith unit: HKUnit) -> Bool {
    canonicalUnit.isCompatible(with: unit)
  }

  // MARK: - Archiving

  /// Reads the identifier, and the unit and the style of an unknown type; nil if one is missing.
  public required init?(coder: NSCoder) {
    guard let unit = coder.decodeObject(of: HKUnit.self, forKey: "UnitKey"),
      let style = HKQuantityAggregationStyle(
        rawValue: coder.decodeInteger(forKey: "AggregationStyleKey"))
    else { return nil }
    canonicalUnit = unit
    aggregationStyle = style
    super.init(coder: coder)
  }

  /// Writes the identifier, the unit and the style.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(canonicalUnit, forKey: "UnitKey")
    coder.encode(aggregationStyle.rawValue, forKey: "AggregationStyleKey")
  }
}
