// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `TaiDoc frame` {
  @Test func `writes requests as they are documented`() throws {
    let time = try TaiDocDateTime(#require(LocalDateTime("2019-08-04T13:37:59")))

    #expect(TaiDocRequest.readModel.frame.payload == (try bytes("51 24 00000000 A3 18")))
    #expect(TaiDocRequest.setClock(time).frame.payload == (try bytes("51 33 0427250D A3 84")))
    #expect(
      TaiDocRequest.readRecordValue(index: 0x0102, user: 3).frame.payload
        == (try bytes("51 26 02010003 A3 20")))
    #expect(
      TaiDocRequest.readRecordCount(user: 2).frame.payload == (try bytes("51 2B 02000000 A3 21")))
  }

  @Test(arguments: [
    ("50 22 00000000 A3 15", PayloadError.Code.reservedValue, "Start", 0),
    ("51 22 00000000 A4 17", .reservedValue, "Direction", 6),
    ("51 22 00000000 A3 17", .checksumMismatch, "Checksum", 7),
    ("51 22 00000000 A3 16 00", .trailingBytes, "Value", 8),
  ])
  func `that is damaged is refused`(
    hex: String, code: PayloadError.Code, field: String, offset: Int
  ) throws {
    let error = try refusal(of: bytes(hex), as: "taidoc-frame")

    #expect(error.code == code)
    #expect(error.field == field)
    #expect(error.offset == offset)
  }

  @Test func `that is cut names the field`() throws {
    let frame = try bytes("51 22 00000000 A3 16")
    let fields = ["Start", "Command", "Data", "Data", "Data", "Data", "Direction", "Checksum"]

    for (length, field) in fields.enumerated() {
      let error = try refusal(of: Array(frame[..<length]), as: "taidoc-frame")
      #expect(error.code == .truncated)
      #expect(error.field == field)
    }
  }

  @Test func `is never a request to erase the memory or to inflate the cuff`() throws {
    let time = try TaiDocDateTime(#require(LocalDateTime("2019-08-04T13:37:00")))
    let requests: [TaiDocRequest] = [
      .readClock, .setClock(time), .readModel, .readRecordCount(user: 0),
      .readRecordTime(index: 0x5252, user: 0x43), .readRecordValue(index: 0x4343, user: 0x52),
      .readCurrentOximetry,
    ]

    let commands = requests.map(\.frame.command)

    #expect(commands.map(\.rawValue) == [0x23, 0x33, 0x24, 0x2B, 0x25, 0x26, 0x49])
    #expect(!commands.contains(.eraseMemory))
    #expect(!commands.contains(.startBloodPressure))
  }
}

@Suite struct `TaiDoc date and time` {
  @Test func `keeps flags above minute and hour apart`() throws {
    let time = try TaiDocDateTime(payload: bytes("0427 E5 8D"))

    #expect(time.dateTime == (try DateTime(payload: bytes("E307 08 04 0D 25 00"))))
    #expect(time.minuteFlags == 3)
    #expect(time.hourFlags == 4)
  }

  @Test func `that is impossible is kept as bytes`() throws {
    let payload = try bytes("A427 25 1F")
    let decoded = try CharacteristicCodec.decode(
      characteristic: "taidoc-datetime", payload: payload)

    #expect(decoded["timestamp"] == .null)
    #expect(decoded["timestamp_octets"] == .list(payload.map { .integer(Int($0)) }))
  }

  @Test(arguments: ["1999-12-31T23:59:59", "2019-02-29T00:00:00", "2128-01-01T00:00:00"])
  func `cannot be made of a time that does not fit`(text: String) throws {
    let time = try #require(LocalDateTime(text))

    #expect(throws: PayloadError.self) { _ = try TaiDocDateTime(time) }
  }
}

@Suite struct `TaiDoc values` {
  @Test func `of glucose mark control solution and other strips`() throws {
    let control = try TaiDocGlucoseValue(payload: bytes("7800 00 C0"))
    let ketone = try TaiDocGlucoseValue(payload: bytes("1E00 00 1C"))
    let glucose = try TaiDocGlucoseValue(payload: bytes("7800 00 83"))

    #expect(control.meal == .qualityControl)
    #expect(control.isGlucose)
    #expect(!ketone.isGlucose)
    #expect(glucose.isGlucose)
    #expect(glucose.meal == .afterMeal)
  }

  @Test func `of blood pressure have two bytes for a systolic one by a D40`() throws {
    let value = try TaiDocBloodPressureValue(payload: bytes("0C 01 50 48"))

    #expect(value.wideSystolic == 268)
    #expect(value.systolic == 12)
  }

  @Test(arguments: [
    ("E703 0000", 99.9), ("E803 0000", 10.0), ("420E 0000", 36.5), ("6D01 0000", 36.5),
  ])
  func `of temperature are tenths, and hundredths from 1000 on`(hex: String, celsius: Double) throws
  {
    #expect(try TaiDocTemperatureValue(payload: bytes(hex)).celsius == celsius)
  }

  @Test(arguments: [
    ("00 0000 48", false), ("61 0000 00", false), ("65 0000 48", false),
    ("61 0000 48", true),
  ])
  func `of an oximeter without a finger are no result`(hex: String, hasResult: Bool) throws {
    #expect(try TaiDocOximetryValue(payload: bytes(hex)).hasResult == hasResult)
  }

  @Test(arguments: [
    "taidoc-bg-value", "taidoc-bp-value", "taidoc-temp-value", "taidoc-spo2-value",
    "taidoc-model", "taidoc-datetime",
  ])
  func `have four bytes`(characteristic: String) throws {
    #expect(try refusal(of: [1, 2, 3], as: characteristic).code == .truncated)
    #expect(try refusal(of: [1, 2, 3, 4, 5], as: characteristic).code == .trailingBytes)
  }
}

@Suite struct `TaiDoc model` {
  @Test(arguments: [
    ("5542 0000", "TD-4255", TaiDocModel.Kind.glucose), ("2831 0000", "TD-3128", .bloodPressure),
    ("4112 0000", "TD-1241", .temperature), ("3510 0000", "TD-1035", .temperature),
    ("5582 0000", "TD-8255", .oximetry), ("5525 0000", "TD-2555", nil),
  ])
  func `says what is measured`(hex: String, name: String, kind: TaiDocModel.Kind?) throws {
    let model = try TaiDocModel(payload: bytes(hex))

    #expect(model.name == name)
    #expect(model.kind == kind)
  }
}
