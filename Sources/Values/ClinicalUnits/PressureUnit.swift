// SPDX-License-Identifier: Apache-2.0

/// The units of blood pressure.
///
/// 1 kPa is 7.50062 mmHg, as the Blood Pressure Profile rounds it.
public enum PressureUnit: String, ClinicalUnit {
  /// Millimetres of mercury.
  case millimetersOfMercury = "mmHg"
  /// Kilopascals.
  case kilopascals = "kPa"

  /// Converts a value of this unit to another; the value in the same unit is kept as it is.
  public func convert(_ value: Double, to unit: PressureUnit) -> Double {
    scale(value, to: unit) { $0 == .millimetersOfMercury ? 1 : 7.50062 }
  }
}

/// A pressure with its unit.
public typealias Pressure = Quantity<PressureUnit>

extension Quantity<PressureUnit> {
  /// Creates a pressure in mmHg.
  public static func millimetersOfMercury(_ value: Double) -> Self {
    Self(value, .millimetersOfMercury)
  }
  /// The number in mmHg, not rounded.
  public var millimetersOfMercury: Double { value(in: .millimetersOfMercury) }

  /// Creates a pressure in kPa.
  public static func kilopascals(_ value: Double) -> Self { Self(value, .kilopascals) }
  /// The number in kPa, not rounded.
  public var kilopascals: Double { value(in: .kilopascals) }
}
