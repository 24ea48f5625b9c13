// SPDX-License-Identifier: Apache-2.0

import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `Heart rate measurement` {
  @Test func `reads the example of the documentation`() throws {
    let payload = try bytes("1E 3A 3201 0A04 1004")
    let measurement = try HeartRateMeasurement(payload: payload)

    #expect(measurement.beatsPerMinute == 58)
    #expect(measurement.sensorContact == .detected)
    #expect(measurement.energyExpended == 306)
    #expect(measurement.energyExpendedKilocalories == 306 / 4.184)
    #expect(measurement.rrIntervals?.map(\.rawValue) == [1034, 1040])
    #expect(measurement.isReading)
    #expect(measurement.payload == payload)
  }

  @Test func `has intervals of 1/1024 s, not of milliseconds`() {
    #expect(RRInterval(rawValue: 1024).milliseconds == 1000)
    #expect(RRInterval(rawValue: 820).milliseconds == 800.78125)
    #expect(RRInterval(rawValue: 512).duration == .milliseconds(500))
  }

  @Test(
    arguments: [
      ("00 48", .unsupported), ("02 48", .unsupported), ("04 48", .notDetected),
      ("06 48", .detected),
    ] as [(String, SensorContact)])
  func `knows three states of contact`(hexadecimal: String, contact: SensorContact) throws {
    let payload = try bytes(hexadecimal)
    let measurement = try HeartRateMeasurement(payload: payload)

    #expect(measurement.sensorContact == contact)
    #expect(measurement.isReading == (contact != .notDetected))
    #expect(measurement.payload == payload)
    let made = HeartRateMeasurement(
      beatsPerMinute: 72, sensorContact: contact, energyExpended: 306)
    #expect(made.sensorContact == contact)
    #expect(made.energyExpended == 306)
  }

  @Test(arguments: ["00 00", "04 00", "06 00", "01 0000"])
  func `is not a reading at 0`(hexadecimal: String) throws {
    #expect(!(try HeartRateMeasurement(payload: try bytes(hexadecimal)).isReading))
  }

  @Test(arguments: [9, 20, 253])
  func `reads as many intervals as the packet holds`(count: Int) throws {
    let payload = [0x10, 0x48] + Array(repeating: [0x00, 0x04] as [UInt8], count: count).joined()
    let measurement = try HeartRateMeasurement(payload: payload)

    #expect(measurement.rrIntervals?.count == count)
    #expect(measurement.payload == payload)
  }

  @Test func `may announce intervals and have none`() throws {
    let measurement = try HeartRateMeasurement(payload: [0x10, 0x48])

    #expect(measurement.rrIntervals == [])
    #expect(measurement.payload == [0x10, 0x48])
  }

  @Test func `refuses half an interval at its start`() throws {
    let error = try refusal(of: [0x10, 0x48, 0x00, 0x04, 0x00], as: "2A37")

    #expect(error.code == .truncated)
    #expect(error.field == "RR-Interval")
    #expect(error.offset == 4)
  }

  @Test func `keeps a small rate sent in two bytes`() throws {
    let payload = try bytes("E1 4800 AA")
    let measurement = try HeartRateMeasurement(payload: payload)

    #expect(measurement.beatsPerMinute == 72)
    #expect(measurement.isTwoByteRate)
    #expect(measurement.reservedFlags.rawValue == 0xE0)
    #expect(measurement.trailingBytes == [0xAA])
    #expect(measurement.payload == payload)
  }

  @Test func `takes two bytes for a rate above 255`() {
    var measurement = HeartRateMeasurement(beatsPerMinute: 255, sensorContact: .notDetected)
    #expect(measurement.payload == [0x04, 0xFF])

    measurement.beatsPerMinute = 256
    measurement.sensorContact = .detected
    #expect(measurement.payload == [0x07, 0x00, 0x01])
    #expect(HeartRateMeasurement(beatsPerMinute: 300).payload == [0x01, 0x2C, 0x01])
  }
}

@Suite struct `Heart rate sensor` {
  @Test func `has a place on the body, reserved ones included`() throws {
    #expect(try BodySensorLocation(payload: [1]) == .chest)
    #expect(try BodySensorLocation(payload: [200]).payload == [200])
  }

  @Test func `is asked to reset its energy with one byte`() {
    #expect(HeartRateControlPoint.resetEnergyExpended.payload == [0x01])
  }
}
