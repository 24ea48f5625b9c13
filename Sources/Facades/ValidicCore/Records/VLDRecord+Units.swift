// SPDX-License-Identifier: Apache-2.0

package import ClinicalUnits
public import Foundation

/// A unit of temperature.
#if canImport(ObjectiveC)
  @objc(VLDTemperatureUnit)
#endif
public enum VLDTemperatureUnit: UInt, CaseIterable, Sendable {
  /// Degrees Celsius.
  case celsius = 0
  /// Degrees Fahrenheit.
  case fahrenheit = 1

  var unit: TemperatureUnit { self == .celsius ? .celsius : .fahrenheit }
}

/// A unit of weight.
#if canImport(ObjectiveC)
  @objc(VLDWeightUnit)
#endif
public enum VLDWeightUnit: UInt, CaseIterable, Sendable {
  /// Kilograms.
  case kilograms = 0
  /// Pounds.
  case pounds = 1
  /// Stones.
  case stones = 2

  var unit: MassUnit {
    switch self {
    case .kilograms: .kilograms
    case .pounds: .pounds
    case .stones: .stones
    }
  }
}

/// A unit of glucose.
#if canImport(ObjectiveC)
  @objc(VLDGlucoseUnit)
#endif
public enum VLDGlucoseUnit: UInt, CaseIterable, Sendable {
  /// Milligrams in a decilitre.
  case MGDL = 0
  /// Millimoles in a litre.
  case MMOLL = 1

  package var unit: GlucoseUnit { self == .MGDL ? .milligramsPerDeciliter : .millimolesPerLiter }
}

extension VLDRecord {
  /// Converts a weight.
  ///
  /// - Parameters:
  ///   - value: The weight.
  ///   - unit: Its unit.
  ///   - target: The unit wanted.
  /// - Returns: The weight in that unit, not rounded.
  #if canImport(ObjectiveC)
    @objc(convertWeightValue:fromUnit:toUnit:)
  #endif
  public class func convertWeightValue(
    _ value: NSNumber, from unit: VLDWeightUnit, to target: VLDWeightUnit
  ) -> NSNumber {
    NSNumber(value: unit.unit.convert(value.doubleValue, to: target.unit))
  }

  /// Converts a temperature.
  ///
  /// - Parameters:
  ///   - value: The temperature.
  ///   - unit: Its unit.
  ///   - target: The unit wanted.
  /// - Returns: The temperature in that unit, not rounded.
  #if canImport(ObjectiveC)
    @objc(convertTemperatureValue:fromUnit:toUnit:)
  #endif
  public class func convertTemperatureValue(
    _ value: NSNumber, from unit: VLDTemperatureUnit, to target: VLDTemperatureUnit
  ) -> NSNumber {
    NSNumber(value: unit.unit.convert(value.doubleValue, to: target.unit))
  }

  /// Converts a glucose concentration.
  ///
  /// - Parameters:
  ///   - value: The concentration.
  ///   - unit: Its unit.
  ///   - target: The unit wanted.
  /// - Returns: The concentration in that unit, not rounded.
  #if canImport(ObjectiveC)
    @objc(convertGlucoseValue:fromUnit:toUnit:)
  #endif
  public class func convertGlucoseValue(
    _ value: NSNumber, from unit: VLDGlucoseUnit, to target: VLDGlucoseUnit
  ) -> NSNumber {
    NSNumber(value: unit.unit.convert(value.doubleValue, to: target.unit))
  }

  /// The name of a unit of glucose, for instance `mg/dL`.
  ///
  /// - Parameter unit: The unit.
  /// - Returns: The name.
  public class func unitString(forGlucoseUnit unit: VLDGlucoseUnit) -> String { unit.unit.rawValue }
  /// The name of a unit of weight, for instance `kg`.
  ///
  /// - Parameter unit: The unit.
  /// - Returns: The name.
  public class func unitString(forWeightUnit unit: VLDWeightUnit) -> String { unit.unit.rawValue }
  /// The name of a unit of temperature, for instance `°C`.
  ///
  /// - Parameter unit: The unit.
  /// - Returns: The name.
  public class func unitString(forTemperatureUnit unit: VLDTemperatureUnit) -> String {
    unit.unit.rawValue
  }
}
