// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing

/// The check values of the catalogue of parametrised CRC algorithms: each over "123456789".
private let digits = Array("123456789".utf8)

@Suite struct `Check of a frame` {
  @Test func `has the published value over the digits 1 to 9`() {
    #expect(Checksum.crc8.value(of: digits) == 0xF4)
    #expect(Checksum.crc8Maxim.value(of: digits) == 0xA1)
    #expect(Checksum.crc16CCITT.value(of: digits) == 0x29B1)
    #expect(Checksum.sum8.value(of: digits) == 0xDD)
    #expect(Checksum.sum7.value(of: digits) == 0x5D)
    #expect(Checksum.exclusiveOr.value(of: digits) == 0x31)
  }

  @Test func `of no bytes is the value it starts with`() {
    #expect(Checksum.crc8.value(of: []) == 0)
    #expect(Checksum.crc16CCITT.value(of: []) == 0xFFFF)
    #expect(Checksum.sum8.value(of: []) == 0)
  }

  @Test func `of many large bytes wraps`() {
    let bytes = [UInt8](repeating: 0xFF, count: 1000)

    #expect(Checksum.sum8.value(of: bytes) == 0x18)
    #expect(Checksum.sum7.value(of: bytes) == 0x18)
  }

  @Test func `of two bytes is written and read with the lower one first`() throws {
    var writer = PayloadWriter()
    writer.append(digits)
    writer.append(.crc16CCITT)
    #expect(writer.bytes.suffix(2) == [0xB1, 0x29])

    var reader = PayloadReader(writer.bytes)
    _ = try reader.bytes(9, field: "Digits")
    try reader.verify(.crc16CCITT)
    #expect(reader.remainingCount == 0)
  }

  @Test func `may leave out the first bytes`() throws {
    var reader = PayloadReader([0xAA, 0x01, 0x02, 0x03])
    _ = try reader.bytes(3, field: "Frame")

    try reader.verify(.sum8, from: 1)
  }

  @Test func `that differs is named with its offset`() throws {
    var reader = PayloadReader(digits + [0xF5])
    _ = try reader.bytes(9, field: "Digits")

    let error = try #require(throws: PayloadError.self) {
      try reader.verify(.crc8, field: "CRC")
    }

    #expect(error.code == .checksumMismatch)
    #expect(error.field == "CRC")
    #expect(error.offset == 9)
  }

  @Test func `that is cut is truncated, not wrong`() throws {
    var reader = PayloadReader(digits + [0xB1])
    _ = try reader.bytes(9, field: "Digits")

    let error = try #require(throws: PayloadError.self) { try reader.verify(.crc16CCITT) }

    #expect(error.code == .truncated)
    #expect(error.offset == 9)
  }
}
