// SPDX-License-Identifier: Apache-2.0

import PayloadInspection
import HealthGATT
import TestSupport
import Testing

@Suite struct `Temperature measurement` {
  /// A published walk-through of this A&D UT-201BLE frame arrives at 36.1 °C.
  @Test func `reads 37.1 from an A&D UT-201BLE`() throws {
    let payload = try bytes("06 730100FF EA07 05 04 07 1E 00 02")
    let measurement = try TemperatureMeasurement(payload: payload)

    #expect(measurement.temperature == .celsius(37.1))
    #expect(measurement.timestamp?.dateTime?.year == 2026)
    #expect(measurement.temperatureType == .body)
    #expect(measurement.payload == payload)
  }

  @Test(arguments: ["6E0100FF", "4C0E00FE"])
  func `is the same for words with different exponents`(word: String) throws {
    let measurement = try TemperatureMeasurement(payload: try bytes("00 \(word)"))

    #expect(measurement.temperature == .celsius(36.6))
  }

  @Test func `converts degrees Fahrenheit`() throws {
    let measurement = try TemperatureMeasurement(payload: try bytes("01 DA0300FF"))

    #expect(measurement.temperature == .fahrenheit(98.6))
    #expect(measurement.temperature?.celsius == 37)
  }

  @Test(arguments: ["FFFF7F00", "00008000", "FEFF7F00", "02008000", "01008000"])
  func `has no temperature for a special value`(word: String) throws {
    let payload = try bytes("00 \(word)")
    let measurement = try TemperatureMeasurement(payload: payload)

    #expect(measurement.temperature == nil)
    #expect(measurement.payload == payload)
  }

  /// A year sent with its bytes swapped is no reason to swap all years.
  @Test func `refuses the time, not the temperature, for a year out of range`() throws {
    let payload = try bytes("06 730100FF 07EA 05 04 07 1E 00 02")
    let measurement = try TemperatureMeasurement(payload: payload)

    #expect(measurement.temperature == .celsius(37.1))
    #expect(measurement.timestamp?.dateTime == nil)
    #expect(measurement.payload == payload)
  }

  @Test func `keeps reserved flags and types`() throws {
    let payload = try bytes("FC 730100FF C8")
    let measurement = try TemperatureMeasurement(payload: payload)

    #expect(measurement.reservedFlags.rawValue == 0xF8)
    #expect(measurement.temperatureType?.rawValue == 200)
    #expect(measurement.payload == payload)
  }

  @Test func `encodes what was not on the wire before`() throws {
    let dateTime = try DateTime(year: 2026, month: 5, day: 4, hours: 7, minutes: 30, seconds: 0)
    let measurement = TemperatureMeasurement(
      unit: .fahrenheit, value: try MedicalFloat32(99.5, exponent: -1),
      timestamp: Timestamp(dateTime), temperatureType: .tympanum)

    #expect(measurement.payload == (try bytes("07 E30300FF EA07 05 04 07 1E 00 09")))
  }

  @Test func `rounds converted temperatures to four decimals for people`() throws {
    let decoded = try CharacteristicCodec.decode(
      characteristic: "2A1C", payload: try bytes("01 DE0300FF"))

    #expect(decoded["value"] == .number(99))
    #expect(decoded["celsius"] == .number(37.2222))
  }
}

@Suite struct `Intermediate temperature` {
  @Test func `has the layout of a measurement`() throws {
    let payload = try bytes("04 6D0100FF 03 AA")
    let intermediate = try IntermediateTemperature(payload: payload)

    #expect(intermediate.measurement.temperature == .celsius(36.5))
    #expect(intermediate.measurement.temperatureType == .ear)
    #expect(intermediate.trailingBytes == [0xAA])
    #expect(intermediate.payload == payload)
  }
}

@Suite struct `Measurement interval` {
  @Test func `is in seconds, and 0 is none`() throws {
    #expect(try MeasurementInterval(payload: [0x10, 0x0E]).interval == .seconds(3600))
    #expect(try MeasurementInterval(payload: [0x00, 0x00]).interval == nil)
    #expect(MeasurementInterval(seconds: 65535).payload == [0xFF, 0xFF])
  }
}
