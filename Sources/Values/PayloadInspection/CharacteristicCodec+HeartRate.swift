// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let heartRate = [
    CharacteristicCodec("2A37", "Heart Rate Measurement", HeartRateMeasurement.self),
    CharacteristicCodec("2A38", "Body Sensor Location", BodySensorLocation.self),
    CharacteristicCodec("2A39", "Heart Rate Control Point", HeartRateControlPoint.self),
  ]
}
