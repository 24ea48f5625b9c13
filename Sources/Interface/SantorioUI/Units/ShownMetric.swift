// SPDX-License-Identifier: Apache-2.0

import ClinicalUnits
import Foundation
public import HealthRecords

/// A value as a person sees it: in the person's unit, and written as in the person's region.
///
/// In the unit of the device it has the device's own digits: what stands on the display stands here.
public struct ShownMetric: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// What was measured.
  public let type: MetricType
  /// Its name.
  public let name: Phrase
  /// The number with its unit, or why there is none.
  public let text: Phrase
  /// Whether a person has entered the value.
  public let isEntered: Bool

  /// The name alone, so that it may be logged.
  public var description: String { type.rawValue }
  /// Empty, so that a dump shows no value either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// What a metric looks like.
  ///
  /// - Parameters:
  ///   - metric: The metric.
  ///   - units: The person's units.
  public init(_ metric: Metric, in units: UnitPreferences) {
    type = metric.type
    name = Phrase(metric.type)
    isEntered = metric.origin == .manual
    text = Self.text(of: metric, in: units)
  }

  private static func text(of metric: Metric, in units: UnitPreferences) -> Phrase {
    guard let value = metric.value else {
      switch metric.absence {
      case .belowRange: return Phrase(.belowRange)
      case .aboveRange: return Phrase(.aboveRange)
      case .unknown, nil: return Phrase(.noValue)
      }
    }
    if let name = metric.valueName {
      return Phrase(english: name.replacingOccurrences(of: "_", with: " "))
    }
    let number = Number(of: metric, value, units)
    switch metric.bound {
    case .below: return Phrase(.lessThan, .verbatim(number.text))
    case .above: return Phrase(.moreThan, .verbatim(number.text))
    case nil: return Phrase(english: number.text)
    }
  }
}

/// A number with its unit in the person's units.
private struct Number {
  let text: String

  init(of metric: Metric, _ value: Double, _ units: UnitPreferences) {
    let decimals = Decimals(locale: units.locale)
    // What the device showed is what it measured; the value may have been rounded on the way.
    let known = metric.shown.map { ($0.number, $0.unit) } ?? (value, metric.unit)
    let wanted = units.unit(of: metric.type) ?? known.1
    if wanted == known.1, wanted != MassUnit.stones.rawValue {
      let places = metric.shown.map { Self.places(of: $0.text) } ?? Self.places(of: value, wanted)
      text = Self.join(decimals.text(of: known.0, places: places), wanted)
      return
    }
    let converted = Self.convert(known.0, from: known.1, to: wanted)
    if wanted == MassUnit.stones.rawValue, let stones = converted {
      text = Self.stones(stones, decimals)
    } else if let converted {
      text = Self.join(decimals.text(of: converted, places: Self.usualPlaces[wanted] ?? 1), wanted)
    } else {
      text = Self.join(decimals.text(of: value, places: Decimals.places(of: value)), metric.unit)
    }
  }

  /// Stones and pounds; a tenth of a pound is the least that is said.
  private static func stones(_ stones: Double, _ decimals: Decimals) -> String {
    let pounds = (stones * 14 * 10).rounded() / 10
    let whole = (pounds / 14).rounded(.towardZero)
    let rest = ((pounds - whole * 14) * 10).rounded() / 10
    return "\(decimals.text(of: whole, places: 0)) st \(decimals.text(of: rest, places: 1)) lb"
  }

  private static func join(_ number: String, _ unit: String) -> String {
    switch unit {
    case "1", "count", "score", "INR": number
    case "kg/m2": "\(number) kg/m²"
    case "Ohm": "\(number) Ω"
    default: "\(number) \(unit)"
    }
  }

  /// How values of a unit are usually written.
  private static let usualPlaces = [
    GlucoseUnit.milligramsPerDeciliter.rawValue: 0, GlucoseUnit.millimolesPerLiter.rawValue: 1,
    PressureUnit.millimetersOfMercury.rawValue: 0, PressureUnit.kilopascals.rawValue: 1,
    MassUnit.kilograms.rawValue: 1, MassUnit.pounds.rawValue: 1,
    TemperatureUnit.celsius.rawValue: 1, TemperatureUnit.fahrenheit.rawValue: 1,
  ]

  private static func places(of value: Double, _ unit: String) -> Int {
    // Glucose in mg/dL that came from mmol/L has digits that no device has measured.
    let most = unit == GlucoseUnit.milligramsPerDeciliter.rawValue ? 0 : 3
    let least = unit.hasPrefix("°") ? 1 : 0
    return max(least, min(most, Decimals.places(of: value)))
  }

  private static func places(of text: String) -> Int {
    text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
  }

  private static func convert(_ value: Double, from unit: String, to wanted: String) -> Double? {
    if let from = GlucoseUnit(rawValue: unit), let to = GlucoseUnit(rawValue: wanted) {
      return from.convert(value, to: to)
    }
    if let from = MassUnit(rawValue: unit), let to = MassUnit(rawValue: wanted) {
      return from.convert(value, to: to)
    }
    if let from = TemperatureUnit(rawValue: unit), let to = TemperatureUnit(rawValue: wanted) {
      return from.convert(value, to: to)
    }
    if let from = PressureUnit(rawValue: unit), let to = PressureUnit(rawValue: wanted) {
      return from.convert(value, to: to)
    }
    return nil
  }
}
