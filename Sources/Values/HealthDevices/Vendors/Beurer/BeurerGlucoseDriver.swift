// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension GlucoseDialect {
  /// Beurer's GL meters.
  package static let beurer = dialect { $0.pause = .milliseconds(2500) }
}

extension DriverModel {
  /// Beurer's GL meters, which ignore a request right after the subscriptions.
  package static let beurerGlucose = DriverModel(
    glucose: "beurer-glucose", "Beurer GL", .beurer, confidence: .single,
    sources: ["weliem/LivecareBluetoothSDK"])
}
