// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// A value of a device, as Home Assistant shows one in an entity of its own.
enum SensorObject: Hashable, Sendable {
  case metric(MetricType)
  case battery

  /// The name in topics and identifiers; no name of a metric has `--` in it.
  var id: String {
    switch self {
    case .metric(let type): TopicSegment.text(type.rawValue)
    case .battery: "device--battery"
    }
  }

  /// Values are the present ones for a limited time only; a battery stays as it was.
  var expires: Bool { self != .battery }

  /// The name for a reader.
  var name: String {
    switch self {
    case .metric(let type): type.definition?.displayName ?? type.rawValue
    case .battery: "Battery"
    }
  }

  /// Home Assistant's class of the sensor in a unit of ours; nil where none fits.
  ///
  /// The names, their units and their classes of states are those of `SensorDeviceClass` in
  /// homeassistant/components/sensor/const.py. Left out are `pressure`, since an American
  /// installation would show blood pressure in inHg, and classes that are not for measurements:
  /// `energy` and `volume`.
  func deviceClass(unit: String) -> String? {
    guard case .metric(let type) = self else { return "battery" }
    if Self.glucose.contains(type), ["mg/dL", "mmol/L"].contains(unit) {
      return "blood_glucose_concentration"
    }
    if [.bodyTemperature, .basalBodyTemperature].contains(type), ["°C", "°F"].contains(unit) {
      return "temperature"
    }
    // Only for what the table knows: "s" of another's metric may mean anything.
    guard type.definition != nil else { return nil }
    return Self.classes[unit]
  }

  private static let glucose: Set<MetricType> = [
    .bloodGlucose, .averageBloodGlucose, .fastingPlasmaGlucose, .randomPlasmaGlucose,
    .oralGlucoseTolerance,
  ]

  private static let classes = [
    "kg": "weight", "lb": "weight", "st": "weight", "g": "weight", "mg": "weight",
    "s": "duration", "ms": "duration", "m": "distance", "cm": "distance", "in": "distance",
    "m/s": "speed", "W": "power",
  ]

  /// Home Assistant's class of the state: a measurement has statistics, the total of a day, a meal
  /// or a bout of exercise has none.
  var stateClass: String? {
    guard case .metric(let type) = self, let record = type.definition?.legacyRecord else {
      return "measurement"
    }
    switch record {
    case .biometrics, .diabetes, .weight: return "measurement"
    case .fitness, .nutrition, .routine, .sleep: return nil
    }
  }

  /// A unit as Home Assistant writes it; nil for what has none.
  static func unit(_ unit: String) -> String? {
    switch unit {
    case "1", "code", "count", "score", "INR": nil
    case "Ohm": "Ω"
    case "kg/m2": "kg/m²"
    case "count/min": "1/min"
    // Home Assistant writes micro with the Greek letter.
    default: unit.replacing("\u{b5}", with: "\u{3bc}")
    }
  }
}
