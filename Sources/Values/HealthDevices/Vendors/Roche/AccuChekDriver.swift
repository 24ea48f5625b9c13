// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension GlucoseDialect {
  /// Roche's Accu-Chek meters.
  package static let accuChek = dialect {
    $0.hidesVenousPlasma = true
    $0.range = 10...600
  }
}

extension DriverModel {
  /// Roche's Accu-Chek meters: results of type 4 are not listed, and HI and LO come as numbers.
  package static let accuChek = DriverModel(
    glucose: "accu-chek", "Roche Accu-Chek", .accuChek, confidence: .agreed,
    sources: ["tidepool-org/uploader", "NightscoutFoundation/xDrip"])
}
