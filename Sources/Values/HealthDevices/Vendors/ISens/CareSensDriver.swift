// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension GlucoseDialect {
  /// i-SENS's CareSens meters.
  package static let careSens = dialect {
    $0.clocks = [.careSens(.careSensClock), .careSens(.careSensClock15)]
    $0.pause = .milliseconds(500)
    $0.marksKetones = true
    $0.range = 20...600
  }
}

extension DriverModel {
  /// i-SENS's CareSens meters: a clock of their own, and ketone tests among the records.
  package static let careSens = DriverModel(
    glucose: "caresens", "i-SENS CareSens", .careSens,
    optional: [.careSensClock, .careSensClock15], confidence: .agreed,
    sources: ["tidepool-org/uploader", "NightscoutFoundation/xDrip"])
}
