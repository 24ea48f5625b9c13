// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// The CVS Health body analysis scale: its weight alone, for a user that a pairing makes.
  ///
  /// A stand-in: the services of the Bluetooth SIG take the place of a protocol that is not public.
  package static let cvsBodyScale = DriverModel(
    id: "cvs-body-scale", name: "CVS Health body analysis scale, weight only",
    required: [.weightMeasurement, .userControlPoint],
    optional: scaleAttributes.filter { $0 != .bodyCompositionMeasurement },
    confidence: .standIn,
    sources: ["This project; the protocol of CVS Health's scale is not public"]
  ) { context in
    var quirks = ScaleDriver.Quirks()
    quirks.hasComposition = false
    return ScaleDriver(context, quirks: quirks)
  }
}
