// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import Testing

@Suite struct `SFLOAT` {
  @Test(
    arguments: [
      (0x0072, 114.0), (0xF0D5, 21.3), (0x0FFF, -1.0), (0xC037, 0.0055), (0xF3E8, 100.0),
      (0x0064, 100.0), (0xF0A3, 16.3), (0xB062, 98e-5), (0xC036, 0.0054), (0x012C, 300.0),
      (0x7FFF, -1e7), (0x77FF, 2047e7), (0x8001, 1e-8), (0x0000, 0.0), (0xF000, 0.0),
    ] as [(UInt16, Double)])
  func `has the value mantissa times ten to the exponent`(word: UInt16, value: Double) {
    #expect(MedicalFloat16(rawValue: word).double == value)
  }

  @Test(
    arguments: [
      (0x07FF, .notANumber), (0x0800, .notAtThisResolution), (0x07FE, .positiveInfinity),
      (0x0802, .negativeInfinity), (0x0801, .reserved),
    ] as [(UInt16, MedicalNumber)])
  func `has five special words`(word: UInt16, number: MedicalNumber) throws {
    #expect(MedicalFloat16(rawValue: word).number == number)
    #expect(MedicalFloat16(rawValue: word).double == nil)
    #expect(try MedicalFloat16(number).rawValue == word)
  }

  @Test(
    arguments: [
      (0xF7FF, 204.7), (0xF7FE, 204.6), (0xF800, -204.8), (0xF801, -204.7), (0xF802, -204.6),
      (0x17FF, 20470.0),
    ] as [(UInt16, Double)])
  func `takes the mantissas of special words for numbers at other exponents`(
    word: UInt16, value: Double
  ) {
    #expect(MedicalFloat16(rawValue: word).double == value)
  }

  @Test func `compares values and keeps the word`() {
    let (tenths, whole) = (MedicalFloat16(rawValue: 0xF3E8), MedicalFloat16(rawValue: 0x0064))

    #expect(tenths == whole)
    #expect(tenths.hashValue == whole.hashValue)
    #expect(tenths.payload == [0xE8, 0xF3])
    #expect(whole.payload == [0x64, 0x00])
    #expect(MedicalFloat16(rawValue: 0x0000) == MedicalFloat16(rawValue: 0xF000))
    #expect(MedicalFloat16(rawValue: 0x0064) != MedicalFloat16(rawValue: 0x0065))
    #expect(MedicalFloat16.notANumber == MedicalFloat16(rawValue: 0x07FF))
  }

  @Test(
    arguments: [
      (120.0, 0, 0x0078), (16.3, -1, 0xF0A3), (36.54, -1, 0xF16D), (-1.0, 0, 0x0FFF),
      (0.00098, -5, 0xB062), (2045.0, 0, 0x07FD), (-2045.0, 0, 0x0803), (204.7, -1, 0xF7FF),
      (20_470_000_000, 7, 0x77FF), (0, -8, 0x8000), (0.25, -1, 0xF003), (-0.25, -1, 0xFFFD),
      (.nan, 0, 0x07FF), (.infinity, 0, 0x07FE), (-.infinity, -1, 0x0802),
    ] as [(Double, Int, UInt16)])
  func `encodes a value at an exponent`(value: Double, exponent: Int, word: UInt16) throws {
    #expect(try MedicalFloat16(value, exponent: exponent).rawValue == word)
  }

  @Test(
    arguments: [
      (2046.0, 0), (2047.0, 0), (-2046.0, 0), (-2047.0, 0), (-2048.0, 0), (2048.0, 0),
      (204.8, -1), (-204.9, -1), (1.0, 8), (1.0, -9), (1.0, Int.min), (1e300, 0),
    ] as [(Double, Int)])
  func `refuses a value that does not fit its exponent`(value: Double, exponent: Int) throws {
    let error = try #require(throws: PayloadError.self) {
      try MedicalFloat16(value, exponent: exponent)
    }
    #expect(error.code == .outOfRange)
    #expect(error.field == "SFLOAT")
    #expect(error.offset == nil)
  }

  @Test(
    arguments: [
      (1000, -1, 0xF3E8), (12_000, -2, 0xF4B0), (3, 9, 0x712C), (0, 40, 0x0000), (2047, 7, 0x77FF),
      (0, -40, 0x0000), (100, -10, 0x8001), (0, -2, 0xE000),
    ] as [(Int, Int, UInt16)])
  func `encodes a decimal exactly`(mantissa: Int, exponent: Int, word: UInt16) throws {
    let decimal = MedicalDecimal(mantissa: mantissa, exponent: exponent)

    #expect(try MedicalFloat16(.decimal(decimal)).rawValue == word)
  }

  @Test(arguments: [
    (12_345, 0), (2047, 0), (1, -9), (1, 11), (1, Int.max), (Int.min, Int.min), (Int.max, 0),
    (10, Int.min), (1000, Int.max),
  ])
  func `refuses a decimal that it cannot hold exactly`(mantissa: Int, exponent: Int) {
    let decimal = MedicalDecimal(mantissa: mantissa, exponent: exponent)

    #expect(throws: PayloadError.self) { try MedicalFloat16(.decimal(decimal)) }
  }

  @Test func `returns to the same word from each of the 65 536`() throws {
    for word in UInt16.min...UInt16.max {
      let number = MedicalFloat16(rawValue: word).number
      #expect(try MedicalFloat16(number).rawValue == word)
    }
  }
}

@Suite struct `FLOAT` {
  @Test(
    arguments: [
      (0xFE00_1E2D, 77.25), (0xFF00_0173, 37.1), (0xFF00_016E, 36.6), (0xFE00_0E4C, 36.6),
      (0x00FF_FFFF, -1.0), (0x7FFF_FFFF, -1e127), (0x7F7F_FFFF, 8_388_607e127),
      (0x7F80_0000, -8_388_608e127), (0x8000_0001, 1e-128), (0x1700_0003, 3e23),
      (0xE900_0003, 3e-23),
    ] as [(UInt32, Double)])
  func `has the nearest double`(word: UInt32, value: Double) {
    #expect(MedicalFloat32(rawValue: word).double == value)
    #expect(value.isFinite)
  }

  @Test(
    arguments: [
      (0x007F_FFFF, .notANumber), (0x0080_0000, .notAtThisResolution),
      (0x007F_FFFE, .positiveInfinity), (0x0080_0002, .negativeInfinity), (0x0080_0001, .reserved),
    ] as [(UInt32, MedicalNumber)])
  func `has five special words`(word: UInt32, number: MedicalNumber) throws {
    #expect(MedicalFloat32(rawValue: word).number == number)
    #expect(try MedicalFloat32(number).rawValue == word)
  }

  @Test func `takes the mantissa of NaN for a number at another exponent`() {
    #expect(MedicalFloat32(rawValue: 0xFF7F_FFFF).double == 838_860.7)
  }

  @Test func `encodes a value at an exponent`() throws {
    #expect(try MedicalFloat32(37.1, exponent: -1).payload == [0x73, 0x01, 0x00, 0xFF])
    #expect(try MedicalFloat32(36.6, exponent: -2).payload == [0x4C, 0x0E, 0x00, 0xFE])
    #expect(try MedicalFloat32(-3e127, exponent: 127).payload == [0xFD, 0xFF, 0xFF, 0x7F])
    #expect(try MedicalFloat32(3e-128, exponent: -128).payload == [0x03, 0x00, 0x00, 0x80])
    #expect(throws: PayloadError.self) { try MedicalFloat32(8_388_607, exponent: 0) }
    #expect(throws: PayloadError.self) { try MedicalFloat32(1, exponent: 128) }
  }

  @Test func `compares values`() {
    #expect(MedicalFloat32(rawValue: 0xFF00_016E) == MedicalFloat32(rawValue: 0xFE00_0E4C))
    #expect(MedicalFloat32(rawValue: 0xFF00_016E) != MedicalFloat32(rawValue: 0xFF00_016F))
  }
}

@Suite struct `Medical decimal` {
  @Test func `describes itself by its digits`() {
    guard case .decimal(let decimal) = MedicalFloat16(rawValue: 0xF3E8).number else {
      Issue.record("no decimal")
      return
    }
    #expect(decimal.mantissa == 1000)
    #expect(decimal.exponent == -1)
  }

  @Test func `survives the largest mantissas and exponents`() {
    #expect(MedicalDecimal(mantissa: 1, exponent: .max).double == .infinity)
    #expect(MedicalDecimal(mantissa: 0, exponent: 3) == MedicalDecimal(mantissa: 0, exponent: -1))
    #expect(MedicalDecimal(mantissa: 1, exponent: 0) != MedicalDecimal(mantissa: 0, exponent: 0))
    #expect(MedicalDecimal(mantissa: 0, exponent: 0) != MedicalDecimal(mantissa: 1, exponent: 1))
    #expect(MedicalDecimal(mantissa: 1, exponent: .min).double == 0)
    #expect(MedicalDecimal(mantissa: .min, exponent: 0).double == -9_223_372_036_854_775_808)
    #expect(
      MedicalDecimal(mantissa: 10, exponent: .max) != MedicalDecimal(mantissa: 1, exponent: 0))
  }
}
