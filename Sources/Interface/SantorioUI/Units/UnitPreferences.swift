// SPDX-License-Identifier: Apache-2.0

public import ClinicalUnits
public import Foundation
import HealthRecords

/// In which units a person wants to see values: those of the person's region, unless others were chosen.
public struct UnitPreferences: Hashable, Sendable {
  /// The region, and how numbers are written.
  public var locale: Locale
  /// The unit of blood glucose that was chosen; nil for that of the region.
  public var chosenGlucose: GlucoseUnit?
  /// The unit of weight that was chosen; nil for that of the region.
  public var chosenMass: MassUnit?
  /// The unit of temperature that was chosen; nil for that of the region.
  public var chosenTemperature: TemperatureUnit?
  /// The unit of blood pressure that was chosen; nil for mmHg, which is usual everywhere.
  public var chosenPressure: PressureUnit?

  /// The units of a region.
  ///
  /// - Parameter locale: The region, and how numbers are written.
  public init(locale: Locale = .autoupdatingCurrent) { self.locale = locale }

  /// The unit of blood glucose.
  public var glucose: GlucoseUnit { chosenGlucose ?? usualGlucose }
  /// The unit of weight.
  public var mass: MassUnit { chosenMass ?? usualMass }
  /// The unit of temperature.
  public var temperature: TemperatureUnit { chosenTemperature ?? usualTemperature }
  /// The unit of blood pressure.
  public var pressure: PressureUnit { chosenPressure ?? .millimetersOfMercury }

  var usualGlucose: GlucoseUnit {
    isIn(UnitRegions.glucoseInMillimoles) ? .millimolesPerLiter : .milligramsPerDeciliter
  }
  var usualMass: MassUnit {
    isIn(UnitRegions.stones) ? .stones : isIn(UnitRegions.pounds) ? .pounds : .kilograms
  }
  var usualTemperature: TemperatureUnit { isIn(UnitRegions.fahrenheit) ? .fahrenheit : .celsius }

  private func isIn(_ regions: Set<String>) -> Bool {
    locale.region.map { regions.contains($0.identifier) } ?? false
  }

  /// The unit in which a metric is shown; nil for that of its record.
  func unit(of type: MetricType) -> String? {
    switch type {
    case .systolic, .diastolic, .meanArterialPressure: pressure.rawValue
    case _ where Metric(type, 1).value(in: glucose) != nil: glucose.rawValue
    case _ where Metric(type, 1).value(in: mass) != nil: mass.rawValue
    case _ where Metric(type, 1).value(in: temperature) != nil: temperature.rawValue
    default: nil
    }
  }
}
