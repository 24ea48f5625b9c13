// SPDX-License-Identifier: Apache-2.0

/// Units in the notation of the Unified Code for Units of Measure, case-sensitive.
enum UCUM {
  /// The code of a unit of the Inform API.
  ///
  /// - Parameters:
  ///   - unit: The unit, for instance `mmHg`.
  ///   - type: What is measured in it: `count` is another unit for steps than for floors.
  /// - Returns: The code, or nil for a unit that is not known.
  static func code(of unit: String, for type: MetricType) -> String? {
    if let definition = type.definition, definition.unit == unit { return definition.ucum }
    return codes[unit]
  }

  private static let codes: [String: String] = [
    "%": "%", "bpm": "/min", "breaths/min": "/min", "°C": "Cel", "°F": "[degF]",
    "mmHg": "mm[Hg]", "kPa": "kPa", "mg/dL": "mg/dL", "mmol/L": "mmol/L", "µg/dL": "ug/dL",
    "kg": "kg", "g": "g", "mg": "mg", "µg": "ug", "lb": "[lb_av]", "st": "[stone_av]",
    "oz": "[oz_av]", "m": "m", "cm": "cm", "km": "km", "in": "[in_i]", "ft": "[ft_i]",
    "mi": "[mi_i]", "L": "L", "mL": "mL", "fl oz": "[foz_us]", "kcal": "kcal", "kJ": "kJ",
    "W": "W", "h": "h", "hr": "h", "min": "min", "s": "s", "ms": "ms", "m/s": "m/s",
    "km/h": "km/h", "kg/m²": "kg/m2", "count": "{count}", "1": "1",
  ]
}
