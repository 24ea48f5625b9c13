// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let vendorThermometers = [
    CharacteristicCodec("kinsa-message", "Kinsa thermometer", KinsaMessage.self),
    CharacteristicCodec("jumper-temp", "Jumper JPD-FR thermometer", JumperTemperature.self),
    CharacteristicCodec("aoj-temp", "AOJ-20A thermometer", AOJTemperature.self),
    CharacteristicCodec("aet-temp", "AET-WD thermometer", AETTemperature.self),
  ]
}
