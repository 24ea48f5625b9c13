// SPDX-License-Identifier: Apache-2.0

import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `Payload reader` {
  @Test func `reads the least significant byte first`() throws {
    var reader = PayloadReader(try bytes("FE FDFF 0201 030201 04030201 0807060504030201 FE"))

    #expect(try reader.int8(field: "a") == -2)
    #expect(try reader.int16(field: "b") == -3)
    #expect(try reader.uint16(field: "c") == 0x0102)
    #expect(try reader.uint24(field: "d") == 0x01_0203)
    #expect(try reader.uint32(field: "e") == 0x0102_0304)
    #expect(try reader.uint64(field: "f") == 0x0102_0304_0506_0708)
    #expect(reader.offset == 20)
    #expect(reader.remainingCount == 1)
    #expect(try reader.uint8(field: "g") == 254)
    try reader.finish()
    #expect(reader.remainingBytes() == [])
  }

  @Test func `stays where it is when a field does not fit`() throws {
    var reader = PayloadReader([1, 2, 3])
    _ = try reader.uint8(field: "Flags")

    let error = try #require(throws: PayloadError.self) { try reader.uint32(field: "Weight") }

    #expect(
      error
        == PayloadError(
          .truncated, field: "Weight", offset: 1,
          message: "The field has 4 bytes, 2 are left. Refuse the payload."))
    #expect(reader.offset == 1)
    #expect(reader.remainingBytes() == [2, 3])
  }

  @Test func `reports bytes after the last field`() throws {
    var reader = PayloadReader([1, 2, 3])
    _ = try reader.uint16(field: "Value")

    let error = try #require(throws: PayloadError.self) { try reader.finish() }

    #expect(error.code == .trailingBytes)
    #expect(error.offset == 2)
  }
}

@Suite struct `Payload writer` {
  @Test func `writes the least significant byte first`() throws {
    var writer = PayloadWriter()
    writer.int8(-2)
    writer.int16(-3)
    writer.uint16(0x0102)
    writer.uint24(0xFF01_0203)
    writer.uint32(0x0102_0304)
    writer.uint64(0x0102_0304_0506_0708)
    writer.uint8(254)
    writer.medicalFloat16(MedicalFloat16(rawValue: 0xF0A3))
    writer.medicalFloat32(MedicalFloat32(rawValue: 0xFF00_0173))
    writer.append([9, 8])

    #expect(
      writer.bytes
        == (try bytes("FE FDFF 0201 030201 04030201 0807060504030201 FE A3F0 730100FF 0908")))
  }
}

@Suite struct `Payload error` {
  @Test func `says where and what in one line`() throws {
    let error = try refusal(of: try bytes("06 7600 4C00 5A00 EA0705"), as: "2A35")

    #expect(
      error.description
        == "truncated in \"Time Stamp\" at byte 7: "
        + "The field has 7 bytes, 3 are left. Refuse the payload.")
  }

  @Test func `does not contain bytes of the payload`() throws {
    // 213 = 0xD5 stands for a value that must not reach a log.
    let battery = try refusal(of: [213], as: "2A19")
    let text = try refusal(of: [0x53, 0x4E, 0xD5, 0x53], as: "2A25")
    let month = try refusal(of: try bytes("E907 D5 01 00 00 00"), as: "2A08")
    let float = try #require(throws: PayloadError.self) {
      try MedicalFloat16(213_213, exponent: 0)
    }

    for error in [battery, text, month, float] {
      let description = error.description.lowercased()
      #expect(!description.contains("213"))
      #expect(!description.contains("d5"))
      #expect(!description.contains("sn"))
    }
  }

  @Test func `describes a refused value without an offset`() throws {
    let error = try #require(throws: PayloadError.self) { try BatteryLevel(percent: 101) }

    #expect(
      error.description
        == "reservedValue in \"Battery Level\": It is 0...100. Take the level as unknown.")
  }
}
