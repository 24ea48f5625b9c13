// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// How a manufacturer's meters differ from the Glucose Profile.
package struct GlucoseDialect: Sendable {
  /// The clocks that the meter may have; the first that it has is set.
  package var clocks: [ClockProcedure.Form] = [
    .standard(.currentTime), .standard(.glucoseDateTime),
  ]
  /// What the meter needs between the last request of the preparation and the first for records.
  package var pause = Duration.zero
  /// Whether all records are asked for by "from number 0 on" instead of "all".
  package var asksByNumber = false
  /// Whether venous plasma marks a result that the meter does not list, for instance one it doubts.
  package var hidesVenousPlasma = false
  /// Whether the reserved meal 6 marks a ketone test.
  package var marksKetones = false
  /// The range of the meter in mg/dL, where numbers beyond it stand for HI and LO.
  package var range: ClosedRange<Double>?

  package init() {}
}

extension GlucoseDialect {
  /// A dialect that differs in some points.
  static func dialect(_ differing: (inout GlucoseDialect) -> Void) -> GlucoseDialect {
    var dialect = GlucoseDialect()
    differing(&dialect)
    return dialect
  }
}

extension GATTAttribute {
  package static let glucoseMeasurement = GATTAttribute("1808", "2A18")
  package static let glucoseContext = GATTAttribute("1808", "2A34")
  package static let glucoseRecordAccess = GATTAttribute("1808", "2A52")
  /// The clock that some meters have within the Glucose Service.
  package static let glucoseDateTime = GATTAttribute("1808", "2A08")
}

extension DriverModel {
  /// The Glucose Profile.
  public static let glucoseProfile = DriverModel(
    glucose: "glucose-profile", "Glucose Profile", GlucoseDialect(), confidence: .captured,
    sources: ["Bluetooth SIG, Glucose Profile 1.0 and Glucose Service 1.0"])

  /// A driver for meters of the Glucose Profile in a dialect.
  init(
    glucose id: String, _ name: String, _ dialect: GlucoseDialect, required: [GATTAttribute] = [],
    optional: [GATTAttribute] = [], confidence: Confidence, sources: [String]
  ) {
    self.init(
      id: id, name: name, required: [.glucoseMeasurement, .glucoseRecordAccess] + required,
      optional: [.glucoseContext, .currentTime, .glucoseDateTime] + optional,
      confidence: confidence, sources: sources, readsMemory: true
    ) { GlucoseDriver($0, dialect: dialect) }
  }
}
