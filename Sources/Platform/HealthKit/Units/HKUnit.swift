// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The molar mass of glucose in grams per mole, for millimoles of blood glucose.
public let HKUnitMolarMassBloodGlucose: Double = 180.15588000005408

/// A unit of measurement: one of the known ones, or a product of powers of these.
///
/// Two units are equal when their strings are: `kcal` and `Cal` convert 1:1 but are not equal.
public class HKUnit: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// What the unit measures.
  package let dimension: UnitDimension
  /// The worth of one unit in the base units of its kinds (gram, metre, litre, pascal, joule, …).
  package let scale: Double
  let product: UnitProduct
  private let offset: Double

  required init(_ product: UnitProduct) {
    self.product = product
    dimension = product.dimension
    scale = product.scale
    offset = product.offset
  }

  /// The unit of a string such as `mg/dL`.
  ///
  /// - Precondition: The string follows the grammar and has known units only.
  public convenience init(from string: String) {
    do {
      self.init(try UnitParser.parse(string))
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The unit of a string that may be wrong.
  package convenience init(parsing string: String) throws(UnitSyntaxError) {
    self.init(try UnitParser.parse(string))
  }

  /// The string from which the same unit can be made; factors are joined by `·`.
  public var unitString: String { product.string }

  /// The unit string.
  public override var description: String { unitString }

  /// Whether nothing is left of the unit, as after a division by itself.
  @discardableResult
  public func isNull() -> Bool { product.factors.isEmpty }

  /// Compares the units, not what they are worth.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKUnit else { return false }
    return self === other || product == other.product
  }

  /// The hash of the factors.
  public override var hash: Int { product.hashValue }

  /// Returns itself, being immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: - Archiving

  /// Units are archived securely.
  public static var supportsSecureCoding: Bool { true }

  /// Reads the unit string; nil if it is not one.
  public required convenience init?(coder: NSCoder) {
    guard let string = coder.decodeObject(of: NSString.self, forKey: "HKUnitStringKey"),
      let product = try? UnitParser.parse(String(describing: string))
    else { return nil }
    self.init(product)
  }

  /// Writes the unit string.
  public func encode(with coder: NSCoder) {
    coder.encode(unitString as NSString, forKey: "HKUnitStringKey")
  }

  // MARK: - Arithmetic

  /// The product of the units.
  @discardableResult
  public func unitMultiplied(by unit: HKUnit) -> HKUnit {
    HKUnit(product.multiplied(by: unit.product))
  }

  /// The quotient of the units.
  @discardableResult
  public func unitDivided(by unit: HKUnit) -> HKUnit {
    HKUnit(product.multiplied(by: unit.product.raised(to: -1)))
  }

  /// The power of the unit.
  ///
  /// - Precondition: The power is at most 1000, and not less than -1000.
  @discardableResult
  public func unitRaised(toPower power: Int) -> HKUnit {
    precondition(
      (-UnitParser.largestPower...UnitParser.largestPower).contains(power),
      "A unit cannot be raised to the power \(power)")
    return HKUnit(product.raised(to: power))
  }

  /// One divided by the unit.
  @discardableResult
  public func reciprocal() -> HKUnit { HKUnit(product.raised(to: -1)) }
}

// MARK: - Conversion

extension HKUnit {
  /// Whether values of the unit can be converted to the other.
  package func isCompatible(with other: HKUnit) -> Bool {
    self === other || dimension == other.dimension
      || dimension.reduced == other.dimension.reduced
  }

  /// The value in the other unit; nil if the units are not compatible.
  package func convert(_ value: Double, to other: HKUnit) -> Double? {
    if self === other { return value }
    if dimension == other.dimension {
      return scale == other.scale && offset == other.offset
        ? value : (value * scale + offset - other.offset) / other.scale
    }
    guard dimension.reduced == other.dimension.reduced else { return nil }
    return value * (scale * dimension.coherence) / (other.scale * other.dimension.coherence)
  }

  /// What many values of the unit are multiplied by, and what is then added, to have them in the
  /// other; nil if the units are not compatible.
  package func factor(to other: HKUnit) -> (scale: Double, offset: Double)? {
    if dimension == other.dimension {
      return scale == other.scale && offset == other.offset
        ? (1, 0) : (scale / other.scale, (offset - other.offset) / other.scale)
    }
    guard dimension.reduced == other.dimension.reduced else { return nil }
    return ((scale * dimension.coherence) / (other.scale * other.dimension.coherence), 0)
  }
}
