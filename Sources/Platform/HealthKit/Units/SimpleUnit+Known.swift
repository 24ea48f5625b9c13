// SPDX-License-Identifier: Apache-2.0

import Foundation

extension SimpleUnit {
  static let gram = SimpleUnit("g", .mass)
  static let ounce = SimpleUnit("oz", .mass, scale: 28.349523125)
  static let pound = SimpleUnit("lb", .mass, scale: 453.59237)
  static let stone = SimpleUnit("st", .mass, scale: 6350.29318)
  /// A mole of an unknown substance, which does not convert to grams.
  static let mole = SimpleUnit("mol", .amountOfSubstance)

  /// A mole of a substance, with 16 significant digits of the molar mass in its symbol.
  static func mole(gramsPerMole: Double) -> SimpleUnit {
    SimpleUnit("mol<\(String(format: "%.16g", gramsPerMole))>", .mass, scale: gramsPerMole)
  }

  static let meter = SimpleUnit("m", .length)
  static let inch = SimpleUnit("in", .length, scale: 0.0254)
  static let foot = SimpleUnit("ft", .length, scale: 0.3048)
  static let yard = SimpleUnit("yd", .length, scale: 0.9144)
  static let mile = SimpleUnit("mi", .length, scale: 1609.344)

  static let liter = SimpleUnit("L", .volume)
  static let fluidOunceUS = SimpleUnit("fl_oz_us", .volume, scale: 0.0295735295625)
  static let fluidOunceImperial = SimpleUnit("fl_oz_imp", .volume, scale: 0.0284130625)
  static let pintUS = SimpleUnit("pt_us", .volume, scale: 0.473176473)
  static let pintImperial = SimpleUnit("pt_imp", .volume, scale: 0.56826125)
  static let cupUS = SimpleUnit("cup_us", .volume, scale: 0.2365882365)
  static let cupImperial = SimpleUnit("cup_imp", .volume, scale: 0.284130625)

  static let pascal = SimpleUnit("Pa", .pressure)
  static let millimeterOfMercury = SimpleUnit("mmHg", .pressure, scale: 133.322387415)
  static let centimeterOfWater = SimpleUnit("cmAq", .pressure, scale: 98.0665)
  static let atmosphere = SimpleUnit("atm", .pressure, scale: 101_325)
  static let inchOfMercury = SimpleUnit("inHg", .pressure, scale: 3386.38816)
  static let decibelSoundPressure = SimpleUnit("dBASPL", .soundPressureLevel)
  static let decibelHearing = SimpleUnit("dBHL", .hearingLevel)

  static let second = SimpleUnit("s", .time)
  static let minute = SimpleUnit("min", .time, scale: 60)
  static let hour = SimpleUnit("hr", .time, scale: 3600)
  static let day = SimpleUnit("d", .time, scale: 86400)

  static let joule = SimpleUnit("J", .energy)
  static let kilocalorie = SimpleUnit("kcal", .energy, scale: 4184)
  static let smallCalorie = SimpleUnit("cal", .energy, scale: 4.184)
  static let largeCalorie = SimpleUnit("Cal", .energy, scale: 4184)

  static let kelvin = SimpleUnit("K", .temperature)
  static let degreeCelsius = SimpleUnit("degC", .temperature, offset: 273.15)
  static let degreeFahrenheit = SimpleUnit(
    "degF", .temperature, scale: 5.0 / 9, offset: 459.67 * 5 / 9)

  static let siemen = SimpleUnit("S", .conductance)
  static let internationalUnit = SimpleUnit("IU", .pharmacology)
  static let count = SimpleUnit("count", .scalar)
  /// Converts 1:1 to a count: a saturation of 97 % is the value 0.97.
  static let percent = SimpleUnit("%", .scalar)
  static let hertz = SimpleUnit("Hz", .frequency)
  static let volt = SimpleUnit("V", .electricPotential)
  static let watt = SimpleUnit("W", .power)
  static let diopter = SimpleUnit("D", .opticalPower)
  static let prismDiopter = SimpleUnit("pD", .prismPower)
  static let radian = SimpleUnit("rad", .angle)
  static let degreeAngle = SimpleUnit("deg", .angle, scale: .pi / 180)
  static let lux = SimpleUnit("lx", .illuminance)
  static let appleEffortScore = SimpleUnit("appleEffortScore", .effortScore)

  /// The units that take a prefix.
  private static let metric: [SimpleUnit] = [
    .gram, .mole, .meter, .liter, .pascal, .second, .joule, .kelvin, .siemen, .hertz, .volt,
    .watt, .radian, .lux,
  ]

  private static let other: [SimpleUnit] = [
    .ounce, .pound, .stone, .inch, .foot, .yard, .mile, .fluidOunceUS, .fluidOunceImperial,
    .pintUS, .pintImperial, .cupUS, .cupImperial, .millimeterOfMercury, .centimeterOfWater,
    .atmosphere, .inchOfMercury, .decibelSoundPressure, .decibelHearing, .minute, .hour, .day,
    .kilocalorie, .smallCalorie, .largeCalorie, .degreeCelsius, .degreeFahrenheit,
    .internationalUnit, .count, .percent, .diopter, .prismDiopter, .degreeAngle,
    .appleEffortScore,
  ]

  private static let bySymbol: [String: SimpleUnit] = {
    var table: [String: SimpleUnit] = [:]
    for unit in metric + other { table[unit.symbol] = unit }
    table["l"] = .liter
    for prefix in HKMetricPrefix.spelled {
      for unit in metric where table[prefix.symbol + unit.symbol] == nil {
        table[prefix.symbol + unit.symbol] = unit.prefixed(prefix)
      }
      if table[prefix.symbol + "l"] == nil {
        table[prefix.symbol + "l"] = SimpleUnit.liter.prefixed(prefix)
      }
    }
    return table
  }()

  /// The unit of that symbol, with its prefix; nil if there is none.
  init?(symbol: String) {
    if let known = Self.bySymbol[symbol] {
      self = known
      return
    }
    guard symbol.hasSuffix(">"), let opening = symbol.firstIndex(of: "<") else { return nil }
    let (name, mass) = (symbol[..<opening], symbol[opening...].dropFirst().dropLast())
    guard name.hasSuffix("mol"), let grams = Double(mass), grams > 0, grams.isFinite else {
      return nil
    }
    let prefix = name.dropLast(3)
    if prefix.isEmpty {
      self = .mole(gramsPerMole: grams)
      return
    }
    guard let known = HKMetricPrefix.spelled.first(where: { $0.symbol == prefix }) else {
      return nil
    }
    self = SimpleUnit.mole(gramsPerMole: grams).prefixed(known)
  }
}
