// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `Omron memory frame` {
  @Test func `asks for memory as the published example does`() {
    #expect(OmronFrame.start.payload == [0x08, 0, 0, 0, 0, 0x10, 0, 0x18])
    #expect(
      OmronFrame.read(0x20, at: 0x02C0).payload == [0x08, 0x01, 0x00, 0x02, 0xC0, 0x20, 0x00, 0xEB])
    #expect(OmronFrame.end.payload == [0x08, 0x0F, 0, 0, 0, 0, 0, 0x07])
  }

  @Test func `keeps the memory that an answer carries`() throws {
    let frame = try OmronFrame(.memory, address: 0x02AC, data: [1, 2, 3, 4])

    let again = try OmronFrame(payload: frame.payload)

    #expect(frame.payload.count == 12)
    #expect(again.kind == .memory)
    #expect(again.address == 0x02AC)
    #expect(again.size == 4)
    #expect(again.data == [1, 2, 3, 4])
  }

  @Test func `holds 247 bytes and refuses more`() throws {
    let full = try OmronFrame(.memory, data: [UInt8](repeating: 7, count: 247))
    #expect(try OmronFrame(payload: full.payload) == full)

    let error = try #require(throws: PayloadError.self) {
      try OmronFrame(.memory, data: [UInt8](repeating: 7, count: 248))
    }
    #expect(error.code == .outOfRange)
  }

  @Test(arguments: [
    ("0800000000100019", PayloadError.Code.checksumMismatch, "Checksum", 7),
    ("07000000001000", .outOfRange, "Length", 0),
    ("0A00000000100018", .truncated, "Status", 8),
    ("080000000010001800", .trailingBytes, "Value", 8),
  ])
  func `is refused where it is broken`(
    hex: String, code: PayloadError.Code, field: String, offset: Int
  ) throws {
    let error = try refusal(of: try bytes(hex), as: "omron-frame")

    #expect(error.code == code)
    #expect(error.field == field)
    #expect(error.offset == offset)
  }
}

@Suite struct `Omron record` {
  @Test func `is the same in either order of bytes`() throws {
    let big = try OmronRecord(slot: bytes("5f61 1a75 d722 07bb 000000000000"), layout: .hem7322T)
    let little = try OmronRecord(
      slot: bytes("615f 751a 22d7 bb07 000000000000"), layout: .hem7142T2)

    #expect(big?.systolic == 122)
    #expect(big?.diastolic == 95)
    #expect(big?.pulseRate == 117)
    #expect(
      big?.time == LocalDateTime(year: 2026, month: 5, day: 25, hour: 2, minute: 30, second: 59)
    )
    #expect(little?.systolic == 122)
    #expect(little?.diastolic == 95)
    #expect(little?.time == big?.time)
    #expect(little?.hasIrregularPulse == true)
    #expect(little?.hasBodyMovement == true)
  }

  @Test func `of the HEM-6232T has its two checkpoints the other way round`() throws {
    let slot = try bytes("5f61 1a75 9722 07bb 000000000000")

    let usual = try #require(try OmronRecord(slot: slot, layout: .hem7530T))
    #expect(usual.hasBodyMovement)
    #expect(!usual.hasIrregularPulse)
    let swapped = try #require(try OmronRecord(slot: slot, layout: .hem6232T))
    #expect(!swapped.hasBodyMovement)
    #expect(swapped.hasIrregularPulse)
  }

  @Test func `counts no bits of the year that a model uses otherwise`() throws {
    let slot = try bytes("5f61 da75 d722 07bb 000000000000")

    #expect(try OmronRecord(slot: slot, layout: .hem7530T)?.time.year == 2026)
    #expect(try OmronRecord(slot: slot, layout: .hem7322T)?.time.year == 2218)
  }

  @Test func `has its number where the HEM-7142T2 keeps it`() throws {
    // Slots 7 and 13 of a real device: the numbers are as far apart as the slots.
    let seventh = try OmronRecord(
      slot: bytes("6457431a7316161c000046001900"), layout: .hem7142T2)
    let thirteenth = try OmronRecord(
      slot: bytes("6558541a331ade1800004c00ba00"), layout: .hem7142T2)

    #expect(seventh?.sequence == 70)
    #expect(thirteenth?.sequence == 76)
  }

  @Test(arguments: [
    "ffffffffffffffffffffffffffff", "0000000000000000000000000000", "e2571a7316161c00004600190000",
  ])
  func `is nil for a slot that was erased or never written`(hex: String) throws {
    #expect(try OmronRecord(slot: bytes(hex), layout: .hem7142T2) == nil)
  }

  @Test(arguments: [
    "5f61 1a75 c322 07bb 000000000000",  // month 0
    "5f61 1a75 f722 07bb 000000000000",  // month 13
    "5f61 1a75 cbc2 07bb 000000000000",  // 30 February
    "5f61 1a75 d738 07bb 000000000000",  // hour 24
    "5f61 1a75 d722 0f3b 000000000000",  // minute 60
  ])
  func `is refused when there is no such time`(hex: String) throws {
    let error = try refusal(of: try bytes(hex), as: "omron-7322t")

    #expect(error.code == .outOfRange)
    #expect(error.field == "Time Stamp")
    #expect(error.offset == 2)
  }

  @Test func `is refused when the slot is cut or too long`() throws {
    let slot = try bytes("5f611575d72207fd000000000000")

    for length in 0..<14 {
      let error = try refusal(of: Array(slot.prefix(length)), as: "omron-7322t")
      #expect(error.code == .truncated)
      #expect(error.field == "Slot")
    }
    #expect(try refusal(of: slot + [0], as: "omron-7322t").code == .trailingBytes)
  }
}

@Suite struct `Omron advertisement` {
  @Test func `says how many measurements of each user were not transferred`() throws {
    let advertisement = try OmronAdvertisement(payload: bytes("01 0D 2A00 03 1700 00"))

    #expect(advertisement.flags.contains([.timeNotSet, .pairing]))
    #expect(advertisement.users.map(\.lastSequence) == [42, 23])
    #expect(advertisement.users.map(\.unsentCount) == [3, 0])
  }

  @Test func `of an unknown format keeps what follows Flags`() throws {
    let advertisement = try OmronAdvertisement(payload: bytes("06 21 AABB"))

    #expect(advertisement.users.isEmpty)
    #expect(advertisement.flags.contains(.memoryService))
    #expect(advertisement.trailingBytes == [0xAA, 0xBB])
    #expect(advertisement.payload == [0x06, 0x21, 0xAA, 0xBB])
  }

  @Test func `names the user that is cut`() throws {
    let error = try refusal(of: try bytes("01 01 2A00 03 17"), as: "omron-advertisement")

    #expect(error.code == .truncated)
    #expect(error.field == "Last Sequence Number")
    #expect(error.offset == 5)
  }
}
