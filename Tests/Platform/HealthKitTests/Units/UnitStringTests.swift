// SPDX-License-Identifier: Apache-2.0

import HealthKit
import Testing

struct `Unit strings` {
  static let factories: [(HKUnit, String)] = [
    (.gram(), "g"), (.gramUnit(with: .kilo), "kg"), (.ounce(), "oz"), (.pound(), "lb"),
    (.stone(), "st"), (.moleUnit(withMolarMass: 123), "mol<123>"),
    (.moleUnit(with: .milli, molarMass: 123.45), "mmol<123.45>"),
    (.meter(), "m"), (.meterUnit(with: .femto), "fm"), (.inch(), "in"), (.foot(), "ft"),
    (.yard(), "yd"), (.mile(), "mi"), (.liter(), "L"), (.literUnit(with: .deci), "dL"),
    (.fluidOunceUS(), "fl_oz_us"), (.fluidOunceImperial(), "fl_oz_imp"), (.pintUS(), "pt_us"),
    (.pintImperial(), "pt_imp"), (.cupUS(), "cup_us"), (.cupImperial(), "cup_imp"),
    (.pascal(), "Pa"), (.pascalUnit(with: .hecto), "hPa"), (.millimeterOfMercury(), "mmHg"),
    (.inchesOfMercury(), "inHg"), (.centimeterOfWater(), "cmAq"), (.atmosphere(), "atm"),
    (.decibelAWeightedSoundPressureLevel(), "dBASPL"), (.decibelHearingLevel(), "dBHL"),
    (.second(), "s"), (.secondUnit(with: .milli), "ms"), (.minute(), "min"), (.hour(), "hr"),
    (.day(), "d"), (.hertz(), "Hz"), (.hertzUnit(with: .tera), "THz"), (.joule(), "J"),
    (.jouleUnit(with: .mega), "MJ"), (.kilocalorie(), "kcal"), (.smallCalorie(), "cal"),
    (.largeCalorie(), "Cal"), (.watt(), "W"), (.wattUnit(with: .giga), "GW"),
    (.degreeCelsius(), "degC"), (.degreeFahrenheit(), "degF"), (.kelvin(), "K"),
    (.siemen(), "S"), (.siemenUnit(with: .micro), "mcS"), (.volt(), "V"),
    (.voltUnit(with: .pico), "pV"), (.count(), "count"), (.percent(), "%"),
    (.internationalUnit(), "IU"), (.diopter(), "D"), (.prismDiopter(), "pD"),
    (.radianAngle(), "rad"), (.radianAngleUnit(with: .nano), "nrad"), (.degreeAngle(), "deg"),
    (.meterUnit(with: .centi), "cm"), (.meterUnit(with: .deca), "dam"),
    (.meterUnit(with: .none), "m"),
  ]

  @Test(arguments: factories)
  func `are those of the factories, and are read back`(unit: HKUnit, string: String) {
    #expect(unit.unitString == string)
    #expect(HKUnit(from: string) == unit)
    #expect(HKUnit(from: string).hash == unit.hash)
  }

  @Test func `have sixteen digits of the molar mass of glucose`() {
    let unit = HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
      .unitDivided(by: .liter())

    #expect(unit.unitString == "mmol<180.1558800000541>/L")
    #expect(HKUnit(from: "mmol<180.1558800000541>/L") == unit)
  }

  @Test(arguments: [
    ("mL/kg.min", "mL/min·kg"), ("kcal/kg*hr", "kcal/hr·kg"), ("count/min", "count/min"),
    ("mg/dL", "mg/dL"), ("hr·L", "L·hr"), ("count·min", "min·count"), ("m/s^2", "m/s^2"),
    ("s^-2", "1/s^2"), ("m^1", "m"), ("m·m", "m^2"), ("l/s/", nil), ("ml", "mL"),
    ("m^4·atm^2·GL/in^2", "m^4·atm^2·GL/in^2"), ("in^2·GL·atm^2", "in^2·atm^2·GL"),
    ("degF·m", "m·degF"),
  ])
  func `are printed in one order`(string: String, expected: String?) {
    #expect((try? HKUnit(parsing: string))?.unitString == expected)
  }

  @Test(arguments: [
    ("m·1/s", "m/s"), ("(m)·(m)", "m·m"), ("(m^2·atm)^2·GL/in^2", "m^4·atm^2·GL/in^2"),
    ("((m·atm)^2)^2·GL/in^2", "m^4·atm^4·GL/in^2"), ("(m^2)^2", "m^4"), ("(((m)))", "m"),
    ("atm·(m·L)^2", "atm·m^2·L^2"), ("(atm·m)·L", "atm·m·L"), ("m*m", "m·m"),
    ("kg/m.s^2", "kg.m^-1.s^-2"), ("m^4·atm^2·GL/m^2", "m^2·atm^2·GL"), ("1/s", "s^-1"),
    ("l", "L"), ("dl", "dL"),
  ])
  func `mean the same`(one: String, other: String) throws {
    #expect(try HKUnit(parsing: one) == HKUnit(parsing: other))
  }

  @Test(arguments: ["", "()", "(())", "((()))", "m/m", "m^0"])
  func `of nothing are null`(string: String) throws {
    let unit = try HKUnit(parsing: string)

    #expect(unit.isNull())
    #expect(unit.unitString == "()")
  }

  @Test(arguments: [
    ("(", 1), (")", 0), ("()·()", 1), ("()·m", 1), ("m·()", 3), ("(m)(m)", 3), ("m(m)", 1),
    ("()^2", 1), ("/s", 0), ("(m·atm/in^4)^2", 6), ("m^2^2", 3), ("percent", 0),
    ("km<123>", 0), ("mol<>", 0), ("mol<-1>", 0), ("mol<12", 0), ("m/s/s", 3), ("count / min", 5),
    ("m^", 2), ("m^x", 2), ("m^1001", 2), ("m.", 2), ("kin", 0), ("koz", 0), ("µg", 0),
    ("m s", 1), ("mcount", 0),
  ])
  func `that are wrong are refused where they are`(string: String, position: Int) throws {
    let error = try #require(throws: UnitSyntaxError.self) { try HKUnit(parsing: string) }

    #expect(error.position == position)
    #expect(error.string == string)
  }

  @Test func `that are wrong trap in the public initializer`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKUnit(from: "percent")
    }
  }
}

struct `Unit arithmetic` {
  @Test func `multiplies, divides and raises`() {
    let speed = HKUnit.meter().unitDivided(by: .second())

    #expect(speed == HKUnit(from: "m/s"))
    #expect(speed.unitMultiplied(by: .second()) == .meter())
    #expect(speed.unitRaised(toPower: 2) == HKUnit(from: "m^2/s^2"))
    #expect(speed.reciprocal() == HKUnit(from: "s/m"))
    #expect(HKUnit.meter().unitRaised(toPower: -1) == HKUnit.meter().reciprocal())
    #expect(HKUnit.meter().unitRaised(toPower: 1) == .meter())
    #expect(HKUnit.meter().unitRaised(toPower: 0).isNull())
    #expect(
      HKUnit.count().unitRaised(toPower: 2).unitRaised(toPower: 2)
        == HKUnit.count().unitRaised(toPower: 4))
    #expect(
      HKUnit.liter().unitDivided(by: HKUnit.second().unitDivided(by: .gram()))
        == HKUnit(from: "L·g/s"))
  }

  @Test func `keeps powers of powers`() {
    let square = HKUnit.meter().unitRaised(toPower: 2)
    let one = square.unitMultiplied(by: .liter().unitRaised(toPower: 3)).unitRaised(toPower: 5)

    #expect(one == HKUnit(from: "m^10·L^15"))
  }

  @Test func `does not take equal worth for the same unit`() {
    #expect(HKUnit.kilocalorie() != HKUnit.largeCalorie())
    #expect(HKUnit.count() != HKUnit.percent())
    #expect(HKUnit(from: "mol") != HKUnit.moleUnit(withMolarMass: HKUnitMolarMassBloodGlucose))
    #expect(HKUnit.meter() != HKUnit.gram())
  }

  @Test(arguments: ["mg/dL", "mmol<180.1558800000541>/L", "()", "degF", "m^4·atm^2·GL/in^2"])
  func `survives archiving`(string: String) throws {
    let unit = HKUnit(from: string)
    let data = try NSKeyedArchiver.archivedData(withRootObject: unit, requiringSecureCoding: true)

    #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKUnit.self, from: data) == unit)
  }

  @Test func `knows the units of formatters`() {
    #expect(HKUnit(from: MassFormatter.Unit.kilogram) == HKUnit(from: "kg"))
    #expect(HKUnit(from: MassFormatter.Unit.stone) == .stone())
    #expect(HKUnit(from: LengthFormatter.Unit.centimeter) == HKUnit(from: "cm"))
    #expect(HKUnit(from: LengthFormatter.Unit.yard) == .yard())
    #expect(HKUnit(from: EnergyFormatter.Unit.kilojoule) == HKUnit(from: "kJ"))
    #expect(HKUnit.massFormatterUnit(from: .pound()) == .pound)
    #expect(HKUnit.lengthFormatterUnit(from: .mile()) == .mile)
    #expect(HKUnit.energyFormatterUnit(from: .kilocalorie()) == .kilocalorie)
  }
}
