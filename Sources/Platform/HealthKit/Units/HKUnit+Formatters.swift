// SPDX-License-Identifier: Apache-2.0

import Foundation

extension HKUnit {
  /// The unit that a formatter of masses names.
  public convenience init(from massFormatterUnit: MassFormatter.Unit) {
    let unit: UnitProduct =
      switch massFormatterUnit {
      case .gram: UnitProduct(.gram)
      case .kilogram: UnitProduct(SimpleUnit.gram.prefixed(.kilo))
      case .ounce: UnitProduct(.ounce)
      case .pound: UnitProduct(.pound)
      case .stone: UnitProduct(.stone)
      }
    self.init(unit)
  }

  /// The unit that a formatter of lengths names.
  public convenience init(from lengthFormatterUnit: LengthFormatter.Unit) {
    let unit: UnitProduct =
      switch lengthFormatterUnit {
      case .millimeter: UnitProduct(SimpleUnit.meter.prefixed(.milli))
      case .centimeter: UnitProduct(SimpleUnit.meter.prefixed(.centi))
      case .meter: UnitProduct(.meter)
      case .kilometer: UnitProduct(SimpleUnit.meter.prefixed(.kilo))
      case .inch: UnitProduct(.inch)
      case .foot: UnitProduct(.foot)
      case .yard: UnitProduct(.yard)
      case .mile: UnitProduct(.mile)
      }
    self.init(unit)
  }

  /// The unit that a formatter of energies names.
  public convenience init(from energyFormatterUnit: EnergyFormatter.Unit) {
    let unit: UnitProduct =
      switch energyFormatterUnit {
      case .joule: UnitProduct(.joule)
      case .kilojoule: UnitProduct(SimpleUnit.joule.prefixed(.kilo))
      case .calorie: UnitProduct(.smallCalorie)
      case .kilocalorie: UnitProduct(.kilocalorie)
      }
    self.init(unit)
  }

  /// What a formatter of masses calls the unit.
  ///
  /// - Precondition: The unit is `g`, `kg`, `oz`, `lb` or `st`.
  @discardableResult
  public class func massFormatterUnit(from unit: HKUnit) -> MassFormatter.Unit {
    switch unit.unitString {
    case "g": .gram
    case "kg": .kilogram
    case "oz": .ounce
    case "lb": .pound
    case "st": .stone
    default: preconditionFailure("No mass formatter unit for the unit \(unit.unitString)")
    }
  }

  /// What a formatter of lengths calls the unit.
  ///
  /// - Precondition: The unit is `mm`, `cm`, `m`, `km`, `in`, `ft`, `yd` or `mi`.
  @discardableResult
  public class func lengthFormatterUnit(from unit: HKUnit) -> LengthFormatter.Unit {
    switch unit.unitString {
    case "mm": .millimeter
    case "cm": .centimeter
    case "m": .meter
    case "km": .kilometer
    case "in": .inch
    case "ft": .foot
    case "yd": .yard
    case "mi": .mile
    default: preconditionFailure("No length formatter unit for the unit \(unit.unitString)")
    }
  }

  /// What a formatter of energies calls the unit.
  ///
  /// - Precondition: The unit is `J`, `kJ`, `cal`, `kcal` or `Cal`.
  @discardableResult
  public class func energyFormatterUnit(from unit: HKUnit) -> EnergyFormatter.Unit {
    switch unit.unitString {
    case "J": .joule
    case "kJ": .kilojoule
    case "cal": .calorie
    case "kcal", "Cal": .kilocalorie
    default: preconditionFailure("No energy formatter unit for the unit \(unit.unitString)")
    }
  }
}
