// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// In what a manufacturer's meters differ from the Glucose Profile.
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
  /// Roche's Accu-Chek meters.
  package static let accuChek = dialect {
    $0.hidesVenousPlasma = true
    $0.range = 10...600
  }

  /// Ascensia's Contour meters.
  package static let contour = dialect {
    $0.clocks = [.contour]
    $0.asksByNumber = true
    $0.range = 20...600
  }

  /// i-SENS's CareSens meters.
  package static let careSens = dialect {
    $0.clocks = [.careSens(.careSensClock), .careSens(.careSensClock15)]
    $0.pause = .milliseconds(500)
    $0.marksKetones = true
    $0.range = 20...600
  }

  /// Beurer's GL meters.
  package static let beurer = dialect { $0.pause = .milliseconds(2500) }

  private static func dialect(_ differing: (inout GlucoseDialect) -> Void) -> GlucoseDialect {
    var dialect = GlucoseDialect()
    differing(&dialect)
    return dialect
  }
}

extension Attribute {
  package static let glucoseMeasurement = Attribute("1808", "2A18")
  package static let glucoseContext = Attribute("1808", "2A34")
  package static let glucoseRecordAccess = Attribute("1808", "2A52")
  /// The clock that some meters have within the Glucose Service.
  package static let glucoseDateTime = Attribute("1808", "2A08")
}

extension DriverModel {
  /// The Glucose Profile.
  package static let glucoseProfile = DriverModel(
    glucose: "glucose-profile", "Glucose Profile", GlucoseDialect(), confidence: .captured,
    sources: ["Bluetooth SIG, Glucose Profile 1.0 and Glucose Service 1.0"])

  /// Roche's Accu-Chek meters: results of type 4 are not listed, and HI and LO come as numbers.
  package static let accuChek = DriverModel(
    glucose: "accu-chek", "Roche Accu-Chek", .accuChek, confidence: .agreed,
    sources: ["tidepool-org/uploader", "NightscoutFoundation/xDrip"])

  /// Ascensia's Contour meters: a clock of their own, and records by number.
  package static let contour = DriverModel(
    glucose: "contour", "Ascensia Contour", .contour, required: [.contourClock],
    confidence: .agreed, sources: ["tidepool-org/uploader", "NightscoutFoundation/xDrip"])

  /// i-SENS's CareSens meters: a clock of their own, and ketone tests among the records.
  package static let careSens = DriverModel(
    glucose: "caresens", "i-SENS CareSens", .careSens,
    optional: [.careSensClock, .careSensClock15], confidence: .agreed,
    sources: ["tidepool-org/uploader", "NightscoutFoundation/xDrip"])

  /// Beurer's GL meters, which do not hear a request that comes soon after the subscriptions.
  package static let beurerGlucose = DriverModel(
    glucose: "beurer-glucose", "Beurer GL", .beurer, confidence: .single,
    sources: ["weliem/LivecareBluetoothSDK"])

  private init(
    glucose id: String, _ name: String, _ dialect: GlucoseDialect, required: [Attribute] = [],
    optional: [Attribute] = [], confidence: Confidence, sources: [String]
  ) {
    self.init(
      id: id, name: name, required: [.glucoseMeasurement, .glucoseRecordAccess] + required,
      optional: [.glucoseContext, .currentTime, .glucoseDateTime] + optional,
      confidence: confidence, sources: sources
    ) { GlucoseDriver($0, dialect: dialect) }
  }
}
