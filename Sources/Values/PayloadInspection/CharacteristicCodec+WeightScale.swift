// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let weightScale = [
    CharacteristicCodec("2A9B", "Body Composition Feature", BodyCompositionFeature.self),
    CharacteristicCodec("2A9C", "Body Composition Measurement", BodyCompositionMeasurement.self),
    CharacteristicCodec("2A9D", "Weight Measurement", WeightMeasurement.self),
    CharacteristicCodec("2A9E", "Weight Scale Feature", WeightScaleFeature.self),
    CharacteristicCodec("a-and-d-weight", "A&D weight", AAndDWeightMeasurement.self),
  ]
}
