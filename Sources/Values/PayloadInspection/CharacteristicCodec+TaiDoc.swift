// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let taiDoc = [
    CharacteristicCodec("taidoc-frame", "TaiDoc frame", TaiDocFrame.self),
    CharacteristicCodec("taidoc-datetime", "TaiDoc date and time", TaiDocDateTime.self),
    CharacteristicCodec("taidoc-model", "TaiDoc model", TaiDocModel.self),
    CharacteristicCodec("taidoc-bg-value", "TaiDoc blood glucose", TaiDocGlucoseValue.self),
    CharacteristicCodec("taidoc-bp-value", "TaiDoc blood pressure", TaiDocBloodPressureValue.self),
    CharacteristicCodec("taidoc-temp-value", "TaiDoc temperature", TaiDocTemperatureValue.self),
    CharacteristicCodec("taidoc-spo2-value", "TaiDoc oximetry", TaiDocOximetryValue.self),
  ]
}
