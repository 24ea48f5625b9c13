// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let pulseOximeter = [
    CharacteristicCodec("2A5E", "PLX Spot-Check Measurement", PLXSpotCheckMeasurement.self),
    CharacteristicCodec("2A5F", "PLX Continuous Measurement", PLXContinuousMeasurement.self),
    CharacteristicCodec("2A60", "PLX Features", PLXFeatures.self),
  ]
}
