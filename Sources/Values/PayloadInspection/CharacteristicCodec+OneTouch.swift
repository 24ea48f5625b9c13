// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let oneTouch = [
    CharacteristicCodec("crc16-ccitt", "CRC-16/CCITT of bytes", CRC16CCITTInput.self),
    CharacteristicCodec("onetouch-frame", "OneTouch frame", OneTouchFrame.self),
    CharacteristicCodec("onetouch-record", "OneTouch record", OneTouchRecord.self),
  ]
}
