// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension GlucoseDialect {
  /// Ascensia's Contour meters.
  package static let contour = dialect {
    $0.clocks = [.contour]
    $0.asksByNumber = true
    $0.range = 20...600
  }
}

extension DriverModel {
  /// Ascensia's Contour meters: a clock of their own, and records by number.
  package static let contour = DriverModel(
    glucose: "contour", "Ascensia Contour", .contour, required: [.contourClock],
    confidence: .agreed, sources: ["tidepool-org/uploader", "NightscoutFoundation/xDrip"])
}
