// SPDX-License-Identifier: Apache-2.0

import ClinicalUnits
import Testing

@Suite struct `Quantities` {
  @Test func `of glucose convert at 18.0156 mg/dL to the mmol/L`() {
    #expect(GlucoseConcentration.millimolesPerLiter(1).milligramsPerDeciliter == 18.0156)
    #expect(GlucoseConcentration.milligramsPerDeciliter(180.156).millimolesPerLiter == 10)
  }

  @Test func `of pressure convert at 7.50062 mmHg to the kilopascal`() {
    #expect(Pressure.kilopascals(16).millimetersOfMercury == 120.00992)
    #expect(Pressure.millimetersOfMercury(7.50062).kilopascals == 1)
  }

  @Test func `of temperature convert by 9/5 and 32`() {
    #expect(Temperature.celsius(37).fahrenheit == 98.6)
    #expect(Temperature.fahrenheit(99).celsius == 67 * 5.0 / 9)
    #expect(Temperature.fahrenheit(212).celsius == 100)
  }

  @Test func `of mass convert by the international pound`() {
    #expect(Mass.pounds(1).kilograms == 0.453_592_37)
    #expect(Mass.stones(1).pounds == 14)
    #expect(Mass.kilograms(6.350_293_18).stones == 1)
  }

  @Test func `of length convert at 0.0254 m to the inch`() {
    #expect(Length.inches(69).meters == 69 * 0.0254)
    #expect(Length.meters(0.0254).inches == 1)
  }

  // 5.3 * 0.45359237 / 0.45359237 is not 5.3 as a Double.
  @Test(arguments: [0.1, 5.3, 16.3, 120])
  func `keep each bit in their own unit`(value: Double) {
    func allKeep<Unit: ClinicalUnit>(_ type: Unit.Type) -> Bool {
      Unit.allCases.allSatisfy { Quantity(value, $0).value(in: $0) == value }
    }
    #expect(allKeep(GlucoseUnit.self))
    #expect(allKeep(LengthUnit.self))
    #expect(allKeep(MassUnit.self))
    #expect(allKeep(PressureUnit.self))
    #expect(allKeep(TemperatureUnit.self))
  }

  @Test func `differ when their units do`() {
    #expect(Pressure.kilopascals(16) != .millimetersOfMercury(16))
    #expect(Temperature.celsius(37) != .fahrenheit(98.6))
  }

  @Test func `have the symbols that people read`() {
    #expect(MassUnit.allCases.map(\.rawValue) == ["kg", "lb", "st"])
    #expect(LengthUnit.allCases.map(\.rawValue) == ["m", "in"])
    #expect(PressureUnit.allCases.map(\.rawValue) == ["mmHg", "kPa"])
    #expect(GlucoseUnit.allCases.map(\.rawValue) == ["mg/dL", "mmol/L"])
    #expect(TemperatureUnit.allCases.map(\.rawValue) == ["°C", "°F"])
  }
}
