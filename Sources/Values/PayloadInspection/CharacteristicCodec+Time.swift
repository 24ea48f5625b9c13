// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let time = [
    CharacteristicCodec("2A08", "Date Time", DateTime.self),
    CharacteristicCodec("2A0F", "Local Time Information", LocalTimeInformation.self),
    CharacteristicCodec("2A14", "Reference Time Information", ReferenceTimeInformation.self),
    CharacteristicCodec("2A2B", "Current Time", CurrentTime.self),
  ]
}
