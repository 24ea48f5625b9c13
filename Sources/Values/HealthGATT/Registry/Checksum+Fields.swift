// SPDX-License-Identifier: Apache-2.0

/// The octets that a check is computed over; any octets will do.
struct CRC8Input: FieldRepresentable {
  let octets: [UInt8]

  init(payload: some Collection<UInt8>) {
    octets = Array(payload)
  }

  var fields: [DecodedPayload.Field] {
    [.init("crc", .init(Checksum.crc8.value(of: octets)))]
  }
}

/// The octets that a check of two octets is computed over; any octets will do.
struct CRC16CCITTInput: FieldRepresentable {
  let octets: [UInt8]

  init(payload: some Collection<UInt8>) {
    octets = Array(payload)
  }

  var fields: [DecodedPayload.Field] {
    [.init("crc", .init(Checksum.crc16CCITT.value(of: octets)))]
  }
}
