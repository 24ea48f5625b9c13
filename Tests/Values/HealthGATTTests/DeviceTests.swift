// SPDX-License-Identifier: Apache-2.0

import PayloadInspection
import PayloadTesting
import Foundation
import HealthDevices
import HealthGATT
import TestSupport
import Testing

@Suite struct `Device information string` {
  @Test(arguments: [
    ("422D353000 FFFF", "B-50"), ("00", ""), ("", ""), ("4F6D726F6EC2AE", "Omron®"),
    ("41204220", "A B "), ("0041", ""), ("F09F92AA", "💪"),
  ])
  func `ends at the first NUL`(hexadecimal: String, text: String) throws {
    #expect(try DeviceInformationString(payload: try bytes(hexadecimal)).text == text)
  }

  @Test(arguments: [("2020422D353020200A", "B-50"), ("2020", ""), ("41204220", "A B"), ("", "")])
  func `has a form without white space around it, by which a device is known`(
    hexadecimal: String, text: String
  ) throws {
    let payload = try bytes(hexadecimal)
    #expect(try DeviceInformationString(payload: payload).trimmedText == text)
    #expect(
      DeviceInformation(GATTAttribute("180A", "2A24"), payload)
        == (text.isEmpty ? nil : .model(text)))
  }

  @Test(arguments: [
    ("4F6D726F6EAE", 5), ("C3", 0), ("41C2", 1), ("41EDA080", 1), ("41C2AEFF00", 3),
    ("F09F92", 0), ("C080", 0),
  ])
  func `is refused at the first byte that is not UTF-8`(hexadecimal: String, offset: Int) throws {
    let error = try refusal(of: try bytes(hexadecimal), as: "2A29")

    #expect(error.code == .invalidText)
    #expect(error.offset == offset)
  }

  @Test func `encodes to UTF-8 without a terminator`() {
    #expect(DeviceInformationString("BM67®").payload == [0x42, 0x4D, 0x36, 0x37, 0xC2, 0xAE])
    #expect(DeviceInformationString(" BM\u{0}67").payload == [0x20, 0x42, 0x4D])
  }
}

@Suite struct `System ID` {
  @Test func `is a little-endian identifier of 40 and 24 bits`() throws {
    let identifier = try SystemID(payload: try bytes("78563412 FE FF 4D 00 "))

    #expect(identifier.rawValue == 0x004D_FFFE_1234_5678)
    #expect(identifier.manufacturerDefinedIdentifier == 0xFE_1234_5678)
    #expect(identifier.organizationallyUniqueIdentifier == 0x00_4DFF)
    #expect(identifier.payload == [0x78, 0x56, 0x34, 0x12, 0xFE, 0xFF, 0x4D, 0x00])
  }

  @Test func `is written with its most significant byte first`() {
    #expect(SystemID(rawValue: 0x004D_FFFE_1234_567A).text == "00-4D-FF-FE-12-34-56-7A")
    #expect(SystemID(rawValue: 1).text == "00-00-00-00-00-00-00-01")
  }

  @Test(arguments: [0, UInt64.max, 0x1234_56FF_FE9A_BCDE])
  func `is none where nobody has set it`(number: UInt64) {
    #expect(!SystemID(rawValue: number).isAssigned)
    #expect(SystemID(rawValue: number ^ 0x100).isAssigned)
  }

  @Test func `shows all sixteen digits`() throws {
    let decoded = try CharacteristicCodec.decode(
      characteristic: "2A23", payload: [1, 0, 0, 0, 0, 0, 0, 0])

    #expect(decoded["eui64"] == .text("0000000000000001"))
  }
}

@Suite struct `PnP ID` {
  @Test func `has four numbers`() throws {
    let identifier = try PnPID(payload: try bytes("01 0F02 3412 2101"))

    #expect(identifier.vendorIDSource == .bluetoothSIG)
    #expect(identifier.vendorID == 0x020F)
    #expect(identifier.productID == 0x1234)
    #expect(identifier.productVersion == 0x0121)
  }

  @Test func `encodes to seven bytes`() {
    let identifier = PnPID(
      vendorIDSource: .usbImplementersForum, vendorID: 0x020F, productID: 0x1234,
      productVersion: 0x0100)

    #expect(identifier.payload == [0x02, 0x0F, 0x02, 0x34, 0x12, 0x00, 0x01])
  }
}

@Suite struct `Battery level` {
  @Test(arguments: [0, 1, 99, 100])
  func `is a percentage`(percent: Int) throws {
    #expect(try BatteryLevel(payload: [UInt8(percent)]).percent == percent)
    #expect(try BatteryLevel(percent: percent).payload == [UInt8(percent)])
  }

  @Test(arguments: [101, 128, 255] as [UInt8])
  func `refuses what is reserved`(byte: UInt8) throws {
    let error = try refusal(of: [byte], as: "2A19")

    #expect(error.code == .reservedValue)
    #expect(error.offset == 0)
  }

  @Test(arguments: [-1, 101, Int.max])
  func `cannot be made of anything else`(percent: Int) {
    #expect(throws: PayloadError.self) { try BatteryLevel(percent: percent) }
  }
}

@Suite struct `Callers` {
  @Test func `may pass Data, also a slice that does not start at zero`() throws {
    let data = Data([0xAA, 0x4B])

    #expect(try BatteryLevel(payload: data.dropFirst()).percent == 75)
    #expect(try BatteryLevel(payload: [0xAA, 0x4B].dropFirst()).percent == 75)
  }
}
