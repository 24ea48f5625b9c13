// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import HealthGATT
import TestSupport
import Testing

/// What other open implementations get wrong; each test names one of them.
@Suite struct `Faults of other decoders` {
  @Test func `an exponent is not biased (bluetooth-sig reads 0x8078 as 120)`() {
    #expect(MedicalFloat16(rawValue: 0x8078).double == 1.2e-6)
  }

  @Test func `an exponent is signed (LibreArm for Android reads 15 for -1)`() {
    #expect(MedicalFloat16(rawValue: 0xF0A3).double == 16.3)
  }

  @Test func `words from 0x8000 on do not trap (LibreArm for iOS)`() throws {
    let measurement = try BloodPressureMeasurement(payload: try bytes("01 A3F0 69F0 7DF0"))

    #expect(measurement.systolicPressure == .kilopascals(16.3))
    #expect(measurement.diastolicPressure == .kilopascals(10.5))
    #expect(measurement.meanPressure == .kilopascals(12.5))
  }

  @Test func `NaN is not 2047 (LibreArm for iOS)`() {
    #expect(MedicalFloat16(rawValue: 0x07FF).number == .notANumber)
  }

  @Test func `a special mantissa is a number at another exponent (omron-rs)`() {
    #expect(MedicalFloat16(rawValue: 0xF7FF).double == 204.7)
    #expect(MedicalFloat16(rawValue: 0xF800).double == -204.8)
  }

  @Test func `an SFLOAT has more than a low byte (Livecare)`() {
    #expect(MedicalFloat16(rawValue: 0x012C).double == 300)
    #expect(MedicalFloat16(rawValue: 0x02BC).double == 700)
  }

  @Test func `the largest FLOAT is finite (Nordic for Android)`() {
    #expect(MedicalFloat32(rawValue: 0x7F7F_FFFD).double == 8_388_605e127)
    #expect(MedicalFloat32(rawValue: 0x7FFF_FFFF).double == -1e127)
  }

  @Test func `the pulse rate range is not two booleans`() {
    let below = BloodPressureStatus(rawValue: 0x0010)
    let reserved = BloodPressureStatus(rawValue: 0x0018)

    #expect(below.pulseRateRange == .belowLowerLimit)
    #expect(reserved.pulseRateRange == .reserved)
  }

  @Test func `a user is only where flags say so (medisanabp_ble reads byte 16)`() throws {
    let measurement = try BloodPressureMeasurement(
      payload: try bytes("16 7C00 5600 6100 E807060F11111B 3300 2700"))

    #expect(measurement.userID == nil)
    #expect(measurement.pulseRate?.double == 51)
    #expect(measurement.measurementStatus?.rawValue == 0x0027)
  }

  @Test func `the layout is not always 19 bytes long (UBPM)`() throws {
    let measurement = try BloodPressureMeasurement(payload: try bytes("04 7C00 5600 6100 3300"))

    #expect(measurement.pulseRate?.double == 51)
    #expect(measurement.timestamp == nil)
  }

  @Test func `seconds are the seventh byte of the time (ble-stuff reads the eighth)`() throws {
    let measurement = try BloodPressureMeasurement(
      payload: try bytes("06 7C00 5600 6100 E807060F11111B 3300"))

    #expect(measurement.timestamp?.dateTime?.seconds == 27)
  }

  @Test func `an unknown year is not 1899 (sensorframework)`() throws {
    let measurement = try BloodPressureMeasurement(
      payload: try bytes("02 6E00 4600 5300 0000 00 00 0C 00 00"))
    let dateTime = try #require(measurement.timestamp?.dateTime)

    #expect(dateTime.year == nil)
    #expect(dateTime.hours == 12)
  }

  @Test func `a month 13 does not roll over (Nordic DateTime)`() {
    #expect(throws: PayloadError.self) {
      try DateTime(payload: [0xE8, 0x07, 13, 1, 0, 0, 0])
    }
  }

  @Test func `a battery level of 255 is not passed on (Nordic)`() {
    #expect(throws: PayloadError.self) { try BatteryLevel(payload: [255]) }
  }

  @Test func `a short payload does not give shifted fields`() {
    #expect(throws: PayloadError.self) {
      try BloodPressureMeasurement(payload: [0x1E, 0x7C, 0x00, 0x56, 0x00, 0x61, 0x00, 0x33, 0x00])
    }
  }
}
