// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let vendorScales = [
    CharacteristicCodec("1byone-cf", "1byone and Eufy scales, weight", OneByoneMeasurement.self),
    CharacteristicCodec("beurer-e7-58", "Beurer BF700 family, weight", BeurerLiveWeight.self),
    CharacteristicCodec("beurer-e7-59", "Beurer BF700 family, result", BeurerScaleResult.self),
    CharacteristicCodec("etekcity-adv", "Etekcity Fit 8S, broadcast", EtekcityAdvertisement.self),
    CharacteristicCodec("etekcity-weight", "Etekcity ESF-551, weight", EtekcityWeight.self),
    CharacteristicCodec("hutbit", "Hutbit, frame", HutbitFrame.self),
    CharacteristicCodec("koogeek-s1", "Koogeek S1, weight", KoogeekMeasurement.self),
    CharacteristicCodec("medisana-8a21", "Medisana BS4xx, weight", TranstekWeight.self),
    CharacteristicCodec("medisana-8a22", "Medisana BS4xx, body", MedisanaComposition.self),
    CharacteristicCodec("miscale1-adv", "Xiaomi Mi Scale, 181D", MiScaleAdvertisement.self),
    CharacteristicCodec("miscale2-adv", "Xiaomi Mi Scale 2, 181B", MiBodyScaleAdvertisement.self),
    CharacteristicCodec("okok-c0", "OKOK scales, broadcast C0", OKOKAdvertisementC0.self),
    CharacteristicCodec("okok-v20", "OKOK scales, broadcast 2.0", OKOKAdvertisementV20.self),
    CharacteristicCodec("qn-broadcast", "QN scales, broadcast", QNAdvertisement.self),
    CharacteristicCodec("qn-es26m", "QN scales, weight", QNWeight.self),
    CharacteristicCodec("renpho-msc04", "Renpho R-MSC04, frame", RenphoFrame.self),
    CharacteristicCodec("renpho-wss", "Renpho ES-WBE28, 2A9D", RenphoWeightMeasurement.self),
    CharacteristicCodec("robi-s9", "ICOMON scales, frame", ICOMONFrame.self),
    CharacteristicCodec("samico-scale", "Pyle scale (Samico), weight", SamicoWeight.self),
    CharacteristicCodec("sinocare-adv", "Sinocare scale, broadcast", SinocareAdvertisement.self),
    CharacteristicCodec("transtek-8a24", "Transtek scales, 8A24", TranstekWeight.self),
    CharacteristicCodec("xiaomi-s400-adv", "Xiaomi S400, FE95; key and mac") {
      payload, parameters throws(PayloadError) in
      try MiBeacon(payload: payload).s400Measurement(parameters)
    },
    CharacteristicCodec("yunmai-frame", "Yunmai scales, frame", YunmaiFrame.self),
  ]
}

extension MiBeacon {
  /// The measurement that the parameters `key` and `mac` open.
  fileprivate func s400Measurement(
    _ parameters: [String: String]
  ) throws(PayloadError) -> XiaomiS400Measurement {
    let key = try BindKey(hexadecimal: parameters["key"] ?? "")
    var address: DeviceAddress?
    if let text = parameters["mac"] { address = try DeviceAddress(text) }
    let object = try open(key: key, address: address)
    return try XiaomiS400Measurement(payload: object)
  }
}
