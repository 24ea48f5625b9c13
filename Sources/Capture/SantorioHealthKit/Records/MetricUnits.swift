// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import HealthKit

/// How HealthKit writes the values of a metric.
struct MetricUnits {
  let unit: HKUnit
  /// The metric's value divided by HealthKit's: 100 for per cent, which HealthKit has as 0...1.
  let factor: Double

  private init(_ unit: HKUnit, factor: Double = 1) {
    self.unit = unit
    self.factor = factor
  }

  /// - Parameter type: A metric; nil is returned where HealthKit has no unit for it.
  init?(_ type: MetricType) {
    // A body mass index has no unit in HealthKit.
    guard type != .bmi else {
      self.init(.count())
      return
    }
    guard let name = type.definition?.unit, let units = Self.units(name) else { return nil }
    self = units
  }

  private static func units(_ name: String) -> MetricUnits? {
    switch name {
    case "%": MetricUnits(.percent(), factor: 100)
    case "count": MetricUnits(.count())
    case "bpm", "breaths/min", "count/min":
      MetricUnits(HKUnit.count().unitDivided(by: .minute()))
    case "mmHg": MetricUnits(.millimeterOfMercury())
    case "°C": MetricUnits(.degreeCelsius())
    case "mg/dL":
      MetricUnits(HKUnit.gramUnit(with: .milli).unitDivided(by: .literUnit(with: .deci)))
    case "kg": MetricUnits(.gramUnit(with: .kilo))
    case "g": MetricUnits(.gram())
    case "mg": MetricUnits(.gramUnit(with: .milli))
    case "mL": MetricUnits(.literUnit(with: .milli))
    case "kcal": MetricUnits(.kilocalorie())
    case "m": MetricUnits(.meter())
    case "cm": MetricUnits(.meterUnit(with: .centi))
    case "s": MetricUnits(.second())
    case "ms": MetricUnits(.secondUnit(with: .milli))
    default: nil
    }
  }

  /// The value of a quantity in the metric's unit, to a ten-thousandth; nil where the quantity is
  /// none of such a unit, or no number.
  func value(of quantity: HKQuantity) -> Double? {
    guard quantity.is(compatibleWith: unit) else { return nil }
    let value = quantity.doubleValue(for: unit) * factor
    return value.isFinite ? (value * 10_000).rounded() / 10_000 : nil
  }

  /// A value of the metric as a quantity.
  func quantity(_ value: Double) -> HKQuantity {
    HKQuantity(unit: unit, doubleValue: value / factor)
  }
}

extension HKQuantity {
  /// The value as one of a metric, see ``MetricUnits``.
  func value(as type: MetricType) -> Double? { MetricUnits(type)?.value(of: self) }
}
