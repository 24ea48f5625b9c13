// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let numbers = [
    CharacteristicCodec("FLOAT", "IEEE 11073-20601 FLOAT", MedicalFloat32.self),
    CharacteristicCodec("SFLOAT", "IEEE 11073-20601 SFLOAT", MedicalFloat16.self),
  ]
}
