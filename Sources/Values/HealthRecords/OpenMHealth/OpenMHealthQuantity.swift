// SPDX-License-Identifier: Apache-2.0

/// A number with its unit, in the words of the schemas (`unit-value`).
struct OpenMHealthQuantity: Hashable, Sendable {
  let value: Double
  let unit: String
  /// The decimal text of the value, with the digits that a device showed; nil where the shortest is
  /// right.
  let digits: String?

  init(_ value: Double, _ unit: String, digits: String? = nil) {
    self.value = value
    self.unit = unit
    self.digits = digits
  }

  /// A number that was converted: finer than any device, and without the noise of the conversion.
  init(converted value: Double, _ unit: String) {
    self.init((value * 10_000).rounded() / 10_000, unit)
  }
}

/// The units that a member of a body takes.
enum OpenMHealthDimension: Hashable, Sendable {
  case beats, bodyMassIndex, breaths, duration, energy, glucose, laps, length, mass, milliseconds
  case movementRate, percentage, pressure, speed, steps, temperature, volume

  /// The value of a metric, as the device showed it where the schema has that unit; nil without one.
  func quantity(of metric: Metric) -> OpenMHealthQuantity? {
    if let shown = metric.comparableShown, let name = Self.names[self]?[shown.unit] {
      return OpenMHealthQuantity(shown.number, name, digits: shown.text)
    }
    return metric.value.flatMap { quantity($0, in: metric.unit) }
  }

  /// The value in a unit of the schema; nil in a unit that is not known.
  func quantity(_ value: Double, in unit: String) -> OpenMHealthQuantity? {
    if let name = Self.names[self]?[unit] { return OpenMHealthQuantity(value, name) }
    switch (self, unit) {
    case (.energy, "kJ"): return OpenMHealthQuantity(converted: value / 4.184, "kcal")
    case (.mass, MassUnit.stones.rawValue):
      let kilograms = MassUnit.stones.convert(value, to: .kilograms)
      return OpenMHealthQuantity(converted: kilograms, "kg")
    case (.milliseconds, "s"): return OpenMHealthQuantity(converted: value * 1000, "ms")
    case (.pressure, PressureUnit.kilopascals.rawValue):
      let pressure = PressureUnit.kilopascals.convert(value, to: .millimetersOfMercury)
      return OpenMHealthQuantity(converted: pressure, "mmHg")
    case (.volume, "mL"): return OpenMHealthQuantity(converted: value / 1000, "L")
    default: return nil
    }
  }

  /// The units that need no conversion, by the name in a record.
  private static let names: [OpenMHealthDimension: [String: String]] = [
    .beats: ["bpm": "beats/min", "beats/min": "beats/min", "count/min": "beats/min"],
    .bodyMassIndex: ["kg/m2": "kg/m^2", "kg/m^2": "kg/m^2", "kg/m²": "kg/m^2"],
    .breaths: ["breaths/min": "breaths/min"],
    .duration: ["ms": "ms", "s": "sec", "sec": "sec", "min": "min", "h": "h", "d": "d"],
    .energy: ["kcal": "kcal"],
    .glucose: ["mg/dL": "mg/dL", "mmol/L": "mmol/L"],
    .laps: ["count": "laps"],
    .length: [
      "mm": "mm", "cm": "cm", "m": "m", "km": "km", "in": "in", "ft": "ft", "yd": "yd", "mi": "mi",
    ],
    .mass: ["g": "g", "kg": "kg", "lb": "lb", "oz": "oz"],
    .milliseconds: ["ms": "ms"],
    .movementRate: ["count/min": "movements/min"],
    .percentage: ["%": "%"],
    .pressure: ["mmHg": "mmHg"],
    .speed: ["m/s": "m/s", "km/h": "km/h"],
    .steps: ["count": "steps"],
    .temperature: ["°C": "C", "°F": "F"],
    .volume: ["L": "L"],
  ]
}
