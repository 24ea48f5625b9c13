// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// The bytes that a check is computed over; any bytes will do.
struct CRC8Input: FieldRepresentable {
  let bytes: [UInt8]

  init(payload: some Collection<UInt8>) {
    bytes = Array(payload)
  }

  var fields: [DecodedPayload.Field] {
    [.init("crc", .init(Checksum.crc8.value(of: bytes)))]
  }
}

/// The bytes that a check of two bytes is computed over; any bytes will do.
struct CRC16CCITTInput: FieldRepresentable {
  let bytes: [UInt8]

  init(payload: some Collection<UInt8>) {
    bytes = Array(payload)
  }

  var fields: [DecodedPayload.Field] {
    [.init("crc", .init(Checksum.crc16CCITT.value(of: bytes)))]
  }
}
