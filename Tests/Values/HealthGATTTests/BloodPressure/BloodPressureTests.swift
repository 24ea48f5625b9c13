// SPDX-License-Identifier: Apache-2.0

import PayloadInspection
import HealthGATT
import TestSupport
import PayloadTesting
import Testing

@Suite struct `Blood pressure measurement` {
  @Test func `has all fields of a full frame`() throws {
    let measurement = try BloodPressureMeasurement(
      payload: try bytes("1F B4F0 78F0 8CF0 EA07021C173B3A 6500 02 2500"))

    #expect(measurement.unit == .kilopascals)
    #expect(measurement.systolicPressure == .kilopascals(18))
    #expect(measurement.diastolicPressure == .kilopascals(12))
    #expect(measurement.meanPressure == .kilopascals(14))
    #expect(measurement.timestamp?.dateTime?.seconds == 58)
    #expect(measurement.pulseRate?.double == 101)
    #expect(measurement.userID == UserID(rawValue: 2))
    #expect(
      measurement.measurementStatus == [.bodyMovement, .irregularPulse, .improperPosition])
    #expect(measurement.hasResult)
    #expect(measurement.trailingBytes.isEmpty)
  }

  @Test func `keeps the time stamp when the pulse is absent`() throws {
    let measurement = try BloodPressureMeasurement(
      payload: try bytes("0A 7A00 4E00 5D00 EA070504071E0F FF"))

    #expect(
      measurement.timestamp?.dateTime
        == (try DateTime(year: 2026, month: 5, day: 4, hours: 7, minutes: 30, seconds: 15)))
    #expect(measurement.pulseRate == nil)
    #expect(measurement.userID == .unknown)
    #expect(measurement.measurementStatus == nil)
  }

  @Test(arguments: 0...0b11111)
  func `has exactly the fields that its flags announce`(flags: Int) throws {
    let payload = try BloodPressureFrame(flags: flags).bytes
    let measurement = try BloodPressureMeasurement(payload: payload)

    #expect(measurement.unit == (flags & 1 != 0 ? .kilopascals : .millimetersOfMercury))
    #expect(measurement.systolic.double == 122)
    #expect(measurement.diastolic.double == 78)
    #expect(measurement.meanArterialPressure.double == 93)
    #expect((measurement.timestamp?.dateTime?.seconds == 15) == (flags & 2 != 0))
    #expect((measurement.pulseRate?.double == 7.1) == (flags & 4 != 0))
    #expect((measurement.userID?.rawValue == 2) == (flags & 8 != 0))
    #expect((measurement.measurementStatus?.rawValue == 13) == (flags & 16 != 0))
    #expect(measurement.payload == payload)
  }

  @Test func `recognises a failed run`() throws {
    let failed = try BloodPressureMeasurement(
      payload: try bytes("16 FF07 FF07 FF07 E107 01 0E 16 2D 05 FF07 0000"))

    #expect(failed.isFailed)
    #expect(!failed.hasResult)
    #expect(failed.systolicPressure == nil)
    #expect(failed.timestamp?.dateTime?.year == 2017)
    #expect(failed.pulseRate == .notANumber)
  }

  @Test(arguments: ["0000", "FF07", "0008", "FE0F", "FF0F"])
  func `takes a mean pressure of NaN, NRes, 0 or less for absent`(word: String) throws {
    let payload = try bytes("00 7600 4C00 \(word)")
    let measurement = try BloodPressureMeasurement(payload: payload)

    #expect(measurement.meanPressure == nil)
    #expect(measurement.hasResult)
    #expect(!measurement.isFailed)
    #expect(measurement.payload == payload)
  }

  @Test(arguments: ["00 9600 0000 0000", "00 9600 FF07 FF07"])
  func `does not take a frame sent while inflating for a result`(hexadecimal: String) throws {
    let measurement = try BloodPressureMeasurement(payload: try bytes(hexadecimal))

    #expect(!measurement.hasResult)
    #expect(!measurement.isFailed)
    #expect(measurement.systolicPressure == .millimetersOfMercury(150))
  }

  @Test(
    arguments: [
      (0x0000, .withinRange), (0x0008, .exceedsUpperLimit), (0x0010, .belowLowerLimit),
      (0x0018, .reserved), (0xFFE7, .withinRange),
    ] as [(UInt16, BloodPressureStatus.PulseRateRange)])
  func `reads the pulse rate range as one field of two bits`(
    bits: UInt16, range: BloodPressureStatus.PulseRateRange
  ) {
    #expect(BloodPressureStatus(rawValue: bits).pulseRateRange == range)
  }

  @Test func `keeps reserved flags and status bits`() throws {
    let payload = try bytes("F0 7600 4C00 5A00 40FF")
    let measurement = try BloodPressureMeasurement(payload: payload)

    #expect(measurement.reservedFlags.rawValue == 0xE0)
    #expect(measurement.measurementStatus?.rawValue == 0xFF40)
    #expect(measurement.payload == payload)
  }

  @Test(arguments: [
    "FFFF FF FF FF FF FF", "EA07 0D 04 07 1E 00", "EA07 05 04 18 1E 00", "0100 05 04 07 1E 00",
  ])
  func `outlives an impossible time stamp and keeps its bytes`(time: String) throws {
    let payload = try bytes("06 7600 4C00 5A00 \(time) 4700")
    let measurement = try BloodPressureMeasurement(payload: payload)

    #expect(measurement.systolicPressure == .millimetersOfMercury(118))
    #expect(measurement.pulseRate?.double == 71)
    #expect(measurement.timestamp?.bytes == (try bytes(time)))
    #expect(measurement.timestamp?.dateTime == nil)
    #expect(measurement.payload == payload)
  }

  @Test func `shows the bytes of an impossible time stamp`() throws {
    let decoded = try CharacteristicCodec.decode(
      characteristic: "2A35", payload: try bytes("02 7600 4C00 5A00 EA070D04071E00"))

    #expect(decoded["timestamp"] == .null)
    #expect(
      decoded["timestamp_octets"]
        == .list([0xEA, 0x07, 0x0D, 0x04, 0x07, 0x1E, 0x00].map { .integer($0) }))
  }

  @Test func `shows its fields in the order of the specification`() throws {
    let decoded = try CharacteristicCodec.decode(
      characteristic: "2A35", payload: try bytes("00 7600 4C00 5A00"))

    #expect(
      decoded.fields.map(\.name) == [
        "flags", "unit", "systolic", "diastolic", "map", "timestamp", "pulse", "user_id", "status",
        "status_names",
      ])
  }

  /// Captured (smurfix/ble-stuff, Logs/Beurer 1.pcapng): a user that the flags do not announce.
  @Test func `reports the byte too many of a Beurer BM85`() throws {
    let payload = try bytes("56 8300 6300 0000 E4070303151900 003D 00 0000")
    let measurement = try BloodPressureMeasurement(payload: payload)

    #expect(measurement.reservedFlags.rawValue == 0x40)
    #expect(measurement.trailingBytes == [0x00])
    #expect(measurement.systolicPressure == .millimetersOfMercury(131))
    #expect(measurement.diastolicPressure == .millimetersOfMercury(99))
    #expect(measurement.meanPressure == nil)
    #expect(measurement.userID == nil)
    #expect(measurement.payload == payload)
  }

  /// The example of the module's documentation.
  @Test func `reads the example of the documentation`() throws {
    let bytes: [UInt8] = [
      0x14, 0x76, 0x00, 0x4C, 0x00, 0x5A, 0x00, 0x47, 0x00, 0x04, 0x00,
    ]
    let measurement = try BloodPressureMeasurement(payload: bytes)

    #expect(measurement.hasResult)
    #expect(measurement.systolicPressure?.millimetersOfMercury == 118)
    #expect(measurement.measurementStatus?.contains(.irregularPulse) == true)
    #expect(measurement.payload == bytes)
  }

  @Test func `encodes a full measurement`() throws {
    let dateTime = try DateTime(
      year: 2026, month: 5, day: 4, hours: 7, minutes: 30, seconds: 0)
    let measurement = BloodPressureMeasurement(
      systolic: try MedicalFloat16(118, exponent: 0),
      diastolic: try MedicalFloat16(76, exponent: 0),
      meanArterialPressure: try MedicalFloat16(90, exponent: 0),
      timestamp: Timestamp(dateTime), pulseRate: try MedicalFloat16(71, exponent: 0),
      userID: UserID(rawValue: 0),
      measurementStatus: [.cuffTooLoose, .pulseRateRange(.belowLowerLimit)])

    #expect(
      measurement.payload
        == (try bytes("1E 7600 4C00 5A00 EA07 05 04 07 1E 00 4700 00 1200")))
  }

  @Test func `encodes kilopascals without optional fields`() throws {
    let measurement = BloodPressureMeasurement(
      unit: .kilopascals, systolic: try MedicalFloat16(16.3, exponent: -1),
      diastolic: try MedicalFloat16(10.5, exponent: -1))

    #expect(measurement.payload == (try bytes("01 A3F0 69F0 FF07")))
  }
}

@Suite struct `Intermediate cuff pressure` {
  @Test func `is the first of three pressures`() throws {
    let cuff = try IntermediateCuffPressure(payload: try bytes("00 D7F0 FF07 FF07"))

    #expect(cuff.pressure == .millimetersOfMercury(21.5))
    #expect(cuff.unusedDiastolic == .notANumber)
  }

  @Test(arguments: 0...0b11111)
  func `returns to its bytes whatever the unused fields hold`(flags: Int) throws {
    let payload = try BloodPressureFrame(flags: flags).bytes

    #expect(try IntermediateCuffPressure(payload: payload).payload == payload)
  }

  @Test func `encodes NaN in the unused fields`() throws {
    let cuff = IntermediateCuffPressure(
      currentCuffPressure: try MedicalFloat16(150, exponent: 0),
      pulseRate: try MedicalFloat16(60, exponent: 0))

    #expect(cuff.payload == (try bytes("04 9600 FF07 FF07 3C00")))
  }

  @Test func `is absent when the device sends nothing above zero`() throws {
    let cuff = try IntermediateCuffPressure(payload: try bytes("00 0000 FF07 FF07"))

    #expect(cuff.pressure == nil)
  }
}

@Suite struct `Blood pressure feature` {
  @Test func `names its bits`() throws {
    let decoded = try CharacteristicCodec.decode(characteristic: "2A49", payload: [0xFF, 0xFF])

    #expect(decoded["features"] == .integer(0xFFFF))
    #expect(
      decoded["names"]
        == .list(
          [
            "bodyMovement", "cuffFit", "irregularPulse", "pulseRateRange", "measurementPosition",
            "multipleBonds", "e2eCrc", "userData", "userFacingTime",
          ].map { .text($0) }))
  }

  @Test func `encodes to two bytes`() {
    let feature = BloodPressureFeature(features: [.irregularPulseDetection, .userFacingTime])

    #expect(feature.payload == [0x04, 0x01])
  }
}
