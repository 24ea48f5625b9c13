// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let bloodPressure = [
    CharacteristicCodec("2A35", "Blood Pressure Measurement", BloodPressureMeasurement.self),
    CharacteristicCodec("2A36", "Intermediate Cuff Pressure", IntermediateCuffPressure.self),
    CharacteristicCodec("2A49", "Blood Pressure Feature", BloodPressureFeature.self),
  ]
}
