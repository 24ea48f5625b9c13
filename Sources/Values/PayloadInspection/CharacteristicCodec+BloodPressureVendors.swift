// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let bloodPressureVendors = [
    CharacteristicCodec("andesfit-bp", "AndesFit measurement", AndesFitMeasurement.self),
    CharacteristicCodec(
      "beurer-bm85-2a35", "Beurer BM85 Blood Pressure Measurement", BeurerMeasurement.self),
    CharacteristicCodec("crc8-07", "Viatom CRC-8", CRC8Input.self),
    CharacteristicCodec("jumper-bp", "Jumper JPD-HA120 reply", JumperPressureReply.self),
    CharacteristicCodec("lepu-frame", "Viatom A5 frame", LepuFrame.self),
    CharacteristicCodec("microlife-frame", "Microlife frame", MicrolifeFrame.self),
    CharacteristicCodec("microlife-records", "Microlife memory", MicrolifeMemory.self),
    CharacteristicCodec("omron-6232t", "Omron HEM-6232T record", OmronSlot<HEM6232T>.self),
    CharacteristicCodec("omron-7142t2", "Omron HEM-7142T2 record", OmronSlot<HEM7142T2>.self),
    CharacteristicCodec("omron-7322t", "Omron HEM-7322T record", OmronSlot<HEM7322T>.self),
    CharacteristicCodec("omron-7530t", "Omron HEM-7530T record", OmronSlot<HEM7530T>.self),
    CharacteristicCodec("omron-7600t", "Omron HEM-7600T record", OmronSlot<HEM7322T>.self),
    CharacteristicCodec("omron-advertisement", "Omron advertisement", OmronAdvertisement.self),
    CharacteristicCodec("omron-frame", "Omron memory frame", OmronFrame.self),
    CharacteristicCodec("omron-le16", "Omron HEM-7361T record", OmronSlot<HEM7361T>.self),
    CharacteristicCodec("samico-bp", "Samico measurement", SamicoMeasurement.self),
    CharacteristicCodec("transtek-bp-8a91", "Transtek measurement", TranstekRecord.self),
    CharacteristicCodec("transtek-time2010", "Transtek time", TranstekTime.self),
    CharacteristicCodec("transtek-xor", "Transtek challenge", TranstekProof.self),
    CharacteristicCodec("viatom-bp2-file", "Viatom BP2 file", BP2File.self),
    CharacteristicCodec("wellue-bp", "Wellue BPM-188 result", WellueResult.self),
    CharacteristicCodec("yonker-bp", "Yonker measurement", YonkerMeasurement.self),
  ]
}
