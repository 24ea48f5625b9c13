// SPDX-License-Identifier: Apache-2.0

/// A type of records: its identifier and the unit of its values; no unit for categories.
struct RecordType: Hashable {
  let identifier: String
  let unit: String?

  private init(_ identifier: String, unit: String?) {
    self.identifier = identifier
    self.unit = unit
  }

  /// The unit as a reader understands it.
  var plainUnit: String? {
    unit.map { $0.hasPrefix("mmol") ? "mmol<180.1558800000541>/L" : $0 }
  }

  static func quantity(_ name: String, _ unit: String) -> Self {
    Self("HKQuantityTypeIdentifier" + name, unit: unit)
  }

  static func category(_ name: String) -> Self {
    Self("HKCategoryTypeIdentifier" + name, unit: nil)
  }

  /// The one type whose identifier is shorter.
  static let sleepDurationGoal = Self("HKDataTypeSleepDurationGoal", unit: "hr")
}

/// The names of units, and what one of the metric kind is in them.
struct UnitNames {
  let american: Bool

  var energy: String { american ? "Cal" : "kcal" }
  var distance: String { american ? "mi" : "km" }
  var mass: String { american ? "lb" : "kg" }
  var length: String { american ? "in" : "cm" }
  var temperature: String { american ? "degF" : "degC" }
  var glucose: String { american ? "mg/dL" : "mmol&lt;180.1558800000541&gt;/L" }
  var speed: String { american ? "mi/hr" : "km/hr" }
  var volume: String { american ? "fl_oz_us" : "mL" }

  /// Meters of one unit of distance.
  var meters: Double { american ? 1609.344 : 1000 }
}
