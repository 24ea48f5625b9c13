// SPDX-License-Identifier: Apache-2.0

import PayloadInspection
import HealthGATT
import TestSupport
import PayloadTesting
import Testing

@Suite struct `Glucose measurement` {
  @Test(arguments: 0...0b11111)
  func `has exactly the fields that its flags announce`(flags: Int) throws {
    let payload = try WrittenFrame.glucoseMeasurement(flags: flags).bytes
    let measurement = try GlucoseMeasurement(payload: payload)

    #expect(measurement.sequenceNumber == 7)
    #expect(measurement.baseTime.bytes == [0xEA, 0x07, 3, 1, 0, 10, 0])
    #expect(measurement.timeOffset == (flags & 1 != 0 ? -720 : nil))
    #expect(measurement.sample?.concentration.double == (flags & 2 != 0 ? 0.00098 : nil))
    #expect(measurement.sample?.fluid == (flags & 2 != 0 ? .controlSolution : nil))
    #expect(measurement.sample?.location == (flags & 2 != 0 ? .alternateSite : nil))
    #expect(measurement.unit == (flags & 4 != 0 ? .molePerLiter : .kilogramPerLiter))
    #expect(
      measurement.sensorStatus == (flags & 8 != 0 ? [.deviceBatteryLow, .timeFault] : nil))
    #expect(measurement.contextFollows == (flags & 16 != 0))
    #expect(measurement.flags.rawValue == UInt8(flags))
    #expect(measurement.payload == payload)
  }

  @Test(arguments: 0...0b11111)
  func `names the field that is cut`(flags: Int) throws {
    try WrittenFrame.glucoseMeasurement(flags: flags).expectTruncation(as: "2A18")
  }

  @Test func `turns kg/L into mg/dL and mol/L into mmol/L without rounding`() throws {
    let american = try measurement(sample: "62B0 11")
    let european = try measurement(flags: "06", sample: "36C0 11")

    #expect(american.concentration == .milligramsPerDeciliter(98))
    #expect(american.concentration?.millimolesPerLiter == 98 / 18.0156)
    #expect(european.concentration == .millimolesPerLiter(5.4))
    #expect(european.concentration?.milligramsPerDeciliter == 5.4 * 18.0156)
  }

  @Test(
    arguments: [
      ("B062", 98), ("A3D4", 98), ("C00A", 100), ("B258", 600), ("D001", 100), ("9007", 0.07),
    ] as [(String, Double)])
  func `heeds the exponent of a concentration`(word: String, expected: Double) throws {
    let measurement = try measurement(sample: "\(word.suffix(2))\(word.prefix(2)) 11")

    #expect(measurement.concentration == .milligramsPerDeciliter(expected))
  }

  @Test(
    arguments: [
      ("62B0", 0x0000, .concentration(.milligramsPerDeciliter(98))),
      ("62B0", 0x0801, .concentration(.milligramsPerDeciliter(98))),
      ("58B2", 0x0020, .aboveRange(limit: .milligramsPerDeciliter(600))),
      ("14B0", 0x0040, .belowRange(limit: .milligramsPerDeciliter(20))),
      ("FE07", 0x0000, .aboveRange(limit: nil)), ("FE07", 0x0020, .aboveRange(limit: nil)),
      ("0208", 0x0000, .belowRange(limit: nil)), ("0208", 0x0040, .belowRange(limit: nil)),
      ("0008", 0x0020, .aboveRange(limit: nil)), ("0008", 0x0040, .belowRange(limit: nil)),
      ("0008", 0x0000, .absent), ("FF07", 0x0000, .absent), ("0108", 0x0000, .absent),
      ("0000", 0x0000, .absent), ("9EBF", 0x0000, .absent),
      ("62B0", 0x0060, .absent), ("FE07", 0x0040, .absent), ("0208", 0x0020, .absent),
      ("62B0", 0x0002, .failed), ("62B0", 0x0004, .failed), ("62B0", 0x0008, .failed),
      ("62B0", 0x0010, .failed), ("62B0", 0x0080, .failed), ("62B0", 0x0100, .failed),
      ("62B0", 0x0200, .failed), ("62B0", 0x0400, .failed), ("FE07", 0x0422, .failed),
    ] as [(String, UInt16, GlucoseMeasurement.Outcome)])
  func `says whether there is a result`(
    word: String, status: UInt16, outcome: GlucoseMeasurement.Outcome
  ) throws {
    var measurement = try measurement(sample: "\(word) 11")
    measurement.sensorStatus = GlucoseSensorStatus(rawValue: status)

    #expect(measurement.outcome == outcome)
    if case .concentration(let concentration) = outcome {
      #expect(measurement.concentration == concentration)
    } else {
      #expect(measurement.concentration == nil)
    }
  }

  @Test func `without a sample has no result, but may be out of range`() throws {
    let error = try GlucoseMeasurement(payload: try bytes("08 0D00 EA070301000A00 0100"))
    let high = try GlucoseMeasurement(payload: try bytes("08 0D00 EA070301000A00 2000"))
    let bare = try GlucoseMeasurement(payload: try bytes("00 0D00 EA070301000A00"))

    #expect(error.outcome == .absent)
    #expect(high.outcome == .aboveRange(limit: nil))
    #expect(bare.outcome == .absent)
    #expect(!bare.isControlSolution)
  }

  @Test(arguments: [("1A", true), ("41", true), ("4A", true), ("11", false), ("F4", false)])
  func `knows control solution by type or location`(byte: String, isControl: Bool) throws {
    #expect(try measurement(sample: "62B0 \(byte)").isControlSolution == isControl)
  }

  @Test func `keeps reserved types, locations, flags and status bits`() throws {
    let payload = try bytes("EA 0700 EA070301000A00 62B0 BC 00F0")
    let measurement = try GlucoseMeasurement(payload: payload)

    #expect(measurement.sample?.fluid.rawValue == 12)
    #expect(measurement.sample?.location.rawValue == 11)
    #expect(measurement.reservedFlags.rawValue == 0xE0)
    #expect(measurement.sensorStatus?.rawValue == 0xF000)
    #expect(measurement.outcome == .concentration(.milligramsPerDeciliter(98)))
    #expect(measurement.payload == payload)
  }

  @Test func `keeps what follows the announced fields`() throws {
    let payload = try bytes("02 0700 EA070301000A00 62B0 11 AB CD")
    let measurement = try GlucoseMeasurement(payload: payload)

    #expect(measurement.trailingBytes == [0xAB, 0xCD])
    #expect(measurement.payload == payload)
  }

  @Test func `a nibble takes no more than four bits`() {
    #expect(GlucoseSample.Fluid(rawValue: 10) == .controlSolution)
    #expect(GlucoseSample.Fluid(rawValue: 16) == nil)
    #expect(GlucoseSample.Location(rawValue: 15) == .notAvailable)
    #expect(GlucoseSample.Location(rawValue: 16) == nil)
  }

  @Test func `encodes a result with all fields`() throws {
    let baseTime = try DateTime(
      year: 2026, month: 3, day: 1, hours: 0, minutes: 10, seconds: 0)
    let measurement = GlucoseMeasurement(
      sequenceNumber: 7, baseTime: Timestamp(baseTime), timeOffset: 60,
      sample: GlucoseSample(
        concentration: try MedicalFloat16(0.00098, exponent: -5), fluid: .capillaryWholeBlood),
      sensorStatus: .resultTooHigh, contextFollows: true)

    #expect(
      measurement.payload == (try bytes("1B 0700 EA070301000A00 3C00 62B0 11 2000")))
  }

  private func measurement(flags: String = "02", sample: String) throws -> GlucoseMeasurement {
    try GlucoseMeasurement(payload: try bytes("\(flags) 0700 EA070301000A00 \(sample)"))
  }
}

@Suite struct `The time of a glucose measurement` {
  @Test(
    arguments: [
      ("E807 02 1C 17 32 00", "0F00", "E807 02 1D 00 05 00"),
      ("EA07 03 01 00 0A 00", "30FD", "EA07 02 1C 0C 0A 00"),
      ("EA07 0C 1F 17 3B 3B", "0100", "EB07 01 01 00 00 3B"),
      ("EA07 01 01 00 00 1E", "FFFF", "E907 0C 1F 17 3B 1E"),
      ("EA07 03 01 00 0A 00", "FF7F", "EA07 03 17 12 11 00"),
      ("EA07 03 01 00 0A 00", "0080", "EA07 02 06 06 02 00"),
    ])
  func `is base time plus offset, on the calendar`(
    base: String, offset: String, expected: String
  ) throws {
    let measurement = try GlucoseMeasurement(payload: try bytes("01 0700 \(base) \(offset)"))

    #expect(measurement.userFacingTime?.payload == (try bytes(expected)))
  }

  @Test func `is the base time where there is no offset`() throws {
    let measurement = try GlucoseMeasurement(payload: try bytes("00 0700 EA070301000A00"))

    #expect(measurement.userFacingTime == measurement.baseTime.dateTime)
  }

  @Test(arguments: [
    "0000 03 01 00 0A 00", "EA07 00 01 00 0A 00", "EA07 02 1E 00 0A 00", "FFFF FF FF FF FF FF",
  ])
  func `is absent where the base time is impossible, and the result stays`(base: String) throws {
    let payload = try bytes("03 0700 \(base) 3C00 62B0 11")
    let measurement = try GlucoseMeasurement(payload: payload)

    #expect(measurement.userFacingTime == nil)
    #expect(measurement.concentration == .milligramsPerDeciliter(98))
    #expect(measurement.payload == payload)
  }

  @Test func `shows the bytes of an impossible base time`() throws {
    let decoded = try CharacteristicCodec.decode(
      characteristic: "2A18", payload: try bytes("00 0700 EA070D01000A00"))

    #expect(decoded["base_time"] == .null)
    #expect(
      decoded["base_time_octets"]
        == .list([0xEA, 0x07, 0x0D, 0x01, 0x00, 0x0A, 0x00].map { .integer($0) }))
    #expect(decoded["user_time"] == .null)
  }
}

@Suite struct `Glucose feature` {
  @Test func `names its bits`() throws {
    let decoded = try CharacteristicCodec.decode(characteristic: "2A51", payload: [0xFF, 0xFF])

    #expect(decoded["features"] == .integer(0xFFFF))
    #expect(
      decoded["names"]
        == .list(
          [
            "lowBattery", "sensorMalfunction", "sampleSize", "stripInsertionError",
            "stripTypeError", "resultHighLow", "temperatureHighLow", "readInterrupt",
            "generalDeviceFault", "timeFault", "multipleBonds",
          ].map { .text($0) }))
  }

  @Test func `encodes to two bytes and keeps those that follow`() throws {
    #expect(
      GlucoseFeature(features: [.resultHighLowDetection, .multipleBonds]).payload == [0x20, 4])
    #expect(try GlucoseFeature(payload: [0xF0, 0x83, 0xAA]).payload == [0xF0, 0x83, 0xAA])
  }

  @Test func `is refused when cut`() throws {
    try WrittenFrame("Glucose Feature", "F003").expectTruncation(as: "2A51")
  }
}
