// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let thermometer = [
    CharacteristicCodec("2A1C", "Temperature Measurement", TemperatureMeasurement.self),
    CharacteristicCodec("2A1D", "Temperature Type", TemperatureType.self),
    CharacteristicCodec("2A1E", "Intermediate Temperature", IntermediateTemperature.self),
    CharacteristicCodec("2A21", "Measurement Interval", MeasurementInterval.self),
  ]
}
