// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let userData = [
    CharacteristicCodec("2A80", "Age", UserAge.self),
    CharacteristicCodec("2A85", "Date of Birth", DateOfBirth.self),
    CharacteristicCodec("2A8C", "Gender", Gender.self),
    CharacteristicCodec("2A8E", "Height", UserHeight.self),
    CharacteristicCodec("2A98", "Weight", UserWeight.self),
    CharacteristicCodec("2A99", "Database Change Increment", DatabaseChangeIncrement.self),
    CharacteristicCodec("2A9F", "User Control Point", UserControlPoint.self),
  ]
}
