// SPDX-License-Identifier: Apache-2.0

import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing
import HealthDevices

@Suite struct `Spot-check oximetry` {
  @Test func `reads the example of the documentation`() throws {
    let payload = try bytes("0F 6100 4800 EA07 05 04 07 1E 00 8000 000000 22F0")
    let measurement = try PLXSpotCheckMeasurement(payload: payload)

    #expect(measurement.oximetry.percent == 97)
    #expect(measurement.oximetry.beatsPerMinute == 72)
    #expect(
      measurement.dateTime
        == (try DateTime(year: 2026, month: 5, day: 4, hours: 7, minutes: 30, seconds: 0)))
    #expect(measurement.measurementStatus == .validatedData)
    #expect(measurement.deviceAndSensorStatus == [])
    #expect(measurement.pulseAmplitudeIndex?.double == 3.4)
    #expect(measurement.isReading)
    #expect(measurement.payload == payload)
  }

  @Test func `does not give the time of a clock that was never set`() throws {
    let measurement = try PLXSpotCheckMeasurement(
      payload: try bytes("11 6200 4700 D007 01 01 00 00 00"))

    #expect(!measurement.isDeviceClockSet)
    #expect(measurement.dateTime == nil)
    #expect(measurement.timestamp?.dateTime?.year == 2000)
    #expect(measurement.isReading)
  }

  @Test(arguments: ["FF07 FF07", "6100 FF07", "FF07 4800", "0008 4800", "6100 0000", "6500 4800"])
  func `is not a reading without both numbers in range`(numbers: String) throws {
    let measurement = try PLXSpotCheckMeasurement(payload: try bytes("00 \(numbers)"))

    #expect(!measurement.isReading)
  }

  @Test(arguments: 0..<16)
  func `is not a reading from measurement status bit 10 on`(bit: Int) throws {
    let status = PLXMeasurementStatus(rawValue: 1 << UInt16(bit))
    let measurement = PLXSpotCheckMeasurement(
      try PulseOximetry(percent: 97, beatsPerMinute: 72), measurementStatus: status)

    #expect(measurement.isReading == (bit < 10))
  }

  @Test(arguments: 0..<24)
  func `is not a reading when the finger is out or the sensor unfit`(bit: Int) throws {
    let status = PLXDeviceAndSensorStatus(rawValue: 1 << UInt32(bit))
    let measurement = PLXSpotCheckMeasurement(
      try PulseOximetry(percent: 97, beatsPerMinute: 72), deviceAndSensorStatus: status)

    #expect(measurement.isReading == ![1, 11, 12, 13, 14, 15].contains(bit))
  }

  @Test func `keeps reserved flags and status bits`() throws {
    let payload = try bytes("E6 6100 4800 1F00 0000FF")
    let measurement = try PLXSpotCheckMeasurement(payload: payload)

    #expect(measurement.reservedFlags.rawValue == 0xE0)
    #expect(measurement.measurementStatus?.rawValue == 0x001F)
    #expect(measurement.deviceAndSensorStatus?.rawValue == 0xFF0000)
    #expect(measurement.payload == payload)
    let stream = try bytes("E0 6100 4800")
    #expect(try PLXContinuousMeasurement(payload: stream).payload == stream)
  }

  @Test func `encodes a full measurement`() throws {
    let dateTime = try DateTime(year: 2026, month: 5, day: 4, hours: 7, minutes: 30, seconds: 0)
    let measurement = PLXSpotCheckMeasurement(
      try PulseOximetry(percent: 96, beatsPerMinute: 66), timestamp: Timestamp(dateTime),
      isDeviceClockSet: false, measurementStatus: [.fullyQualifiedData],
      deviceAndSensorStatus: [.lowPerfusionDetected],
      pulseAmplitudeIndex: try MedicalFloat16(0.8, exponent: -1))

    #expect(
      measurement.payload
        == (try bytes("1F 6000 4200 EA07 05 04 07 1E 00 0001 200000 08F0")))
  }
}

@Suite struct `Continuous oximetry` {
  /// The flags of 2A5E and 2A5F have the same names at other bits.
  @Test func `is not read with the flags of the spot-check`() throws {
    let bytes = try TestSupport.bytes("04 6100 4200 2000")
    let continuous = try PLXContinuousMeasurement(payload: bytes)

    #expect(continuous.measurementStatus == .measurementOngoing)
    #expect(continuous.deviceAndSensorStatus == nil)
    #expect(try refusal(of: bytes, as: "2A5E").field == "Device and Sensor Status")
  }

  @Test func `has three bytes of device and sensor status`() throws {
    let continuous = try PLXContinuousMeasurement(
      payload: try bytes("18 6100 4200 000801 22F0"))

    #expect(
      continuous.deviceAndSensorStatus
        == PLXDeviceAndSensorStatus(rawValue: 0x010800))
    #expect(continuous.deviceAndSensorStatus?.contains(.sensorUnconnectedToUser) == true)
    #expect(continuous.pulseAmplitudeIndex?.double == 3.4)
    #expect(!continuous.isUsable)
  }

  @Test func `encodes the fast and the slow pair apart`() throws {
    let continuous = PLXContinuousMeasurement(
      try PulseOximetry(percent: 97, beatsPerMinute: 66),
      slow: try PulseOximetry(percent: 98, beatsPerMinute: 64),
      measurementStatus: .measurementOngoing)

    #expect(continuous.payload == (try bytes("06 6100 4200 6200 4000 2000")))
    #expect(continuous.fast == nil)
    #expect(continuous.isUsable)
  }
}

@Suite struct `Moments of a pulse oximeter's stream` {
  @Test(
    arguments: [
      ("04 6100 4800 2000", true), ("04 6100 4800 6000", false), ("04 6100 4800 0004", false),
      ("04 6100 4800 0080", false), ("08 6100 4800 080000", false),
      ("08 6100 4800 400000", false), ("08 6100 4800 800000", false),
      ("08 6100 4800 000100", false), ("08 6100 4800 000800", false),
      ("08 6100 4800 200000", true), ("00 FF07 FF07", false),
    ])
  func `count with final numbers of a good signal`(hexadecimal: String, counts: Bool) throws {
    let measurement = try PLXContinuousMeasurement(payload: try bytes(hexadecimal))

    #expect(measurement.moment?.sample?.saturation == (counts ? 97 : nil))
    #expect(measurement.moment?.sample?.pulseRate == (counts ? 72 : nil))
  }
}

@Suite struct `PLX features` {
  @Test func `announce the two fields that are there`() throws {
    let features = PLXFeatures(
      features: [.timestamp, .measurementStatus], measurementStatusSupport: nil,
      deviceAndSensorStatusSupport: [.sensorDisconnected])

    #expect(features.features == [.timestamp, .deviceAndSensorStatus])
    #expect(features.payload == (try bytes("0A00 008000")))
  }

  @Test func `keep all 16 bits`() throws {
    let payload = try bytes("FFFF E0FF FFFFFF")

    #expect(try PLXFeatures(payload: payload).features.rawValue == 0xFFFF)
    #expect(try PLXFeatures(payload: payload).payload == payload)
  }
}
